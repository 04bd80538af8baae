"""Back-off of crashing containers (kuberuntime_manager.go doBackOff, client-go util/flowcontrol/backoff.go): 10 s doubling to 300 s.

A granted restart doubles the wait; a run that ended more than 600 s after the last grant starts it anew.
"""
from ..texts import go_duration

FIRST, LONGEST = 10_000, 300_000
FORGOTTEN = 2 * LONGEST


def after(entry, event_at, now):
    """The entry [wait ms, granted at ms] that follows `entry` (or None) when something is granted now, after an event at `event_at`."""
    if entry is None or event_at - entry[1] > FORGOTTEN:
        return [FIRST, now]
    return [min(2 * entry[0], LONGEST), now]


def until(entry, event_at):
    """The ms until which something is denied after an event at `event_at`."""
    if entry is None or event_at - entry[1] > FORGOTTEN:
        return event_at
    return event_at + entry[0]


def denied(worker, container):
    """[reason, message, ms of the end] if the container must not be started again yet, else None: and then the grant is noted."""
    last = _last_ended(worker, container["name"])
    if last is None:
        return None
    key = f"{container['name']} {container['image']}"
    entry, event_at = worker.record["backoff"].get(key), last["finished"]
    if until(entry, event_at) > worker.now:
        pod = f"{worker.key.name}_{worker.key.namespace}({worker.key.uid})"
        message = f"Back-off restarting failed container {container['name']} in pod {pod}"
        worker.event("Warning", "BackOff", message, container["name"], worker.spec_of(container)[1])
        return ["CrashLoopBackOff", f"back-off {go_duration(entry[0])} restarting failed container={container['name']} pod={pod}", until(entry, event_at)]
    worker.record["backoff"] = {**worker.record["backoff"], key: after(entry, event_at, worker.now)}
    return None


def _last_ended(worker, name):
    """The newest container of that name whose end was known when the sync began: one that this sync has killed does not count."""
    ended = [container for container in worker.runtime["containers"].values()
             if container["name"] == name and container["state"] == "exited" and container["finished"] <= worker.record["began"]]
    return ended[-1] if ended else None
