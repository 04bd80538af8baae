"""A container's log with `follow`: what is there, then what it prints, until it ends.

Between two looks nothing is kept open: a look reads rows, without a lock and without a message, as an open connection to the kubelet says none.
"""
import asyncio
from time import time
from typing import NamedTuple

from .. import pace, sessions
from ..models import Cluster
from ..simulation.control_plane.apiserver.list_options import flag

LOOK = 1                       # seconds between two looks
LISTS = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
PARTS = ("tailLines", "sinceSeconds", "sinceTime", "limitBytes")        # options that choose a part of the log


class Shown(NamedTuple):
    """What of a log a client has got: so many characters of the log of the container with this id; `goes_on` while it runs."""

    length: int
    container: str
    goes_on: bool


def is_followed(method, path, options):
    return method == "GET" and path.endswith("/log") and bool(flag(options, "follow")) and not flag(options, "previous")


def shown(simulation, path, options):
    """(the whole log, what has been Shown of it once it is sent). Says nothing."""
    log = simulation.log
    mark = log.mark()
    pod = simulation.api.http("GET", path.removesuffix("/log"))
    whole = simulation.api.http("GET", path, {name: value for name, value in options.items() if name not in PARTS})
    log.forget_since(mark)
    text = whole.body if whole.ok else ""
    return text, Shown(len(text), *_container(pod.body if pod.ok else {}, options.get("container")))


def _container(pod, name):
    """(id, whether it runs) of a Pod's container, or of its only one."""
    statuses = [status for listed in LISTS for status in pod.get("status", {}).get(listed, ()) if name in (None, "", status["name"])]
    return (statuses[0].get("containerID", ""), "running" in statuses[0]["state"]) if statuses else ("", False)


async def lines(threads, pk, path, options, text, seen):
    """The bytes of a log: the `text` with which it opened, and what comes after what was `seen` then."""
    if text:
        yield text.encode()
    look = Looking(pk, path, options, seen)
    while seen.goes_on:
        await asyncio.sleep(LOOK)
        more, seen = await threads.run(look.look)
        if more:
            yield more.encode()


class Looking:
    """Looks at a log again and again (in threads)."""

    def __init__(self, pk, path, options, seen):
        self.pk, self.path, self.options, self.seen = pk, path, options, seen
        self.version, self.simulation = None, None

    def look(self):
        """(what is new, the Shown after it)"""
        try:
            row = Cluster.objects.row(self.pk)
        except Cluster.DoesNotExist:
            return "", self.seen._replace(goes_on=False)
        if row.version != self.version:
            self.simulation, self.version = sessions.glimpse(row), row.version
        if self.simulation is None:                  # somebody writes: at the next look
            self.version = None
            return "", self.seen
        _bring_to_present(row, self.simulation)
        whole, now = shown(self.simulation, self.path, self.options)
        if now.container != self.seen.container:     # another one has taken its place
            return "", self.seen._replace(goes_on=False)
        more, self.seen = whole[self.seen.length:], now
        return more, now


def _bring_to_present(row, simulation):
    """In real time, time also passes while nothing is to be done."""
    now = time()
    if row.pace == Cluster.Pace.REAL and pace.is_watched(row, now):
        present, due = pace.virtual_now(row, now), row.next_virtual
        simulation.clock.now = max(simulation.clock.now, present if due is None else min(present, due))
