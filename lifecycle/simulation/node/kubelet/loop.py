"""One turn of a Pod's worker: notice what is new, go on with what takes time, or begin the next piece of work (pkg/kubelet/pod_workers.go)."""
from ...objects import is_deleting
from . import admission, hooks, pleg, pulling, sandbox, starting, sync, termination

COMPLETED = {"sandbox": sandbox.created, "pull": pulling.pulled, "create": starting.created, "start": starting.started, "postStart": hooks.post_started,
             "stop sandbox": lambda worker, step: 0}
WORK = {"sync": sync.advance, "terminating": termination.terminating, "unmounting": termination.unmounting, "terminated": termination.terminated, "done": termination.done}


def turn(worker):
    """Do the next thing; returns the ms after which to look again, or None."""
    _observe(worker)
    record = worker.record
    listing = pleg.due(worker, _wants(worker))
    if listing is not None and listing <= worker.now:
        pleg.relist(worker)
    wait = _next(worker)
    if worker.gone:
        return None
    return min((at for at in (wait, *_dates(worker)) if at is not None), default=None)


def _dates(worker):
    """ms until what comes by itself: the next listing, the next sync."""
    record = worker.record
    listing = pleg.due(worker, _wants(worker))
    if listing is not None:
        yield max(listing - worker.now, 0)
    if record["sync_at"] is not None and record["stage"] is None and record["step"] is None:
        yield max(record["sync_at"] - worker.now, 0)


def _observe(worker):
    """What changed in the Pod since the last turn."""
    record, generation = worker.record, worker.pod["metadata"].get("generation")
    if record["generation"] is None:
        admission.admit(worker)
    elif record["generation"] != generation:
        record["again"] = True
    record["generation"] = generation
    if not worker.exists or is_deleting(worker.pod):
        record["ending"] = True


def _wants(worker):
    """Whether a new piece of work is waiting to begin."""
    record = worker.record
    if record["step"] or record["stage"] is not None:
        return False
    return record["work"] in ("terminating", "terminated") or record["work"] == "sync" and (record["ending"] or sync.wanted(worker))


def _next(worker):
    record = worker.record
    step = record["step"]
    if step:
        if step["until"] > worker.now:
            return step["until"] - worker.now
        record["step"] = None
        return COMPLETED[step["do"]](worker, step)
    if record["work"] == "sync" and record["ending"] and (record["stage"] is None or record.get("mounting")):
        record.update(work="terminating", stage=None)
    if record["stage"] is None and record["work"] in ("sync", "terminating", "terminated"):
        if not _wants(worker) or not pleg.fresh(worker):
            return None
    return WORK[record["work"]](worker)
