"""What a Pod asks for (component-helpers/resource/helpers.go)."""
from functools import lru_cache
from typing import NamedTuple

from lifecycle.simulation.quantities import milli, value

SCORED_CPU, SCORED_MEMORY = 100, 200 * 1024 * 1024             # what a container without a request counts as when nodes are scored
NATIVE = ("cpu", "memory", "ephemeral-storage")


class Requests(NamedTuple):
    """`cpu` in millicores, `memory` and `ephemeral` in bytes, `others` {extended resource: units}."""

    cpu: int = 0
    memory: int = 0
    ephemeral: int = 0
    others: dict = {}


def containers_of(spec):
    """The containers and init containers of a Pod spec."""
    return [*spec["containers"], *(spec.get("initContainers") or ())]


def requests_of(spec):
    """(Requests that filters count, Requests that scores count) of a Pod spec.

    The sum of the containers and sidecars, or what the greediest init container needs beside the sidecars started before it, plus overhead;
    pod-level resources, where given, stand for the sum.
    """
    return _effective(spec, 0, 0), _effective(spec, SCORED_CPU, SCORED_MEMORY)


def _effective(spec, cpu, memory):
    total, sidecars, peak = {}, {}, {}
    for container in spec["containers"]:
        total = _sum(total, _amounts(container, cpu, memory))
    for container in spec.get("initContainers") or ():
        asked = _amounts(container, cpu, memory)
        if container.get("restartPolicy") == "Always":
            sidecars = _sum(sidecars, asked)
            asked = sidecars
        else:
            asked = _sum(sidecars, asked)
        peak = _most(peak, asked)
    total = _most(_sum(total, sidecars), peak)
    total.update(_parsed((spec.get("resources") or {}).get("requests") or {}))
    total = _sum(total, _parsed(spec.get("overhead") or {}))
    return Requests(*(total.pop(name, 0) for name in NATIVE), total)


def _amounts(container, cpu, memory):
    asked = _parsed((container.get("resources") or {}).get("requests") or {})
    return {"cpu": cpu, "memory": memory, **asked} if cpu else asked


def _parsed(quantities):
    return {name: amount(name, str(text)) for name, text in quantities.items()}


@lru_cache(4096)
def amount(name, text):
    """A quantity as a whole number: millicores for cpu, units otherwise."""
    return milli(text) if name == "cpu" else value(text)


def _sum(first, second):
    return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}


def _most(first, second):
    return {name: max(first.get(name, 0), second.get(name, 0)) for name in {**first, **second}}
