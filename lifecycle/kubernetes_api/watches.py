"""A watch as a client reads it: what is there, then every change, a line each (apiserver/pkg/endpoints/handlers/watch.go)."""
from random import uniform
from typing import NamedTuple

from ..simulation.clock import Clock
from ..simulation.control_plane.apiserver import watching
from .answers import line
from .subscriptions import Bookmark

LEAST, MOST = 1800, 3600       # seconds after which a watch ends that does not say (--min-request-timeout)
LONGEST = 24 * 3600            # seconds that a watch may last
PIECE = 256                    # frames that are written at once
DIGITS = 18                    # of the longest number that is taken for one


class Opened(NamedTuple):
    """How a watch begins and goes on: the `pieces` (bytes) of its first frames, whether an error `ended` it, what writes the rest."""

    pieces: list
    ended: bool
    writer: "Writer"


class Writer:
    """Writes what a watch has to tell after `revision`. Lines are shared with other watches of the same shape; only the first one of a Table has columns."""

    def __init__(self, watch, shape, revision):
        self.watch, self.shape, self.revision, self.is_first = watch, shape, revision, True
        self.like = (shape.resource.qualified, shape.resource.version, shape.kind, shape.include, repr(shape.printer_columns))

    def line(self, frame, clock):
        headers, self.is_first = self.is_first, False
        return line(self.shape.frame(frame, clock, headers))

    def written(self, news):
        """The line of a News or a Bookmark, or nothing."""
        if isinstance(news, Bookmark):
            return line(self.shape.frame(self.watch.bookmark(max(news.revision, self.revision)), None, False))
        change = news.change
        if change.revision <= self.revision or not change.key.startswith(self.watch.prefix) or (frame := self.watch.frame(change)) is None:
            return b""
        if self.is_first:
            return self.line(frame, news.clock)
        about = (*self.like, frame["type"])
        if about not in news.lines:
            news.lines[about] = self.line(frame, news.clock)
        return news.lines[about]


def opened(simulation, path, query, kind, frames):
    """What it takes to write a watch whose first frames the API server has answered: (its Writer, the frames, the clock). Raises Refused."""
    api, etcd, clock = simulation.api, simulation.etcd, simulation.clock
    request = api.request("GET", path, query)
    revision = max(etcd.revision, _number(request.options.get("resourceVersion")))
    return Writer(api.watching(request), api.shape(request, kind), revision), frames, Clock(clock.now, clock.epoch)


def begun(writer, frames, clock):
    """The Opened of a watch; to be called in a thread, for there may be much to write."""
    pieces = [b"".join(writer.line(frame, clock) for frame in frames[start:start + PIECE]) for start in range(0, len(frames), PIECE)]
    return Opened(pieces, bool(frames) and frames[-1]["type"] == "ERROR", writer)


def seconds(options):
    """How long a watch lasts; one that does not say, for a while that differs, so that not all begin anew at once."""
    return min(_number(options.get("timeoutSeconds")), LONGEST) or uniform(LEAST, MOST)


def _number(text):
    text = str(text or "")
    return int(text) if text.isdecimal() and len(text) <= DIGITS else 0


async def lines(opened, subscription):
    """The bytes of a watch, until its subscription is over."""
    for piece in opened.pieces:
        yield piece
    if opened.ended:
        return
    while found := await subscription.next():
        if data := b"".join(opened.writer.written(each) for each in found):
            yield data
    if subscription.reason:
        yield line(watching.error(subscription.reason))
