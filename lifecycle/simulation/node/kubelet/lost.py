"""What becomes of a status when the kubelet gives a Pod up: nothing stays undecided (pkg/kubelet/status/status_manager.go TerminatePod)."""
from ...objects import is_deleting

LOST = {"exitCode": 137, "reason": "ContainerStatusUnknown", "message": "The container could not be located when the pod was terminated",
        "startedAt": None, "finishedAt": None}
REMOVED = {**LOST, "message": "The container could not be located when the pod was deleted.  The container used to be Running"}


def removed(pod, before):
    """(lastState, restartCount) of a container that the runtime does not have, by its last status (pkg/kubelet/kubelet_pods.go)."""
    if "running" not in before["state"]:
        return before["lastState"], before["restartCount"]
    return {"terminated": REMOVED}, before["restartCount"] + (not is_deleting(pod))


def given_up(spec, statuses, phase):
    """(statuses, phase) in which every container has ended and the phase is final."""
    inits, mains = statuses.get("initContainerStatuses", ()), statuses.get("containerStatuses", ())
    result = dict(statuses)
    if inits:
        result["initContainerStatuses"] = [*map(_ended, inits[:_initialized(inits)]), *inits[_initialized(inits):]]
    if not inits or _any_ran(mains) or all(status["ready"] for status in inits):
        result["containerStatuses"] = [_ended(status) for status in mains]
    return result, phase if phase in ("Succeeded", "Failed") else "Failed"


def _any_ran(statuses):
    return any("running" in status["state"] or "terminated" in status["state"] or status["lastState"] for status in statuses)


def _initialized(statuses):
    """How many init containers, from the first, stand before the last that shows any sign of a start."""
    return max((number + 1 for number, status in enumerate(statuses) if _any_ran([status])), default=0)


def _ended(status):
    if "terminated" in status["state"]:
        return status
    return {**status, "state": {"terminated": LOST}, "ready": False, "started": False}
