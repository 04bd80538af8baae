"""Volumes of a Pod: everything is mounted before the sandbox is made, and unmounted after it is gone (pkg/kubelet/volumemanager).

`mounted` in the worker's record: names of mounted volumes; `mounting`: {"began": ms, "tokens": done, "failures": {volume: [times, next try ms]}} while they are not.
"""
from ...timings import API_CALL
from ..durations import MOUNTING, VOLUME_POLL
from . import volume_sources

FIRST_RETRY, LONGEST_RETRY = 500, 122_000          # pkg/util/goroutinemap/exponentialbackoff


def mount(worker):
    """Mount what is missing. Returns ms until the next step, or None when every volume is mounted and the kubelet has seen it."""
    wanted = worker.spec.get("volumes", ())
    mounting = worker.record.get("mounting")
    if mounting is None:
        if len(worker.record["mounted"]) == len(wanted):
            return None
        worker.record["mounting"] = mounting = {"began": worker.now, "tokens": False, "failures": {}}
    left = mounting["began"] + MOUNTING - worker.now
    if left > 0:
        return left
    if not mounting["tokens"]:
        worker.record["mounting"] = {**mounting, "tokens": True}
        if volume_sources.request_token(worker):
            return API_CALL
    return _try(worker, wanted)


def _try(worker, wanted):
    mounted = set(worker.record["mounted"])
    due = [_attempt(worker, volume) for volume in wanted if volume["name"] not in mounted]
    waits = [wait for wait in due if wait is not None]
    if waits:
        return min(waits)
    began = worker.record["mounting"]["began"]
    seen = began + -(-(worker.now - began) // VOLUME_POLL) * VOLUME_POLL
    if seen > worker.now:
        return seen - worker.now
    worker.record["mounting"] = None
    return None


def _attempt(worker, volume):
    """Try one volume; returns None if it is mounted now, else ms until the next attempt."""
    mounting, name = worker.record["mounting"], volume["name"]
    failed = mounting["failures"].get(name)
    if failed and failed[1] > worker.now:
        return failed[1] - worker.now
    problem = volume_sources.mount(worker, volume)
    if problem is None:
        worker.record["mounted"] = [*worker.record["mounted"], name]
        return None
    if problem:
        worker.event("Warning", "FailedMount", problem)
    times = failed[0] if failed else 0
    wait = min(FIRST_RETRY << times, LONGEST_RETRY)
    worker.record["mounting"] = {**mounting, "failures": {**mounting["failures"], name: [times + 1, worker.now + wait]}}
    return wait


def unmount(worker):
    """Undo every mount."""
    for volume in worker.spec.get("volumes", ()):
        if volume["name"] in worker.record["mounted"]:
            volume_sources.unmount(worker, volume)
    worker.record.update(mounted=[], mounting=None)
