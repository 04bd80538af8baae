"""The worker: moves the clusters that are due. Any number of workers may run; the rows say what is due, and who locks a row first moves it.

A task for each moving cluster sleeps until it is due. Wake-ups come over the channel `engine`; a sweep every second finds what nobody was told about.
"""
import asyncio
import logging
from time import time
from typing import NamedTuple
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
class Move(NamedTuple):
    """What came of a look at a cluster: whether it was moved, its `version` and `pace`, and when it is due next (or None)."""

    moved: bool
    version: int
    pace: str
    due: float | None


def move(pk, ahead=False):
    """Move a cluster on if it is due; a Move. With `ahead`, much may be due: then it is run without holding the lock, if it is kept in memory."""
    now = time()
    row = (_moved_ahead(pk, now) if ahead else None) or _moved_within(pk, now)
    if row:
        return Move(True, row.version, row.pace, row.next_due)
    try:
        row = Cluster.objects.row(pk)
    except Cluster.DoesNotExist:
        return Move(False, 0, "", None)
    return Move(False, row.version, row.pace, row.next_due and max(row.next_due, now + RETRY))


def _moved_within(pk, now):
    """Lock the row if it is due and move the cluster; the row, or None."""
    with transaction.atomic():
        row = Cluster.objects.locked_if_due(pk, now)
        if row and pace.is_watched(row, now):
            with sessions.opened(row) as cluster:
                pace.advance(row, cluster.simulation, now)
        elif row:
            row.next_due = None              # nobody looks: stand still until somebody does
            row.save(update_fields=["next_due"])
    return row


def _moved_ahead(pk, now):
    """Move a cluster in real time that is due, and lock its row only to write; the row, or None."""
    try:
        row = Cluster.objects.row(pk)
        is_real = row.pace == Cluster.Pace.REAL and not row.stops
        if is_real and row.next_due is not None and row.next_due <= now and pace.is_watched(row, now):
            return sessions.run_ahead(row, lambda simulation: pace.advance(row, simulation, now))
    except Cluster.DoesNotExist:
        pass
    return None


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
            last = await self.threads.run(move, pk)
            while last.due is not None:
                was_woken = await _wait(woken, last.due - time())
                now = await self.threads.run(move, pk, last.pace == Cluster.Pace.REAL)
                if not now.moved and not was_woken and now.version != last.version:
                    break
                last = now
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
