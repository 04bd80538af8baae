"""One turn of a Pod's worker: notice what is new, go on with what takes time, or begin the next piece of work (pkg/kubelet/pod_workers.go)."""
from ...objects import is_deleting, is_terminal
from ...timings import API_CALL
from . import admission, deadline, hooks, pleg, sandbox, starting, status, sync, termination

COMPLETED = {"sandbox": sandbox.created, "pull": starting.pulled, "create": starting.created, "start": starting.started, "postStart": hooks.post_started,
             "stop sandbox": lambda worker, step: 0, "resize": lambda worker, step: 0}
WORK = {"sync": sync.advance, "terminating": termination.terminating, "unmounting": termination.unmounting, "terminated": termination.terminated,
        "done": termination.done}
GATED = ("sync", "terminating", "terminated")          # work that begins only with a fresh list of what runs


def turn(worker):
    """Do the next thing; returns the ms after which to look again, or None. Whatever writes to the API is the last thing of a turn."""
    if status.catch_up(worker):
        return API_CALL
    if _observe(worker) and not worker.record["ending"] and not is_terminal(worker.pod) and not admission.admit(worker):
        return None
    listing = pleg.due(worker, _wants(worker))
    if listing is not None and listing <= worker.now:
        pleg.relist(worker)
    wait = _next(worker)
    while wait == 0 and not worker.gone:
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
    if record["sync_at"] is not None and record["sync_at"] > worker.now and record["stage"] is None and record["step"] is None:
        yield record["sync_at"] - worker.now          # one that is due already waits for the listing only
    yield deadline.remaining(worker)


def _observe(worker):
    """Note what changed in the Pod since the last turn; returns whether it is new to this node."""
    record, generation = worker.record, worker.pod["metadata"].get("generation")
    new = record["generation"] is None
    if not new and record["generation"] != generation:
        record["again"] = True
    record["generation"] = generation
    if not worker.exists or is_deleting(worker.pod):
        record["ending"] = True
    deadline.look(worker)
    return new


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
    if record["stage"] is None and record["work"] in GATED and not (_wants(worker) and pleg.fresh(worker)):
        return None
    return WORK[record["work"]](worker)
