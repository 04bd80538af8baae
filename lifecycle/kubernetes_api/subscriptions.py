"""One watch's end of a feed: what waits for it, up to a bound."""
import asyncio

MOST_WAITING = 2000            # changes that may wait for a watch


class News:
    """A Change as it is handed to watches: the `clock` by which ages are told, and the lines already written for watches like this one."""

    __slots__ = ("change", "clock", "lines")

    def __init__(self, change, clock):
        self.change, self.clock, self.lines = change, clock, {}


class Bookmark:
    """Everything up to a revision has been handed out."""

    __slots__ = ("revision",)

    def __init__(self, revision):
        self.revision = revision


class Subscription:
    """One watch's end of a feed. `prefix` is that of the keys it is about, once that is known; what it has not read yet waits, up to a bound.

    When it is over, `reason` is a Refused to be told, or None.
    """

    def __init__(self, bookmarks):
        self.prefix, self.bookmarks = "", bookmarks
        self.waiting, self.woken, self.is_over, self.reason = [], asyncio.Event(), False, None

    def put(self, news):
        """Let it wait; who does not keep up gets no more, for then something would be missing in between."""
        if len(self.waiting) >= MOST_WAITING:
            self.end()
        if not self.is_over:
            self.waiting.append(news)
            self.woken.set()

    def end(self, reason=None):
        """Nothing comes any more after what waits already."""
        if not self.is_over:
            self.is_over, self.reason = True, reason
            self.woken.set()

    async def next(self):
        """All that waits: a list of News and Bookmarks, empty only when the feed is over."""
        while not self.waiting and not self.is_over:
            self.woken.clear()
            await self.woken.wait()
        found, self.waiting = self.waiting, []
        return found
