"""The worker: moves the clusters that are due. Any number of workers may run; the rows say what is due, and who locks a row first moves it.

A task for each moving cluster sleeps until it is due. Wake-ups come over the channel `engine`; a sweep every second finds what nobody was told about.
"""
import asyncio
import logging
from time import time
from weakref import WeakKeyDictionary

from channels.consumer import AsyncConsumer
from django.conf import settings
from django.db import transaction

from . import announcing, pace, sessions
from .models import Cluster
from .threads import Threads

SWEEP = 1                      # seconds between two looks for clusters that are overdue
MOST_FOUND = 200               # of them, at once
RETRY = 0.05                   # seconds until another look at a row that somebody else holds
AFTER_FAILURE = 30             # seconds for which a cluster stands still whose simulation failed

logger = logging.getLogger(__name__)


# -- rows (in threads) -----------------------------------------------------------------------------------------------------
def move(pk):
    """Move a cluster on if it is due. Returns (whether it was moved, its version, when it is due next or None)."""
    now = time()
    with transaction.atomic():
        row = Cluster.objects.locked_if_due(pk, now)
        if row and pace.is_watched(row, now):
            with sessions.opened(row) as cluster:
                pace.advance(row, cluster.simulation, now)
        elif row:
            _rest(row)
    if row:
        return True, row.version, row.next_due
    version, due = Cluster.objects.filter(pk=pk).values_list("version", "next_due").first() or (0, None)
    return False, version, due and max(due, now + RETRY)


def _rest(row):
    """Nobody looks: stand still until somebody does."""
    row.next_due = None
    row.save(update_fields=["next_due"])


def overdue():
    """The clusters that should have been moved a while ago."""
    return list(Cluster.objects.filter(next_due__lte=time() - SWEEP).order_by("next_due").values_list("pk", flat=True)[:MOST_FOUND])


def put_off(pk):
    """Let a cluster stand whose simulation has failed: trying it again at once would fail again."""
    sessions.forget(pk)
    Cluster.objects.filter(pk=pk).update(next_due=time() + AFTER_FAILURE)


# -- tasks -----------------------------------------------------------------------------------------------------------------
class Engine:
    """The moving clusters of one event loop. Simulations run in threads of their own, so that the loop stays quick."""

    def __init__(self):
        self.threads = Threads(settings.LIFECYCLE_ENGINE_THREADS, "engine")
        self.driven = {}               # pk -> (task, Event that is set by a wake-up)
        announcing.use_loop(asyncio.get_running_loop())
        self.sweeping = asyncio.create_task(self.sweep())

    def wake(self, pk):
        """See to it that a cluster is moved when it is due, which may have changed."""
        if pk in self.driven:
            self.driven[pk][1].set()
        else:
            event = asyncio.Event()
            self.driven[pk] = asyncio.create_task(self.drive(pk, event)), event

    async def drive(self, pk, woken):
        """Move a cluster whenever it is due, until it rests or another worker has taken it over."""
        try:
            moved, version, due = await self.threads.run(move, pk)
            while due is not None:
                was_woken = await _wait(woken, due - time())
                known = version
                moved, version, due = await self.threads.run(move, pk)
                if not moved and not was_woken and version != known:
                    break
        except Exception:
            logger.exception("cluster stands still", extra={"cluster": pk})
            await self.threads.run(put_off, pk)
        finally:
            del self.driven[pk]

    async def sweep(self):
        """Find overdue clusters for ever: wake-ups may be lost, workers may die."""
        while True:
            try:
                for pk in await self.threads.run(overdue):
                    self.wake(pk)
                sessions.forget_unused()
            except Exception:
                logger.exception("sweep failed")
            await asyncio.sleep(SWEEP)


async def _wait(event, seconds):
    """Sleep, but not longer than until the event; whether it came."""
    try:
        await asyncio.wait_for(event.wait(), max(seconds, 0))
    except TimeoutError:
        return False
    event.clear()
    return True


_engines = WeakKeyDictionary()         # event loop -> Engine


def engine():
    """The Engine of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _engines:
        _engines[loop] = Engine()
    return _engines[loop]


class EngineConsumer(AsyncConsumer):
    """Hears wake-ups. It keeps nothing and waits for nothing: Channels delivers one message at a time."""

    channel_layer_alias = "none"

    async def dispatch(self, message):
        if message["type"] == "cluster.wake":
            engine().wake(message["cluster"])
