"""How long a Job waits before it replaces a failed Pod (pkg/controller/job/backoff_utils.go).

A record is {"failures": since the last success, "last": ms of the last failure}, or None.
"""
from ....objects import condition
from ....timings import MINUTE, SECOND
from .indexes import failures_of

FIRST, LONGEST = 10 * SECOND, 10 * MINUTE


def finished(pod, clock):
    """When the Pod ended (virtual ms): its last container, else the Ready condition, else the deletion, else its creation."""
    ends = _container_ends(pod)
    if ends and all(ends):
        return max(map(clock.parse, ends))
    ready, meta = condition(pod, "Ready"), pod["metadata"]
    if ready is not None and ready["status"] == "False" and ready.get("lastTransitionTime"):
        return clock.parse(ready["lastTransitionTime"])
    if "deletionTimestamp" in meta:
        return clock.parse(meta["deletionTimestamp"]) - meta.get("deletionGracePeriodSeconds", 0) * SECOND
    return clock.parse(meta["creationTimestamp"])


def _container_ends(pod):
    """When each container ended, None for one that has not; sidecars end last, so they count too."""
    sidecars = {container["name"] for container in pod["spec"].get("initContainers") or () if container.get("restartPolicy") == "Always"}
    statuses = [*(pod["status"].get("containerStatuses") or ()),
                *(status for status in pod["status"].get("initContainerStatuses") or () if status["name"] in sidecars)]
    return [((status.get("state") or {}).get("terminated") or {}).get("finishedAt") for status in statuses]


def after(record, succeeded, failed, clock):
    """The record after these Pods have ended: a success starts the count anew."""
    times = [finished(pod, clock) for pod in failed]
    if not succeeded:
        return {"failures": (record or {"failures": 0})["failures"] + len(times), "last": max(times)} if times else record
    last_success = max(finished(pod, clock) for pod in succeeded)
    later = [time for time in times if time > last_success]
    return {"failures": len(later), "last": max(later)} if later else None


def remaining(record, clock):
    """Virtual ms until a new Pod may be created."""
    return _left(record["failures"], record["last"], clock) if record else 0


def remaining_of_index(last_failed, clock):
    """The same for one index; `last_failed` is its last failed Pod, or None."""
    return _left(sum(failures_of(last_failed)) + 1, finished(last_failed, clock), clock) if last_failed is not None else 0


def _left(failures, last, clock):
    return max(min(FIRST << min(failures - 1, 30), LONGEST) - (clock.now - last), 0) if failures else 0
