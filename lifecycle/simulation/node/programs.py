"""What runs in a container, as pure functions of its record: when it ends and how, what it prints, what it answers.

A container's record says with which `argv` and `env` it was made, when it `started`, and which `inputs` reached it since: [[ms, kind, what], ...] with the
kinds "signal" and "exec". So everything here can be computed again at any time, from nothing else.
"""
from typing import NamedTuple

from . import images

COMMANDS = ("sh", "sleep", "echo", "true", "false")

KILLED = 137
ALLOCATION_AT = 1000                     # ms after its start at which the teaching image takes its ALLOC_MB


class End(NamedTuple):
    """How a process ends: `at` in virtual ms, exit `code`, and the `reason` that the runtime gives."""

    at: int
    code: int
    reason: str


def end_of(container):
    """The End of a started container as far as it is known now, or None if nothing ends it."""
    ends = [End(at, KILLED, "Error") for at, kind, what in container["inputs"] if kind == "signal" and what == "KILL"]
    own = service_end(container)
    if own:
        ends.append(own)
    return min(ends, default=None)


def service(container):
    """How the image's own server behaves: the catalogue's entry, for the teaching image completed by its environment (seconds).

    `start` and `ready` (ms until it listens, until /ready says 200), `sick` (ms until /healthz says 500), `ports`, `term` (ms from SIGTERM to the
    end; None: ignores it), `code`, `exit` (ms after which it ends by itself), `memory` (MiB), `later` (MiB from ALLOCATION_AT on), `lines`.
    """
    entry = images.entry(container["image"])
    return teaching(container["env"]) if entry.get("teaching") else entry["service"]


def teaching(env):
    """The service of the image `demo`."""
    def ms(name, default=None):
        return round(float(env[name]) * 1000) if env.get(name) else default
    start = ms("START_DELAY", 0) + 20
    return {"start": start, "ready": start + ms("READY_AFTER", 0), "sick": ms("UNHEALTHY_AFTER"), "ports": [80], "term": None if env.get("IGNORE_TERM") else ms("TERM_DELAY", 1),
            "exit": ms("EXIT_AFTER"), "code": int(env.get("EXIT_CODE") or 0), "memory": 8, "later": int(env.get("ALLOC_MB") or 0)}


def service_end(container):
    """The End of an image's own server."""
    does, started = service(container), container["started"]
    ends = []
    if does.get("exit") is not None:
        code = does.get("code", 0)
        ends.append(End(started + does["exit"], code, "Error" if code else "Completed"))
    limit = container.get("limit")
    if limit and (does.get("memory", 0) + does.get("later", 0)) << 20 > limit:
        ends.append(End(started + ALLOCATION_AT, KILLED, "OOMKilled"))
    told = next((at for at, kind, what in container["inputs"] if kind == "signal" and what == "TERM"), None)
    if told is not None and does.get("term", 50) is not None:
        ends.append(End(max(told, started) + does.get("term", 50), 0, "Completed"))
    return min(ends, default=None)


def exists(container):
    """Whether the program that a container is to run is there: in the image itself, or among the commands of its shell."""
    entry, word = images.entry(container["image"]), container["argv"][0]
    own = [*entry.get("entrypoint", ())[:1], *entry.get("cmd", ())[:1], *entry.get("programs", ())]
    return word in own or not images.is_known(container["image"]) or entry["shell"] and word.rpartition("/")[2] in COMMANDS
