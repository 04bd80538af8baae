"""Every 15 s each HorizontalPodAutoscaler is looked at: what do its metrics ask for, and may that be done now (pkg/controller/podautoscaler/horizontal.go)."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.objects import at, condition, is_deleting, name_of, replaced, set_condition, split_key
from lifecycle.simulation.resources import by_kind
from lifecycle.simulation.selectors import parse_label_selector
from lifecycle.simulation.timings import API_CALL, SECOND

from . import behavior
from .metrics import Failure, proposal
from .replicas import View

AUTOSCALERS, POD_METRICS = "horizontalpodautoscalers.autoscaling", "pods.metrics.k8s.io"
PERIOD = 15 * SECOND                 # --horizontal-pod-autoscaler-sync-period
TOLERANCE = 0.1                      # --horizontal-pod-autoscaler-tolerance
GOT_SCALE = ("SucceededGetScale", "the HPA controller was able to get the target's current scale")
DISABLED = ("ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
NO_HISTORY = {"recommendations": [], "up": [], "down": []}
UNFETCHED = "unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)"
NOTHING = "no metrics returned from resource metrics API"


class HorizontalPodAutoscaler(Component):
    """Work keys are autoscalers. On disk: "history KEY" (behavior.py), and "status KEY", a status that is still to be written."""

    name = "horizontal-pod-autoscaler"
    user = "system:serviceaccount:kube-system:horizontal-pod-autoscaler"
    event_source = {"component": "horizontal-pod-autoscaler"}

    def watched(self):
        return {AUTOSCALERS: self._changed}

    def _changed(self, change):
        """A new or changed autoscaler waits for its turn."""
        old, key = change.previous, name_of(change.object)
        if change.type == "DELETED":
            self.write(f"history {key}", None)
            self.write(f"status {key}", None)
        elif old is None or old["spec"] is not change.object["spec"] and old["spec"] != change.object["spec"]:
            self.again(key, PERIOD)
        return ()

    def reconcile(self, key):
        """One look, one write at a time: the target's scale first, then the status that tells of it."""
        autoscaler = self.api.get(AUTOSCALERS, *split_key(key))
        if autoscaler is None or is_deleting(autoscaler):
            return None
        status = self.read(f"status {key}")
        if status is None:
            status = self._look(key, autoscaler)
            if self.read(f"status {key}") is not None:
                return API_CALL
        self.write(f"status {key}", None)
        if status != autoscaler.get("status"):
            self.api.update_status(AUTOSCALERS, replaced(autoscaler, status, "status"))
        return PERIOD

    # -- one look ----------------------------------------------------------------------------------------------------------
    def _look(self, key, autoscaler):
        """The new status; if the target was scaled, the status is kept to be written next."""
        namespace, target = split_key(key)[0], autoscaler["spec"]["scaleTargetRef"]
        row = by_kind().get((target.get("apiVersion", ""), target["kind"]))
        answer = self.api.fetch(row.qualified, namespace, target["name"], "scale") if row else None
        if not row or not answer.ok:
            return self._without_scale(autoscaler, answer.body["message"] if row else f"no matches for kind \"{target['kind']}\" in group \"\"")
        scale = answer.body
        current = at(scale, "spec", "replicas", default=0)
        status = {**autoscaler.get("status", {}), "observedGeneration": autoscaler["metadata"].get("generation", 1), "currentReplicas": current}
        status = self._told(status, "AbleToScale", True, *GOT_SCALE)
        wanted, why, status = self._wanted(key, autoscaler, scale, current, status)
        if wanted is None:
            return {**status, "desiredReplicas": status.get("desiredReplicas", 0)}
        status = {**status, "desiredReplicas": wanted}
        return self._rescale(key, autoscaler, row, scale, why, status) if wanted != current else status

    def _without_scale(self, autoscaler, error):
        self.event(autoscaler, "Warning", "FailedGetScale", error)
        text = f"the HPA controller was unable to get the target's current scale: {error}"
        return self._told({"desiredReplicas": 0, "currentMetrics": None, **autoscaler.get("status", {})}, "AbleToScale", False, "FailedGetScale", text)

    def _wanted(self, key, autoscaler, scale, current, status):
        """(replicas to have or None if nobody can tell, why, the status so far)"""
        spec = autoscaler["spec"]
        least, most = spec.get("minReplicas", 1), spec["maxReplicas"]
        if current == 0 and least != 0:
            return 0, "", self._told(status, "ScalingActive", False, *DISABLED)
        if current > most:
            return most, "Current number of replicas above Spec.MaxReplicas", status
        if current < least:
            return least, "Current number of replicas below Spec.MinReplicas", status
        return self._by_metrics(key, autoscaler, scale, current, status)

    def _by_metrics(self, key, autoscaler, scale, current, status):
        spec, namespace = autoscaler["spec"], split_key(key)[0]
        view = self._view(spec, namespace, scale, current)
        found, failures = [], []
        for metric in spec["metrics"]:
            try:
                found.append(proposal(view, metric, namespace))
            except Failure as failure:
                failures.append(failure)
                self.event(autoscaler, "Warning", failure.reason, str(failure))
        best = max(found, key=lambda one: one.replicas, default=None)
        status = {**status, "currentMetrics": [one.status for one in found] or None}
        if failures and (best is None or best.replicas < current):
            first = failures[0]
            summary = f"invalid metrics ({len(failures)} invalid out of {len(spec['metrics'])}), first error is: {first.summary}"
            self.event(autoscaler, "Warning", "FailedComputeMetricsReplicas", summary)
            return None, "", self._told(status, "ScalingActive", False, first.reason, f"the HPA was unable to compute the replica count: {first}")
        text = f"the HPA was able to successfully calculate a replica count from {best.name}"
        return self._decided(key, spec, current, best, self._told(status, "ScalingActive", True, "ValidMetricFound", text))

    def _decided(self, key, spec, current, best, status):
        """Hold back what would come too fast or too soon."""
        now = self.clock.now
        history = behavior.remembered(self.read(f"history {key}", {**NO_HISTORY, "recommendations": [[now, current]]}), now)
        decision = behavior.decide(spec, history, current, best.replicas, now)
        self.write(f"history {key}", {**history, "recommendations": [*history["recommendations"], [now, best.replicas]]})
        status = self._told(status, "AbleToScale", True, *decision.able)
        status = self._told(status, "ScalingLimited", decision.is_limited, *decision.limited)
        return decision.replicas, f"{best.name} above target" if decision.replicas > current else "All metrics below target", status

    def _rescale(self, key, autoscaler, row, scale, why, status):
        """PUT the target's scale."""
        wanted, current = status["desiredReplicas"], status["currentReplicas"]
        self.say("controller-manager", "ReconcileHorizontalPodAutoscaler", None, f"/registry/horizontalpodautoscalers/{key}", {
            "name": autoscaler["metadata"]["name"], "have": current, "wanted": wanted, "why": why})
        body = {**scale, "spec": {"replicas": wanted}}
        answer = self.api.about(autoscaler=autoscaler["metadata"]["name"], replicas=wanted).update(row.qualified, body, "scale")
        if not answer.ok:
            self.event(autoscaler, "Warning", "FailedRescale", f"New size: {wanted}; reason: {why}; error: {answer.body['message']}")
            text = f"the HPA controller was unable to update the target scale: {answer.body['message']}"
            status = self._told({**status, "desiredReplicas": current}, "AbleToScale", False, "FailedUpdateScale", text)
        else:
            self.event(autoscaler, "Normal", "SuccessfulRescale", f"New size: {wanted}; reason: {why}")
            text = f"the HPA controller was able to update the target scale to {wanted}"
            status = {**self._told(status, "AbleToScale", True, "SucceededRescale", text), "lastScaleTime": self.clock.timestamp()}
            self._remember(key, wanted - current)
        self.write(f"status {key}", status)
        return status

    def _remember(self, key, change):
        history, way = self.read(f"history {key}", NO_HISTORY), "up" if change > 0 else "down"
        self.write(f"history {key}", {**history, way: [*history[way], [self.clock.now, abs(change)]]})

    # -- what is known -----------------------------------------------------------------------------------------------------
    def _view(self, spec, namespace, scale, current):
        selector = at(scale, "status", "selector", default="")
        chosen = parse_label_selector(selector)
        pods = [pod for pod in self.api.list("pods", namespace) if chosen(pod["metadata"].get("labels"))]
        rules = spec.get("behavior") or {}
        tolerance = tuple(float(at(rules, way, "tolerance", default=TOLERANCE)) for way in ("scaleDown", "scaleUp"))
        return View(pods, self._metrics(namespace, selector), current, tolerance, self.clock)

    def _metrics(self, namespace, selector):
        """{Pod name: PodMetrics}, or why there are none."""
        try:
            answer = self.api.fetch_list(POD_METRICS, namespace, labelSelector=selector)
        except KeyError:
            return UNFETCHED
        return {one["metadata"]["name"]: one for one in answer.body["items"]} or NOTHING

    def _told(self, status, kind, holds, reason, message):
        """The status with a condition set; its time changes with its status only."""
        word, old = "True" if holds else "False", condition({"status": status}, kind)
        since = old["lastTransitionTime"] if old and old["status"] == word else self.clock.timestamp()
        new = {"type": kind, "status": word, "lastTransitionTime": since, "reason": reason, "message": message}
        return {**status, "conditions": set_condition(status.get("conditions"), new)}
