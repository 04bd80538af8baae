"""How many Pods a Job should run now (pkg/controller/job/job_controller.go manageJob)."""
from ..pod_bodies import pod_from_template
from ..replicaset.victims import victims
from . import backoff, failure_policy, indexes
from .judging import is_suspended
from .tracking_finalizer import FINALIZER, is_terminating, replaces_failed_only

BURST = 500                    # Pods created or deleted in one sync


def managed(job, tally, record, clock):
    """(what to create: indexes, or None for each Pod without; Pods to delete; virtual ms to wait before anything is created).

    `record` is the back-off as it will be when the Pods that have ended are counted.
    """
    active = len(tally.active)
    wanted = 0 if is_suspended(job) else _wanted(job, tally)
    surplus = _surplus(job, tally, max(active - wanted, 0), clock)
    if surplus or is_suspended(job):
        return [], surplus[:BURST], 0
    missing = wanted - active - (tally.terminating if replaces_failed_only(job) else 0)
    if missing <= 0:
        return [], [], 0
    per_index = indexes.counts_per_index(job)
    wait = 0 if per_index else backoff.remaining(record, clock)
    if wait:
        return [], [], wait
    if not indexes.is_indexed(job):
        return [None] * min(missing, BURST), [], 0
    found = indexes.pending(job, _taken(job, tally), min(missing, BURST))
    waits = {index: backoff.remaining_of_index(tally.delayed.get(index), clock) if per_index else 0 for index in found}
    ready = [index for index, wait in waits.items() if not wait]
    return ready, [], 0 if ready else min(waits.values(), default=0)


def _wanted(job, tally):
    """As many as may run side by side, but no more than there are completions left; without a number of completions nothing starts after a success."""
    parallelism, completions = job["spec"]["parallelism"], job["spec"].get("completions")
    if completions is None:
        return len(tally.active) if tally.succeeded else parallelism
    return max(min(completions - tally.succeeded, parallelism), 0)


def _taken(job, tally):
    """Indexes that have succeeded or failed for good, or have a Pod."""
    taken = tally.completed | (tally.lost or set()) | indexes.active_indexes(job, tally.active)
    if replaces_failed_only(job):
        taken |= {indexes.index_of(pod, job) for pod in tally.pods if is_terminating(pod)}
    return taken


def _surplus(job, tally, least, clock):
    """The Pods to delete: those with an index that another has too, then those that have come least far."""
    surplus, left = [], tally.active
    if indexes.is_indexed(job):
        surplus, by_index = indexes.duplicates(job, tally.active)
        left = []
        for pods in by_index.values():
            ranked = victims(pods, len(pods) - 1, (), clock) if len(pods) > 1 else []
            surplus += ranked
            left += [pod for pod in pods if pod not in ranked]
    return [*surplus, *victims(left, least - len(surplus), (), clock)] if least > len(surplus) else surplus


def new_pod(job, index, delayed):
    """The Pod to create; `index` is None unless the Job is Indexed; `delayed` as in Tally."""
    name, template = job["metadata"]["name"], job["spec"]["template"]
    pod = pod_from_template(template, job, None if index is None else f"{name[:_LONGEST - len(str(index)) - 2]}-{index}-")
    finalizers = pod["metadata"].get("finalizers") or []
    pod = {**pod, "metadata": {**pod["metadata"], "finalizers": finalizers if FINALIZER in finalizers else [*finalizers, FINALIZER]}}
    if index is None:
        return pod
    return indexes.with_index(pod, job, index, _failures(job, delayed.get(index)) if indexes.counts_per_index(job) else None)


_LONGEST = 58                  # what a generated name keeps of its prefix


def _failures(job, last):
    """The failures of an index, with that of its last Pod."""
    if last is None:
        return 0, 0
    counted, ignored = indexes.failures_of(last)
    return (counted + 1, ignored) if failure_policy.counts(job, last) else (counted, ignored + 1)
