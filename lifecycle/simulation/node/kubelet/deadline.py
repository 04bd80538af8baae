"""spec.activeDeadlineSeconds: a Pod that is active longer than it may be is stopped and Failed (pkg/kubelet/active_deadline.go)."""
from ...objects import is_terminal

SECOND = 1000
REASON, MESSAGE = "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"


def remaining(worker):
    """ms until the Pod's deadline, or None."""
    limit = worker.spec.get("activeDeadlineSeconds")
    if limit is None or worker.record["work"] != "sync" or worker.record.get("failed"):
        return None
    return max(worker.record["since"] + limit * SECOND - worker.now, 0)


def look(worker):
    """Fail the Pod when its deadline has passed."""
    if remaining(worker) == 0 and not is_terminal(worker.pod):
        worker.event("Normal", REASON, MESSAGE)
        worker.record.update(failed=[REASON, MESSAGE], again=True)
