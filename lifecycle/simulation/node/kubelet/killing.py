"""Stopping containers: preStop, the order of sidecars, one StopContainer each (pkg/kubelet/kuberuntime: killContainer, termination order).

Stops that are under way are kept in `kills` of the worker's record: {container id: {"name", "at" (ms at which it was asked for), "grace" (ms),
"hook": {"ends", "failed"} or None, "hook_over" (ms) or None, "called" (StopContainer has been sent)}}.
"""
from ..durations import STOPPED
from . import hooks
from .resizing import needs_restart

SECOND = 1000
LEAST = 2 * SECOND                 # what a container gets at least between SIGTERM and SIGKILL, whatever is left of the grace
PROBES = {"liveness": "livenessProbe", "startup": "startupProbe"}


def unwanted(worker):
    """(container, message of the event, grace in ms) of a running container that is to be replaced, or None."""
    for field in ("initContainers", "containers"):
        for spec in worker.spec.get(field, ()):
            container = worker.container(spec["name"])
            if container and container["state"] == "running":
                why = _why(worker, spec, container, field)
                if why:
                    return container, *why
    return None


def _why(worker, spec, container, field):
    """(message, grace in ms) if a running container must go, else None."""
    what = f"{'Init container' if field == 'initContainers' else 'Container'} {spec['name']}"
    if container["asked_image"] != spec["image"]:
        return f"{what} definition changed, will be restarted", worker.grace() * SECOND
    if needs_restart(spec, container):
        return f"{what} resize requires restart", worker.grace() * SECOND
    results = worker.record["results"].get(container["id"], {})
    for kind, probe in PROBES.items():
        if results.get(kind + " failed"):
            restarted = "" if field == "initContainers" or worker.spec.get("restartPolicy") == "Never" else ", will be restarted"
            return f"{what} failed {kind} probe{restarted}", spec[probe].get("terminationGracePeriodSeconds", worker.grace()) * SECOND
    return None


def kill(worker, victim):
    """Stop one container within a sync, and wait for it; returns ms until the next step."""
    if victim and victim[0]["id"] not in worker.record["kills"]:
        worker.say("kubelet", "KillContainer", None, container=victim[0]["name"], message=victim[1])
        begin(worker, *victim)
    waiting = advance(worker)
    return 0 if waiting is None else waiting


def begin(worker, container, message, grace):
    """Ask for a container's stop: the event, and the preStop hook at once."""
    spec, field = worker.spec_of(container)
    worker.event("Normal", "Killing", message or f"Stopping container {container['name']}", container["name"], field)
    handler = (spec.get("lifecycle") or {}).get("preStop")
    hook = hooks.outcome(worker, container, handler) if handler and grace > 0 else None
    if hook:
        worker.say("cri" if "exec" in handler else "kubelet", "RunPreStopHook", None, container=container["name"], hook=handler)
    worker.record["kills"] = {**worker.record["kills"], container["id"]: {
        "name": container["name"], "at": worker.now, "grace": grace, "hook": hook, "called": False}}


def kill_order(containers):
    """Running containers in the order in which their stops are asked for: main containers, then sidecars from the last one."""
    return [*(one for one in containers if not one["init"]), *(one for one in reversed(containers) if one["init"])]


def advance(worker, ordered=False):
    """Go on with the stops under way. Returns ms until the next step, or None when all have returned. `ordered`: sidecars wait for their turn."""
    waits = []
    for identity, stop in worker.record["kills"].items():
        wait, stop = _step(worker, worker.runtime["containers"].get(identity), stop, ordered)
        waits.append(wait)
        # Kept at once: where one stop has returned, the turn of the next has come.
        others = {other: one for other, one in worker.record["kills"].items() if other != identity}
        worker.record["kills"] = {**worker.record["kills"], identity: stop} if stop else others
    return min([wait for wait in waits if wait is not None], default=60 * SECOND) if worker.record["kills"] else None


def _step(worker, container, stop, ordered):
    """(ms until this stop needs attention, or None if the runtime will wake us; the stop as it goes on, or None when StopContainer has returned)."""
    if container is None:
        return None, None
    if container["state"] != "running":
        returned = container["finished"] + STOPPED
        return (returned - worker.now, stop) if returned > worker.now else (None, _hook_broken(worker, stop, container))
    if stop["called"]:
        return None, stop
    due = _due(worker, container, stop, ordered)
    if due > worker.now:
        return due - worker.now, stop
    return None, _call(worker, container, stop)


def _due(worker, container, stop, ordered):
    """When StopContainer is to be called: the hook is over, and it is this container's turn, or the grace has run out."""
    deadline = stop["at"] + stop["grace"]
    hook = stop["hook"]
    ready = stop["at"] if hook is None else deadline if hook["ends"] is None else min(hook["ends"], deadline)
    if ordered and ready <= worker.now and _must_wait(worker, container):
        return deadline
    return ready


def _must_wait(worker, container):
    """A sidecar's turn comes when all main containers and the sidecars after it have exited (kuberuntime_termination_order.go)."""
    inits = [spec["name"] for spec in worker.spec.get("initContainers", ())]
    if container["name"] not in inits:
        return False
    before = {*inits[inits.index(container["name"]) + 1:], *(spec["name"] for spec in worker.spec["containers"])}
    return any(stop["name"] in before for stop in worker.record["kills"].values())


def _call(worker, container, stop):
    """StopContainer with what is left of the grace, in whole seconds."""
    spent = (worker.now - stop["at"]) // SECOND * SECOND
    timeout = max(stop["grace"] - spent, LEAST)
    hook = stop["hook"]
    if hook and hook["ends"] is not None and hook["ends"] <= worker.now and hook["failed"]:
        _failed_hook(worker, stop)
        stop = {**stop, "hook": None}
    worker.say("cri", "StopContainer", f"StopContainer {container['id'][:12]}", container=container["name"], timeout=timeout // SECOND)
    worker.kubelet.runtime.stop_container(worker.key, container, timeout)
    return {**stop, "called": True}


def _hook_broken(worker, stop, container):
    """StopContainer has returned; a hook that still ran died with the container."""
    hook = stop["hook"]
    if hook and (hook["ends"] is None or hook["ends"] > container["finished"] or not stop["called"] and hook["failed"]):
        _failed_hook(worker, stop)


def _failed_hook(worker, stop):
    worker.event("Warning", "FailedPreStopHook", "PreStopHook failed", stop["name"], worker.spec_of(stop)[1])
