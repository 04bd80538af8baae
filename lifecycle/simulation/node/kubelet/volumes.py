"""Volumes of a Pod: everything is mounted before the sandbox is made, and unmounted after it is gone (pkg/kubelet/volumemanager).

`mounted` in the worker's record: names of mounted volumes; `mounting`, while some are not: {"began": ms, "tokens": whether they were asked for,
"failures": {volume: [times, ms of the next try]}, "done": ms at which the last one was mounted}.
"""
from ...timings import API_CALL
from ..durations import MOUNTING, VOLUME_POLL
from . import claims, volume_sources

FIRST_RETRY, LONGEST_RETRY = 500, 122_000          # pkg/util/goroutinemap/exponentialbackoff
ATTACH_WAIT = 600_000                              # the attachment's watch wakes the worker much earlier
FAILED = object()                                  # the sync ends here, with an error


def wanted(worker):
    """Whether volumes are to be mounted, and nothing was done about it yet."""
    return worker.record.get("mounting") is None and len(worker.record["mounted"]) < len(worker.spec.get("volumes", ()))


def begin(worker):
    """Begin to mount; returns ms until the first step."""
    worker.record["mounting"] = {"began": worker.now, "tokens": False, "failures": {}}
    return MOUNTING


def mount(worker):
    """Mount what is missing. Returns ms until the next step, FAILED, or None when every volume is mounted and the kubelet has seen it."""
    if wanted(worker):
        return begin(worker)
    mounting = worker.record.get("mounting")
    if mounting is None:
        return None
    left = mounting["began"] + MOUNTING - worker.now
    if left > 0:
        return left
    if not mounting["tokens"]:
        worker.record["mounting"] = {**mounting, "tokens": True}
        if volume_sources.request_token(worker):
            return API_CALL
    return claims.report_in_use(worker) or _try(worker)


def _try(worker):
    volumes = worker.spec.get("volumes", ())
    waits = [wait for volume in volumes if volume["name"] not in worker.record["mounted"] and (wait := _attempt(worker, volume)) is not None]
    problems = [(volume["name"], problem) for volume in volumes if (problem := claims.problem(worker, volume))]
    if problems:
        return _fail(worker, problems)
    if waits:
        return min(waits)
    mounting = worker.record["mounting"]
    began, done = mounting["began"], mounting.get("done", worker.now)
    worker.record["mounting"] = {**mounting, "done": done}
    seen = began + -(-(done - began) // VOLUME_POLL) * VOLUME_POLL
    if seen > worker.now:
        return seen - worker.now
    worker.record["mounting"] = None
    return None


def _fail(worker, problems):
    """Claims that cannot be used end the sync."""
    names, first = [name for name, _ in problems], problems[0][1]
    listed = " ".join(names)
    message = f"unmounted volumes=[{listed}], unattached volumes=[], failed to process volumes=[{listed}]: {first}"
    worker.event("Warning", "FailedMount", f"Unable to attach or mount volumes: {message}")
    worker.record.update(mounting=None, volume_error=message)
    return FAILED


def _attempt(worker, volume):
    """Try one volume; returns None if it is mounted now, or if its claim is at fault, else ms until the next attempt."""
    mounting, name = worker.record["mounting"], volume["name"]
    if claims.problem(worker, volume):
        return None
    failed = mounting["failures"].get(name)
    if failed and failed[1] > worker.now:
        return failed[1] - worker.now
    problem = volume_sources.mount(worker, volume)
    if problem is None:
        worker.record["mounted"] = [*worker.record["mounted"], name]
        return None
    if problem is volume_sources.WAITING:
        return ATTACH_WAIT
    worker.event("Warning", "FailedMount", problem)
    times = failed[0] if failed else 0
    wait = min(FIRST_RETRY << times, LONGEST_RETRY)
    worker.record["mounting"] = {**mounting, "failures": {**mounting["failures"], name: [times + 1, worker.now + wait]}}
    return wait


def unmount(worker):
    """Undo every mount."""
    released = []
    for volume in worker.spec.get("volumes", ()):
        if volume["name"] in worker.record["mounted"]:
            released.append(volume_sources.unmount(worker, volume))
    worker.record.update(mounted=[], mounting=None)
    if any(released):
        claims.release(worker, released)
