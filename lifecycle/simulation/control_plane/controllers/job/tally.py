"""The Pods of a Job, counted: what every decision about it is made from (pkg/controller/job/job_controller.go syncJobCtx)."""
from typing import NamedTuple

from ....objects import is_active, is_ready
from . import failure_policy, indexes
from .backoff import finished
from .tracking_finalizer import is_failed, is_terminating, is_tracked


class Tally(NamedTuple):
    """`pods`: all of the Job; `active` those that neither have ended nor are being deleted; `new_succeeded` and `new_failed` those that the status does not
    know of yet; `succeeded` and `failed` the numbers with them.

    Of an Indexed Job: `completed` and `lost` are sets of indexes (`lost` None unless failures are counted per index); `delayed` is {index: its last failed
    Pod, which is kept until its successor is there}.
    """

    pods: list
    active: list
    ready: int
    terminating: int
    new_succeeded: list
    new_failed: list
    succeeded: int
    failed: int
    completed: set
    lost: set | None
    delayed: dict


def tally_of(job, pods, clock):
    """The Tally of a Job and the Pods that it controls."""
    status, active = job.get("status") or {}, [pod for pod in pods if is_active(pod)]
    uncounted = status.get("uncountedTerminatedPods") or {}
    known = {kind: uncounted.get(kind) or () for kind in ("succeeded", "failed")}
    fresh = [pod for pod in pods if is_tracked(pod) and (not indexes.is_indexed(job) or indexes.index_of(pod, job) is not None)]
    new_succeeded = [pod for pod in fresh if pod["status"].get("phase") == "Succeeded" and pod["metadata"]["uid"] not in known["succeeded"]]
    new_failed = [pod for pod in fresh if is_failed(pod, job) and pod["metadata"]["uid"] not in known["failed"]]
    succeeded = status.get("succeeded", 0) + len(new_succeeded) + len(known["succeeded"])
    failed = status.get("failed", 0) + sum(failure_policy.counts(job, pod) for pod in new_failed) + len(known["failed"])
    completed, lost = _indexes(job, status, fresh)
    delayed = _delayed(job, new_failed, completed | (lost or set()) | indexes.active_indexes(job, active), clock) if lost is not None else {}
    return Tally(pods, active, sum(map(is_ready, active)), sum(map(is_terminating, pods)), new_succeeded, new_failed,
                 len(completed) if indexes.is_indexed(job) else succeeded, failed, completed, lost, delayed)


def _indexes(job, status, fresh):
    """(indexes that have succeeded, those that have failed for good or None)."""
    if not indexes.is_indexed(job):
        return set(), None
    limit = job["spec"]["completions"]
    completed = indexes.parsed(status.get("completedIndexes"), limit) | {
        indexes.index_of(pod, job) for pod in fresh if pod["status"].get("phase") == "Succeeded"}
    if not indexes.counts_per_index(job):
        return completed, None
    lost = {indexes.index_of(pod, job) for pod in fresh if is_failed(pod, job) and _loses_index(job, pod)}
    return completed, indexes.parsed(status.get("failedIndexes"), limit) | lost


def _loses_index(job, pod):
    action, _ = failure_policy.verdict(job, pod)
    if action == failure_policy.FAIL_INDEX:
        return True
    return action != failure_policy.IGNORE and indexes.failures_of(pod)[0] >= job["spec"]["backoffLimitPerIndex"]


def _delayed(job, failed, settled, clock):
    """The last failed Pod of each index that is neither settled nor running again."""
    found = {}
    for pod in sorted(failed, key=lambda pod: (sum(indexes.failures_of(pod)), finished(pod, clock))):
        if indexes.index_of(pod, job) not in settled:
            found[indexes.index_of(pod, job)] = pod
    return found
