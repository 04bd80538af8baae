"""What befalls containers from outside: their program crashes, everything in them stands still, their machine loses its power.

In a container's record: "dies" ([ms, code, reason] of a crash), "hung" (ms since which it stands still), "waiting" (signals that came since), "thawed" (ms at
which it last went on). Only SIGKILL reaches a container that stands still, as with the freezer of cgroups.
"""
from .. import broken
from .programs import KILLED, End


def crash(runtime, pod, container, code, reason):
    """The container's first process ends now, and everything in the container with it."""
    container = runtime.change(pod, container, dies=[runtime.clock.now, code, reason])
    runtime.put_in(pod, container, "signal", "KILL")


def hang(runtime, pod, container, hung):
    """Everything in the container stands still, or goes on and notices what has come meanwhile."""
    if bool(container.get("hung")) == hung:
        return
    told = {"pod": f"{pod.namespace}/{pod.name}", "container": container["name"]}
    broken.write(runtime.etcd, f"hung {container['id']}", told if hung else None)
    now, waiting = runtime.clock.now, container.get("waiting", [])
    container = runtime.change(pod, container, hung=now if hung else None, waiting=[], thawed=None if hung else now)
    for signal in waiting:
        container = runtime.put_in(pod, container, "signal", signal)
    runtime.look(pod)
    runtime.cluster.components["prober"].look(pod)


def recover(runtime, pod, since):
    """After a restart of the machine, whose power failed at `since` (ms): what ran has ended, nobody knows how; the sandbox is only a record."""
    record, now = runtime.of(pod), runtime.clock.now
    lost = {identity: container for identity, container in record["containers"].items() if container["state"] == "running"}
    for container in lost.values():
        forget(runtime, container)
    found = {**record["containers"], **{identity: _lost(container, since, now) for identity, container in lost.items()}}
    sandbox = record["sandbox"]
    if sandbox and sandbox["state"] == "ready":
        sandbox = {**sandbox, "state": "lost"}
    runtime.keep(pod, {**record, "sandbox": sandbox, "containers": found})
    runtime.cluster.components["streaming"].look(pod)


def _lost(container, since, now):
    return {**container, "state": "exited", "finished": now, "code": 255, "reason": "Unknown", "inputs": [*container["inputs"], [since, "signal", "KILL"]]}


def is_missed(container, kind, what):
    """Whether the container does not notice an input yet."""
    return bool(container.get("hung")) and kind == "signal" and what != "KILL"


def violent_end(container):
    """The End of a container that has crashed or was killed while it hung, or None."""
    if container.get("dies"):
        return End(*container["dies"])
    killed = next((at for at, kind, what in container["inputs"] if kind == "signal" and what == "KILL"), None)
    return End(killed, KILLED, "Error") if container.get("hung") and killed is not None else None


def delayed(container, end):
    """An End, or None, of a container that stood still for a while: what should have happened meanwhile happened when it went on."""
    late = container.get("thawed")
    return end._replace(at=max(end.at, late)) if end and late else end


def forget(runtime, container):
    """The container has ended: nobody has to let it go on."""
    broken.write(runtime.etcd, f"hung {container['id']}", None)
