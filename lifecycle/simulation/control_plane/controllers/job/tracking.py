"""How ended Pods get into a Job's status: named as uncounted, then let go of, then counted, so that none is counted twice or never
(pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers)."""
from ....objects import is_deleting
from . import failure_policy, indexes
from .judging import COMPLETE, FAILED, FAILURE, SUCCESS
from .tracking_finalizer import is_failed, is_tracked

MOST_UNCOUNTED = 500
FIELDS = ("conditions", "startTime", "completionTime", "active", "succeeded", "failed", "terminating", "completedIndexes", "failedIndexes",
          "uncountedTerminatedPods", "ready")
ALWAYS = ("terminating", "uncountedTerminatedPods", "ready", "failedIndexes")
FINAL = {SUCCESS: COMPLETE, FAILURE: FAILED}


def job_status(fields):
    """A status in the order in which Kubernetes writes it, without what is empty."""
    return {name: fields[name] for name in FIELDS if fields.get(name) or name in ALWAYS and fields.get(name) is not None}


def with_condition(conditions, now, kind, status, reason, message):
    """`conditions` with one that says this; unchanged if one of its type does already, and if False would be said of what never was True."""
    known = next((each for each in conditions if each["type"] == kind), None)
    if known is None and status == "False" or known is not None and (known["status"], known["reason"], known["message"]) == (status, reason, message):
        return conditions
    new = {"type": kind, "status": status, "lastProbeTime": now, "lastTransitionTime": now, "reason": reason, "message": message}
    return [new if each is known else each for each in conditions] if known is not None else [*conditions, new]


def counted(status, pods):
    """The status after the uncounted Pods that lost their finalizer, or are gone, went into the numbers."""
    tracked = {pod["metadata"]["uid"] for pod in pods if is_tracked(pod)}
    uncounted, numbers = status.get("uncountedTerminatedPods") or {}, {}
    for kind in ("succeeded", "failed"):
        left = [uid for uid in uncounted.get(kind) or () if uid in tracked]
        numbers[kind] = status.get(kind, 0) + len(uncounted.get(kind) or ()) - len(left)
        uncounted = {**{name: uids for name, uids in uncounted.items() if name != kind}, **({kind: left} if left else {})}
    return {**status, **numbers, "uncountedTerminatedPods": {kind: uncounted[kind] for kind in ("succeeded", "failed") if kind in uncounted}}


def tracked(job, tally, ending):
    """(the status with all Pods that have ended named as uncounted, names of the Pods to let go of). `ending` is the verdict on the Job, or None."""
    status = counted(job.get("status") or {}, tally.pods)
    uncounted = {kind: list(status["uncountedTerminatedPods"].get(kind, ())) for kind in ("succeeded", "failed")}
    release = []
    for pod in _in_order(job, tally.pods):
        if not is_tracked(pod) or not _may_let_go(job, tally, pod, ending):
            continue
        release.append(pod["metadata"]["name"])
        kind, uid = _counts_as(job, pod, ending), pod["metadata"]["uid"]
        if kind and uid not in uncounted[kind]:
            uncounted[kind].append(uid)
        if len(uncounted["succeeded"]) + len(uncounted["failed"]) >= MOST_UNCOUNTED:
            break
    status["uncountedTerminatedPods"] = {kind: uids for kind, uids in uncounted.items() if uids}
    if indexes.is_indexed(job):
        status |= {"succeeded": len(tally.completed), "completedIndexes": indexes.written(tally.completed)}
        if tally.lost is not None:
            status["failedIndexes"] = indexes.written(tally.lost)
    return status, release


def _in_order(job, pods):
    return sorted(pods, key=lambda pod: -1 if (index := indexes.index_of(pod, job)) is None else index) if indexes.is_indexed(job) else pods


def _may_let_go(job, tally, pod, ending):
    if is_deleting(job) or ending or pod["status"].get("phase") == "Succeeded":
        return True
    return is_failed(pod, job) and not any(pod is kept for kept in tally.delayed.values())


def _counts_as(job, pod, ending):
    """"succeeded", "failed" or None; when a Job fails, every Pod that is left has failed. Succeeded Pods with an index are known by it."""
    indexed = indexes.is_indexed(job)
    if pod["status"].get("phase") == "Succeeded":
        return None if indexed else "succeeded"
    if not (is_failed(pod, job) or ending and ending[0] == FAILURE) or indexed and indexes.index_of(pod, job) is None:
        return None
    return "failed" if failure_policy.counts(job, pod) else None


def finished_status(status, ending, now):
    """The status with the last word on the Job, or None while Pods are uncounted or still terminating."""
    if any(status["uncountedTerminatedPods"].values()) or status.get("terminating"):
        return None
    kind, reason, message = ending
    done = {"completionTime": now} if kind == SUCCESS else {}
    return {**status, "conditions": with_condition(status.get("conditions") or [], now, FINAL[kind], "True", reason, message), **done}
