"""What happens to a Pod for which there is no node: it is told why, others may have to make room, and it waits (schedule_one.go handleSchedulingFailure)."""
from lifecycle.simulation.conditions import condition_patch, pod_condition

from . import preemption
from .diagnosis import sentence, shortened

NO_CLAIMS = "no new claims to deallocate"       # what the DynamicResources plugin says after Filter, even of Pods without such claims
NOT_FILTERED = "not found"                      # what it says of a Pod that was rejected before Filter


class Failure:
    """Acts on behalf of the scheduler component."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def record(self, info, view, diagnosis):
        """Put the Pod aside, say why, and start to make room if that is possible."""
        scheduler, nodes = self.scheduler, len(view.nodes)
        attempt = preemption.Attempt(None) if diagnosis.whole or not nodes else preemption.attempt(info, diagnosis, view, scheduler.random)
        message = sentence(nodes, diagnosis, _after(diagnosis, attempt))
        candidate = attempt.candidate
        victims = [victim for victim in candidate.victims if not victim.terminating] if candidate else []
        scheduler.waiting.fail(info, diagnosis.plugins, bool(victims))
        self.tell(info.pod, "Unschedulable", message, candidate.node if candidate else "" if attempt.clear else None)
        if victims:
            scheduler.victims.start(info, candidate, victims)

    def tell(self, pod, reason, message, nominated=None):
        """An Event, and the condition PodScheduled if it says something new. `nominated` is the node that will have room, "" to take back an earlier
        nomination, None to leave it as it is."""
        scheduler, meta = self.scheduler, pod["metadata"]
        scheduler.event(pod, "Warning", "FailedScheduling", shortened(message))
        status = condition_patch(pod, pod_condition(pod, "PodScheduled", "False", reason, message, scheduler.clock.timestamp()))
        if nominated is not None and nominated != (pod["status"].get("nominatedNodeName") or ""):
            status = {**status, "nominatedNodeName": nominated or None}
        if status:
            scheduler.about(pod).patch("pods", meta["namespace"], meta["name"], {"status": status}, "status")


def _after(diagnosis, attempt):
    """What the PostFilter plugins had to say."""
    if attempt.candidate:
        return ""
    if diagnosis.whole:
        return NOT_FILTERED
    return f"{NO_CLAIMS}, preemption: {attempt.message}"
