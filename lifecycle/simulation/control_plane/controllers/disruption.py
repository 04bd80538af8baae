"""What PodDisruptionBudgets allow (pkg/controller/disruption/disruption.go)."""
from lifecycle.simulation.component import Component, itself
from lifecycle.simulation.objects import controller_of, is_deleting, is_ready, name_of, replaced, set_condition, split_key
from lifecycle.simulation.resources import resource
from lifecycle.simulation.selectors import matches
from lifecycle.simulation.timings import MINUTE

from .disruption_scale import ScaleNotFound, expected_scale

DELETION_TIMEOUT = 2 * MINUTE                   # an eviction that was allowed counts so long, even if the Pod is not deleted
UNMANAGED = ("Pods selected by this PodDisruptionBudget (selector: {}) were found to be unmanaged. As a result, the status of the PDB cannot be "
             "calculated correctly, which may result in undefined behavior. To account for these pods please set \".spec.minAvailable\" field of the "
             "PDB to an integer value.")


class Disruption(Component):
    """Keeps the status of every PodDisruptionBudget."""

    name = "disruption"
    event_source = {"component": "controllermanager"}

    def watched(self):
        return {"poddisruptionbudgets.policy": lambda change: () if change.type == "DELETED" else itself(change), "pods": self._pod_changed}

    def _pod_changed(self, change):
        """The budgets that count a Pod which came, went, or became ready or not."""
        budgets = self.etcd.unsorted(resource("poddisruptionbudgets.policy").prefix(change.object["metadata"]["namespace"]))
        if not budgets:
            return ()
        old, new = change.previous, change.object
        if change.type == "MODIFIED" and _seen(old) == _seen(new):
            return ()
        labels = [(thing or {}).get("metadata", {}).get("labels") for thing in (old, new)]
        return [name_of(budget) for budget in budgets.values() if any(matches(budget["spec"].get("selector"), one) for one in labels)]

    def reconcile(self, key):
        budget = self.api.get("poddisruptionbudgets.policy", *split_key(key))
        if budget is None:
            return None
        selector, there = budget["spec"].get("selector"), self.etcd.unsorted(resource("pods").prefix(split_key(key)[0]))
        pods = [pod for pod in there.values() if matches(selector, pod["metadata"].get("labels"))]
        if not pods:
            self.event(budget, "Normal", "NoPods", "No matching pods found")
        try:
            expected, desired = self._goal(budget, pods)
        except ScaleNotFound as problem:
            self.event(budget, "Warning", "CalculateExpectedPodCountFailed", f"Failed to calculate the number of expected pods: {problem}")
            return self._write(budget, {**(budget.get("status") or {}), "disruptionsAllowed": 0}, str(problem))
        disrupted = self._disrupted(budget, pods)
        healthy = sum(is_ready(pod) and not is_deleting(pod) and pod["metadata"]["name"] not in disrupted for pod in pods)
        allowed = max(healthy - desired, 0) if expected > 0 else 0
        status = {"observedGeneration": budget["metadata"].get("generation", 1), **({"disruptedPods": disrupted} if disrupted else {}),
                  "disruptionsAllowed": allowed, "currentHealthy": healthy, "desiredHealthy": desired, "expectedPods": expected}
        self._write(budget, status, "")
        return min((self.clock.parse(at) + DELETION_TIMEOUT - self.clock.now for at in disrupted.values()), default=None)

    def _goal(self, budget, pods):
        """(Pods there should be, Pods that must stay healthy)."""
        spec = budget["spec"]
        least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
        if most is None and not isinstance(least, str):
            return len(pods), 1 if least is None else least
        expected, unmanaged = expected_scale(pods, self.api)
        if unmanaged:
            self.event(budget, "Warning", "UnmanagedPods", UNMANAGED.format(_printed(spec.get("selector") or {})))
        if most is not None:
            return expected, max(expected - scaled(most, expected), 0)
        return expected, scaled(least, expected)

    def _disrupted(self, budget, pods):
        """Of the evictions that the API server allowed lately, those of Pods that are not deleted yet."""
        known = (budget.get("status") or {}).get("disruptedPods") or {}
        left = {}
        for pod in pods:
            name = pod["metadata"]["name"]
            if name not in known or is_deleting(pod):
                continue
            if self.clock.since(known[name]) < DELETION_TIMEOUT:
                left[name] = known[name]
            else:
                self.event(pod, "Warning", "NotDeleted", f"Pod was expected by PDB {name_of(budget)} to be deleted but it wasn't")
        return left

    def _write(self, budget, status, problem):
        """PUT the status, if it says anything new."""
        old = budget.get("status") or {}
        enough = status["disruptionsAllowed"] > 0
        known = next((one for one in old.get("conditions") or () if one["type"] == "DisruptionAllowed"), None)
        state = "True" if enough else "False"
        since = known["lastTransitionTime"] if known and known["status"] == state else self.clock.timestamp()
        reason = "SyncFailed" if problem else "SufficientPods" if enough else "InsufficientPods"
        condition = {"type": "DisruptionAllowed", "status": state, "observedGeneration": budget["metadata"].get("generation", 1),
                     "lastTransitionTime": since, "reason": reason, "message": problem}
        status = {**status, "conditions": set_condition(old.get("conditions"), condition)}
        if status != old:
            self.api.update_status("poddisruptionbudgets.policy", replaced(budget, status, "status"))


def _seen(pod):
    return is_ready(pod), is_deleting(pod), pod["metadata"].get("labels"), (controller_of(pod) or {}).get("uid")


def scaled(number, total):
    """A whole number as it is, a percentage of `total` rounded up."""
    return -(-int(number.removesuffix("%")) * total // 100) if isinstance(number, str) else number


def _printed(selector):
    """A selector as Go prints the struct."""
    labels = "".join(f"{key}: {value}," for key, value in sorted((selector.get("matchLabels") or {}).items()))
    expressions = "".join(f"{{{one['key']} {one['operator']} [{' '.join(one.get('values') or ())}]}}," for one in selector.get("matchExpressions") or ())
    return f"&LabelSelector{{MatchLabels:map[string]string{{{labels}}},MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}"
