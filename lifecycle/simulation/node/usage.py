"""What containers use of a node: CPU, memory and local storage, from what is known of the programs that run in them."""
import re
from typing import NamedTuple

from ..quantities import milli
from .images import entry
from .programs import ALLOCATION_AT, is_plain, service_of

MIB = 1 << 20
LAYER = 24 << 10              # bytes that a container's writable layer and its log take at least
SHELL = 1                     # MiB of a program that is no server
FILLERS = re.compile(r"\b(dd|fallocate|truncate)\b")
IDLE = 1                      # millicores of a server that says nothing else


class Usage(NamedTuple):
    """Bytes, and millicores."""

    memory: int
    storage: int
    cpu: int


def of_pod(runtime, pod, now):
    """({container name: Usage}, bytes in emptyDirs) of a Pod's running containers."""
    record = runtime.of(pod)
    running = [container for container in record["containers"].values() if container["state"] == "running"]
    if all(map(is_plain, running)):
        return {container["name"]: _plain(container, now) for container in running}, 0
    written = runtime.inside.usage(pod, record, now)
    return {container["name"]: _of(runtime, pod, record, container, written["containers"].get(container["name"], 0), now)
            for container in running}, sum(written["volumes"].values())


def at_most(container):
    """{resource: bytes} that a container which starts will use, its image included; "grows": whether that is only a beginning."""
    does = service_of(container)
    return {"memory": (does.get("memory", SHELL) + does.get("later", 0)) * MIB, "ephemeral-storage": LAYER + entry(container["image"])["size"], "pids": 1,
            "grows": fills(container)}


def fills(container):
    """Whether something runs in a container that makes big files."""
    inputs = [(kind, what) for _, kind, what in container["inputs"]]
    commands = [container["argv"], *(what for kind, what in inputs if kind == "exec"), *(what["argv"] for kind, what in inputs if kind == "session"),
                *([what[1]] for kind, what in inputs if kind == "input")]
    return any(FILLERS.search(" ".join(words)) for words in commands)


def grows_at(runtime, pod, now):
    """The next ms at which a Pod may use more than now, or None."""
    record = runtime.of(pod)
    running = [container for container in record["containers"].values() if container["state"] == "running"]
    times = [container["started"] + ALLOCATION_AT for container in running if service_of(container).get("later")]
    if any(map(fills, running)):
        times.append(runtime.inside.stable_until(pod, record, now))
    return min((at for at in times if at is not None and at > now), default=None)


def _plain(container, now):
    """The Usage of a container in which nothing but its own server runs."""
    does = service_of(container)
    return Usage(_memory(does, now - container["started"]), LAYER, _throttled(does.get("cpu", IDLE), container))


def _of(runtime, pod, record, container, written, now):
    """The Usage of any container: every process counts."""
    if is_plain(container):
        return _plain(container, now)
    processes = [process for process in runtime.inside.box(pod, record, container, now).processes.values() if process.code is None]
    served = [(getattr(process, "does", {"memory": SHELL, "cpu": 0}), now - process.started) for process in processes]
    return Usage(sum(_memory(does, age) for does, age in served), LAYER + written, _throttled(sum(does.get("cpu", IDLE) for does, _ in served), container))


def _memory(does, age):
    """Bytes that a server of this age (ms) holds."""
    return (does.get("memory", SHELL) + (does.get("later", 0) if age >= ALLOCATION_AT else 0)) * MIB


def _throttled(wanted, container):
    """The kernel gives no container more CPU than its limit."""
    limit = ((container.get("asked") or {}).get("limits") or {}).get("cpu")
    return wanted if limit is None else min(wanted, milli(limit))
