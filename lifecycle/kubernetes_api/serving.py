"""What one event loop of a server has for the Kubernetes API: threads, feeds, and how much each cluster is asked."""
import asyncio
from collections import Counter, OrderedDict
from contextlib import AsyncExitStack, contextmanager
from time import monotonic, time
from weakref import WeakKeyDictionary

from django.conf import settings

from .. import clusters, pace
from ..models import Cluster
from ..simulation.control_plane.apiserver.errors import too_many_requests, unauthorized
from ..simulation.control_plane.apiserver.list_options import flag
from ..threads import Threads
from . import access, documents, logs, requests, watches
from .answers import TEXT, Answer
from .feeds import Feeds
from .subscriptions import Subscription

STREAMS = 1000                 # watches and followed logs of a cluster at once
RUNS = 1000                    # runs of kubectl that are remembered
AFTER = 1                      # seconds after which a client that is sent away may come again


class Serving:
    """Answers requests; `ask` is the whole of it."""

    def __init__(self):
        self.threads = Threads(settings.LIFECYCLE_API_THREADS, "kubernetes-api")
        self.readers = Threads(1, "kubernetes-api-documents")
        self.feeds = Feeds()
        self.minute, self.counts, self.streams, self.attended, self.runs = 0, Counter(), Counter(), {}, OrderedDict()

    async def ask(self, pk, secret, root, asked, known_hash):
        """The Answer to a request below the address `root` of a cluster. Raises Refused."""
        cluster = await self.readers.run(access.cluster_of, pk, secret)
        self.count(pk)
        if documents.is_document(asked.path):
            return await self.readers.run(documents.document, cluster, root, asked, known_hash)
        await self.attend(pk)
        asked = self.told_once(pk, asked)
        try:
            if asked.is_watch:
                return await self.watch(pk, asked)
            if asked.is_followed_log:
                return await self.follow(pk, asked)
            return await self.threads.run(requests.plain, pk, asked)
        except Cluster.DoesNotExist:
            raise unauthorized() from None

    def told_once(self, pk, asked):
        """The request without its command unless it is the first of a run of kubectl: then the command is told as a message."""
        caller = asked.caller
        run = (pk, caller.session)
        if caller.actor == "kubectl" and caller.command and caller.session and run not in self.runs:
            self.runs[run] = None
            if len(self.runs) > RUNS:
                self.runs.popitem(last=False)
            return asked
        return asked._replace(caller=caller._replace(command=""))

    # -- limits ------------------------------------------------------------------------------------------------------------
    def count(self, pk):
        """Count a request in the cluster's minute. Raises Refused (429)."""
        minute = int(time() // 60)
        if minute != self.minute:
            self.minute = minute
            self.counts.clear()
        self.counts[pk] += 1
        if self.counts[pk] > settings.LIFECYCLE_REQUESTS_A_MINUTE:
            raise _too_many()

    @contextmanager
    def stream(self, pk):
        """Count an answer that goes on. Raises Refused (429)."""
        if self.streams[pk] >= STREAMS:
            raise _too_many()
        self.streams[pk] += 1
        try:
            yield
        finally:
            self.streams[pk] -= 1
            if not self.streams[pk]:
                del self.streams[pk]

    async def attend(self, pk):
        """A cluster whose clients ask something is one that somebody looks at: it moves."""
        now = monotonic()
        if now - self.attended.get(pk, -pace.WATCHED) > pace.WATCHED / 3:
            self.attended = {each: at for each, at in self.attended.items() if now - at < pace.WATCHED} | {pk: now}
            await self.threads.run(clusters.watch, [pk])

    # -- answers that go on ------------------------------------------------------------------------------------------------
    async def watch(self, pk, asked):
        """The Answer to a watch. It hears its feed before it reads what is there, so that nothing is lost in between."""
        async with AsyncExitStack() as stack:
            stack.enter_context(self.stream(pk))
            end = Subscription(bool(flag(asked.options, "allowWatchBookmarks")))
            stack.push_async_callback(self.feeds.leave, await self.feeds.join(pk, end), end)
            refused, opened = await self.threads.run(requests.watch, pk, asked)
            if refused:
                return refused
            end.prefix = opened.writer.watch.prefix
            stack.callback(asyncio.get_running_loop().call_later(watches.seconds(asked.options), end.end).cancel)
            return Answer(200, watches.lines(opened, end), closing=stack.pop_all())

    async def follow(self, pk, asked):
        """The Answer to a log that is followed."""
        async with AsyncExitStack() as stack:
            stack.enter_context(self.stream(pk))
            found, seen = await self.threads.run(requests.followed_log, pk, asked)
            if not seen:
                return found
            lines = logs.lines(self.readers, pk, asked.path, asked.options, found, seen)
            return Answer(200, lines, TEXT, closing=stack.pop_all())


def _too_many():
    return too_many_requests("Too many requests, please try again later.", retry_after=AFTER)


_servings = WeakKeyDictionary()        # event loop -> Serving


def serving():
    """The Serving of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _servings:
        _servings[loop] = Serving()
    return _servings[loop]
