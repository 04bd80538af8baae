"""Whether a Job has come to its end, and why (pkg/controller/job/job_controller.go syncJob)."""
from ....objects import condition
from ....timings import SECOND
from . import failure_policy, indexes, success_policy
from .tracking_finalizer import is_failed

SUCCESS, FAILURE, COMPLETE, FAILED, SUSPENDED = "SuccessCriteriaMet", "FailureTarget", "Complete", "Failed", "Suspended"
REACHED = ("CompletionsReached", "Reached expected number of succeeded pods")
TOO_OFTEN = ("BackoffLimitExceeded", "Job has reached the specified backoff limit")
TOO_LONG = ("DeadlineExceeded", "Job was active longer than specified deadline")
TOO_MANY_INDEXES = ("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes")
LOST_INDEXES = ("FailedIndexes", "Job has failed indexes")


def has(job, kind):
    """Whether the Job has a condition of a type, and it is True."""
    found = condition(job, kind)
    return found is not None and found["status"] == "True"


def is_finished(job):
    return has(job, COMPLETE) or has(job, FAILED)


def is_suspended(job):
    return bool(job["spec"].get("suspend"))


def verdict(job, tally, clock):
    """(SUCCESS or FAILURE, reason, message) if the Job has come to its end, else None. What was said once stays said."""
    for kind in (SUCCESS, FAILURE):
        if has(job, kind):
            found = condition(job, kind)
            return kind, found.get("reason", ""), found.get("message", "")
    failure = _policy(job, tally) or _limits(job, tally, clock) or _indexes(job, tally)
    if failure:
        return FAILURE, *failure
    matched = success_policy.met(job, tally.completed)
    return (SUCCESS, "SuccessPolicy", matched) if matched else None


def _policy(job, tally):
    for pod in tally.pods if job["spec"].get("podFailurePolicy") else ():
        action, message = failure_policy.verdict(job, pod) if is_failed(pod, job) else (None, None)
        if action == failure_policy.FAIL_JOB:
            return "PodFailurePolicy", message
    return None


def _limits(job, tally, clock):
    if tally.failed > job["spec"]["backoffLimit"] or _restarted_too_often(job, tally.pods):
        return TOO_OFTEN
    left = deadline_in(job, clock)
    return TOO_LONG if left is not None and left <= 0 else None


def _restarted_too_often(job, pods):
    """With restartPolicy OnFailure the restarts of containers count, and the limits 0 and 1 are the same."""
    if job["spec"]["template"]["spec"].get("restartPolicy") != "OnFailure":
        return False
    statuses = [status for pod in pods if pod["status"].get("phase") in ("Pending", "Running")
                for kind in ("initContainerStatuses", "containerStatuses") for status in pod["status"].get(kind) or ()]
    return sum(status.get("restartCount", 0) for status in statuses) >= max(job["spec"]["backoffLimit"], 1)


def deadline_in(job, clock):
    """In how many virtual ms `activeDeadlineSeconds` will have passed, or None if they do not count."""
    started, limit = (job.get("status") or {}).get("startTime"), job["spec"].get("activeDeadlineSeconds")
    return None if limit is None or started is None or is_suspended(job) else limit * SECOND - clock.since(started)


def _indexes(job, tally):
    if not tally.lost:
        return None
    most = job["spec"].get("maxFailedIndexes")
    if most is not None and len(tally.lost) > most:
        return TOO_MANY_INDEXES
    return LOST_INDEXES if len(tally.lost | tally.completed) >= job["spec"]["completions"] and indexes.counts_per_index(job) else None


def is_complete(job, tally, active):
    """Whether as many Pods have succeeded as the Job wants, and none is left that runs."""
    wanted = job["spec"].get("completions")
    return not active and (tally.succeeded > 0 if wanted is None else tally.succeeded >= wanted)
