"""The finalizer that keeps a Job's Pod until the Job has counted it (pkg/controller/job/tracking_utils.go)."""
from ....objects import is_deleting, is_terminal

FINALIZER = "batch.kubernetes.io/job-tracking"
REMOVAL = {"metadata": {"$deleteFromPrimitiveList/finalizers": [FINALIZER]}}        # a strategic merge patch


def is_tracked(pod):
    """Whether the Pod has not been counted yet."""
    return FINALIZER in (pod["metadata"].get("finalizers") or ())


def replaces_failed_only(job):
    """Whether a Pod is replaced only when it has ended, not as soon as it is being deleted."""
    return job["spec"].get("podReplacementPolicy") == "Failed" or job["spec"].get("podFailurePolicy") is not None


def is_failed(pod, job):
    """Whether the Pod counts as failed: also one that is being deleted, unless only Pods that have ended are replaced."""
    phase = pod["status"].get("phase")
    return phase == "Failed" or is_deleting(pod) and phase != "Succeeded" and not replaces_failed_only(job)


def is_terminating(pod):
    return is_deleting(pod) and not is_terminal(pod)
