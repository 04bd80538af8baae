"""POST pods/eviction: a deletion that asks the disruption budgets first (pkg/registry/core/pod/storage/eviction.go)."""
from ....objects import condition, is_deleting, is_ready, set_condition
from ....resources import resource
from ....selectors import matches
from ...etcd import Manager
from .. import bodies, deletion
from ..delete_options import check_preconditions
from ..errors import Refused, not_found, success, too_many_requests

REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
BUDGETS = "poddisruptionbudgets.policy"


def evict(call):
    """Mark the Pod as evicted and delete it, if its budget allows."""
    body = call.request.body if call.request.trusted else bodies.decoded(call, call.request.body)
    options = (body or {}).get("deleteOptions") or {}
    call.dry_run = call.dry_run or "All" in (options.get("dryRun") or ())
    pod = call.etcd.get(call.key)
    if pod is None:
        raise not_found(call.resource, call.name)
    check_preconditions(call, pod, options)
    if not _is_free(pod):
        _ask_budget(call, pod)
    call.tell(call.key)
    pod = _mark(call, pod)
    deletion.delete_object(call, call.key, pod, options)
    return 201, success(code=201)


def _is_free(pod):
    """Nothing is disrupted by removing what does not serve any more, or not yet."""
    return pod["status"].get("phase") in ("Succeeded", "Failed", "Pending") or is_deleting(pod)


def _mark(call, pod):
    if is_deleting(pod):
        return pod
    target = {"type": "DisruptionTarget", "status": "True", "lastProbeTime": None, "lastTransitionTime": call.clock.timestamp(),
              "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting"}
    conditions = set_condition(pod["status"].get("conditions"), target)
    return call.put(call.key, {**pod, "status": {**pod["status"], "conditions": conditions}}, _manager(call, "v1"))


def _manager(call, version):
    return Manager("kube-apiserver", "Update", "status", call.clock.timestamp(), version)


# -- budgets ---------------------------------------------------------------------------------------------------------------
def _ask_budget(call, pod):
    """429 if the one budget that selects the Pod has nothing left; else one disruption is written down in it."""
    budgets = call.etcd.range(resource(BUDGETS).prefix(call.namespace))
    labels = pod["metadata"].get("labels") or {}
    found = [budget for budget in budgets if matches(budget["spec"].get("selector"), labels)]
    if len(found) > 1:
        message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise Refused(500, message)
    if found and not _may_go_unready(pod, found[0]):
        _take(call, found[0])


def _may_go_unready(pod, budget):
    """A Pod that is not ready does not count: it may go when the budget says so, or when enough others are healthy."""
    if is_ready(pod):
        return False
    status = budget["status"]
    enough = status["currentHealthy"] >= status["desiredHealthy"] and status["desiredHealthy"] > 0
    return budget["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow" or enough


def _take(call, budget):
    meta, status = budget["metadata"], budget["status"]
    if status.get("observedGeneration", 0) < meta.get("generation", 1):
        raise _refused(f"The disruption budget {meta['name']} is still being processed by the server.", 10)
    if status["disruptionsAllowed"] <= 0:
        message = f"The disruption budget {meta['name']} needs {status['desiredHealthy']} healthy pods and has {status['currentHealthy']} currently"
        failed = condition(budget, "DisruptionAllowed")
        if failed and failed["status"] == "False" and failed.get("reason") == "SyncFailed" and failed.get("message"):
            message += f" and the last sync failed: {failed['message']}"
        raise _refused(message)
    call.tell(call.key)
    key = resource(BUDGETS).key(meta["namespace"], meta["name"])
    call.put(key, {**budget, "status": _less_one(call, status)}, _manager(call, "policy/v1"))


def _less_one(call, status):
    left = status["disruptionsAllowed"] - 1
    disrupted = {**(status.get("disruptedPods") or {}), call.name: call.clock.timestamp()}
    status = {**status, "disruptedPods": disrupted, "disruptionsAllowed": left}
    if left or not status.get("conditions"):
        return status
    known = next((one for one in status["conditions"] if one["type"] == "DisruptionAllowed"), {})
    changed = {**known, "type": "DisruptionAllowed", "status": "False", "reason": "InsufficientPods", "lastTransitionTime": call.clock.timestamp()}
    return {**status, "conditions": set_condition(status["conditions"], changed)}


def _refused(message, retry_after=None):
    return too_many_requests(REFUSED, [{"reason": "DisruptionBudget", "message": message}], retry_after)
