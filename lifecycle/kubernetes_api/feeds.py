"""What changes in clusters that are watched over the Kubernetes API: read once from the history, and handed to all watches of this process.

The channel layer only says that there is news. A watch that does not keep up is cut off, and never waited for; it begins again where it was.
"""
import asyncio
import logging
from time import monotonic

from .. import announcing, clusters, looking_back, pace, sessions
from ..listening import Listening
from ..models import Cluster
from ..simulation.clock import Clock
from ..simulation.control_plane.apiserver.errors import expired
from ..simulation.control_plane.etcd import Compacted
from ..threads import Threads
from .subscriptions import Bookmark, News

THREADS = 2                    # that read
LOOK = 2                       # seconds between two looks for news that nobody announced
GAP = 0.02                     # seconds between two readings of a cluster
BOOKMARKS = 60                 # seconds between two bookmarks
STANDING = ("version", "api_secret")

logger = logging.getLogger(__name__)


class Revoked(Exception):
    """The address by which a cluster was watched is no more."""


class Feed:
    """The changes of one cluster after `revision`, for its subscriptions."""

    def __init__(self, row):
        self.pk, self.secret, self.version = row.pk, row.api_secret, row.version
        self.revision, self.messages = row.revision, row.messages
        self.subscriptions, self.news, self.task = set(), asyncio.Event(), None

    def hand_out(self, row, changes):
        """Give every subscription what it is about."""
        self.version, self.revision, self.messages = row.version, row.revision, row.messages
        clock = Clock(row.now, row.epoch)
        for news in [News(change, clock) for change in changes]:
            for subscription in self.subscriptions:
                if news.change.key.startswith(subscription.prefix):
                    subscription.put(news)

    def end(self, reason=None):
        for subscription in self.subscriptions:
            subscription.end(reason)


class Feeds:
    """The feeds of one event loop."""

    def __init__(self):
        self.threads = Threads(THREADS, "feeds")
        self.feeds, self.lock = {}, asyncio.Lock()
        self.listening = Listening(self.told)
        announcing.use_loop(asyncio.get_running_loop())
        self.tasks = [asyncio.create_task(work) for work in (self.listening.listen(), self.look(), self.mark())]

    # -- coming and going --------------------------------------------------------------------------------------------------
    async def join(self, pk, subscription):
        """The Feed of which the subscription gets every change from now on. Raises Cluster.DoesNotExist."""
        async with self.lock:
            feed = self.feeds.get(pk)
            if feed is None:
                await self.listening.follow(pk)
                feed = self.feeds[pk] = Feed(await self.threads.run(Cluster.objects.row, pk))
                feed.task = asyncio.create_task(self.serve(feed))
                feed.news.set()                # what was announced meanwhile was not heard
            feed.subscriptions.add(subscription)
        return feed

    async def leave(self, feed, subscription):
        """Forget a subscription, and the feed with its last one."""
        async with self.lock:
            feed.subscriptions.discard(subscription)
            if not feed.subscriptions:
                feed.task.cancel()
                await self.forget(feed)

    async def forget(self, feed):
        if self.feeds.get(feed.pk) is feed:
            del self.feeds[feed.pk]
            await self.listening.unfollow(feed.pk)

    # -- news --------------------------------------------------------------------------------------------------------------
    def told(self, pk):
        if pk in self.feeds:
            self.feeds[pk].news.set()

    async def serve(self, feed):
        """Hand out what is new, whenever there is news; until the cluster, its address or the history after the last revision is no more."""
        try:
            while True:
                await feed.news.wait()
                feed.news.clear()
                await self.hand_out(feed)
                await asyncio.sleep(GAP)
        except (Cluster.DoesNotExist, Revoked):
            feed.end()
        except Compacted as compacted:
            feed.end(expired(str(compacted)))
        async with self.lock:
            await self.forget(feed)

    async def hand_out(self, feed):
        try:
            feed.hand_out(*await self.threads.run(read, feed.pk, feed.secret, feed.revision, feed.messages))
        except (Cluster.DoesNotExist, Revoked, Compacted):
            raise
        except Exception:
            logger.exception("news not read", extra={"cluster": feed.pk})
            await asyncio.sleep(LOOK)
            feed.news.set()

    async def look(self):
        """Find news that nobody announced, and say again that the clusters are watched; for ever."""
        said = monotonic()
        while True:
            await asyncio.sleep(LOOK)
            try:
                found = await self.threads.run(standings, list(self.feeds)) if self.feeds else {}
                for pk, feed in self.feeds.items():
                    if found.get(pk) != [feed.version, feed.secret]:
                        feed.news.set()
                if monotonic() - said > pace.WATCHED / 3:
                    said = monotonic()
                    await self.threads.run(clusters.watch, list(self.feeds))
                    sessions.forget_unused()
            except Exception:
                logger.exception("nobody looked for news")

    async def mark(self):
        """Send bookmarks now and then, for ever."""
        while True:
            await asyncio.sleep(BOOKMARKS)
            for feed in self.feeds.values():
                bookmark = Bookmark(feed.revision)
                for subscription in feed.subscriptions:
                    if subscription.bookmarks:
                        subscription.put(bookmark)


# -- rows (in threads) -----------------------------------------------------------------------------------------------------
def standings(pks):
    """{pk: what changes when there is news}"""
    return {pk: standing for pk, *standing in Cluster.objects.filter(pk__in=pks).values_list("pk", *STANDING)}


def read(pk, secret, revision, messages):
    """(the cluster's row, its Changes after a revision).

    Raises Cluster.DoesNotExist, Revoked for an address that is another now, and Compacted if the changes are forgotten or the cluster was begun anew.
    """
    row = Cluster.objects.row(pk)
    if row.api_secret != secret:
        raise Revoked
    if row.forgotten > messages:
        raise Compacted(revision, max(row.compacted, revision + 1))
    return row, looking_back.changes(row, revision)
