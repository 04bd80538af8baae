"""Everybody who looks at clusters from this process. News is read and rendered once for all who have seen the same and read the same language.

A room is a cluster with viewers. The channel layer only says that there is news; what it is comes from the rows, from the last message that a viewer has
got. So a lost announcement, a lost socket and a slow viewer are all the same case: whoever is behind gets what is missing, and nothing is kept for anybody.
"""
import asyncio
import logging
from time import monotonic
from weakref import WeakKeyDictionary

from django.db.models import F

from . import announcing, clusters, looking_back, pace, sessions
from .lessons import runs
from .lessons.catalog import find
from .listening import Listening
from .models import Cluster
from .picture import pushing
from .threads import Threads
from .viewers import ACCESS, access_of, strangers

PUSHES = 10                    # a second to a viewer, at most
MOST = 200                     # messages in a push; whoever misses more fetches the page anew
THREADS = 2                    # that read and render
AT_ONCE = 100                  # viewers that are served before others have a turn
STANDING = ("version", "pace", "speed")
LOOK = 2                       # seconds between two looks for news that nobody announced
GONE, NO_CLUSTER = 4404, "there is no such cluster"      # code and reason of a socket without a cluster

logger = logging.getLogger(__name__)


class Room:
    """The viewers of one cluster; `snapshot` and `standing` are what was read last."""

    def __init__(self, pk):
        self.pk, self.viewers, self.news, self.snapshot, self.standing, self.task = pk, set(), asyncio.Event(), None, None, None

    def waiting(self):
        """{(last message, standing, language): [Viewer]} of those who can be sent something."""
        found = {}
        for viewer in self.viewers:
            if not viewer.is_slow:
                found.setdefault((viewer.seq, viewer.standing, viewer.language), []).append(viewer)
        return found


class Hub:
    """The rooms of one event loop."""

    def __init__(self):
        self.threads = Threads(THREADS, "hub")
        self.rooms = {}
        self.listening = Listening(self.told)
        announcing.use_loop(asyncio.get_running_loop())
        self.tasks = [asyncio.create_task(self.listening.listen()), asyncio.create_task(self.look())]

    # -- coming and going --------------------------------------------------------------------------------------------------
    async def join(self, pk, viewer):
        """From now on the viewer is sent all that it has not got."""
        room, is_new = self.rooms.get(pk), pk not in self.rooms
        if is_new:
            room = self.rooms[pk] = Room(pk)
            room.task = asyncio.create_task(self.serve(room))
        room.viewers.add(viewer)         # before anything is waited for, so that nobody closes the room
        if is_new:
            await self.listening.follow(pk)
        await self.threads.run(clusters.watch, [pk])
        room.news.set()

    async def leave(self, pk, viewer):
        """Forget a viewer, and the room with its last one."""
        room = self.rooms.get(pk)
        if room is None:
            return
        room.viewers.discard(viewer)
        if not room.viewers:
            del self.rooms[pk]
            room.task.cancel()
            await self.listening.unfollow(pk)

    def shown(self, pk, viewer, seq):
        """The viewer says that it has shown everything up to a message."""
        was_slow, viewer.shown = viewer.is_slow, seq
        if was_slow and pk in self.rooms:
            self.rooms[pk].news.set()

    # -- news --------------------------------------------------------------------------------------------------------------
    def told(self, pk):
        if pk in self.rooms:
            self.rooms[pk].news.set()

    async def look(self):
        """Look at all rooms, and say again that their clusters are watched; for ever."""
        said = 0
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look_once()
                if monotonic() - said > pace.WATCHED / 3:
                    said = monotonic()
                    await self.threads.run(clusters.watch, list(self.rooms))
                    sessions.forget_unused()
            except Exception:
                logger.exception("nobody looked for news")

    async def look_once(self):
        """Find news that nobody announced, and viewers who may not look any more."""
        found = await self.threads.run(standings, list(self.rooms))
        for pk, room in list(self.rooms.items()):
            standing, access = found.get(pk, (None, None))
            if room.standing != standing:
                room.news.set()
            if access and (doubtful := [viewer for viewer in room.viewers if viewer.access != access]):
                for viewer in await self.threads.run(strangers, pk, doubtful):
                    await viewer.consumer.close(GONE, NO_CLUSTER)

    async def serve(self, room):
        """Send the viewers of a room what they have not got, whenever there is news."""
        while True:
            await room.news.wait()
            room.news.clear()
            try:
                waiting = room.waiting()
                seq, pushes = await self.threads.run(read, room, waiting)
            except Cluster.DoesNotExist:
                return await self.close(room)
            except Exception:
                logger.exception("news not sent", extra={"cluster": room.pk})
                await asyncio.sleep(LOOK)
                room.news.set()
                continue
            for about, text in pushes.items():
                await self.send(waiting[about], text, seq, room.standing)
            await asyncio.sleep(1 / PUSHES)

    async def send(self, viewers, text, seq, standing):
        for number, viewer in enumerate(viewers, 1):
            viewer.seq, viewer.standing = seq, standing
            await viewer.consumer.base_send({"type": "websocket.send", "text": text})
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    async def close(self, room):
        """The cluster is no more."""
        for viewer in list(room.viewers):          # each leaves when its socket has closed
            await viewer.consumer.close(GONE, NO_CLUSTER)


# -- rows (in threads) -----------------------------------------------------------------------------------------------------
def standings(pks):
    """{pk: (standing, access)}"""
    rows = Cluster.objects.only("lesson", *STANDING, *ACCESS).annotate(lesson_version=F("lesson_run__version")).filter(pk__in=pks)
    return {row.pk: (standing_of(row, row.lesson_version if find(row.lesson) else None), access_of(row)) for row in rows}


def standing_of(row, lesson):
    """What changes when there is news; `lesson` is the version of the LessonRun, None without a lesson."""
    return (*(getattr(row, name) for name in STANDING), lesson)


def read(room, waiting):
    """(last message, {key of waiting: what to send}) for viewers who have not got the news. Raises Cluster.DoesNotExist."""
    row = Cluster.objects.row(room.pk)
    room.snapshot, earlier = looking_back.snapshot_of(row, room.snapshot), room.snapshot
    run = runs.follow(row, room.snapshot) if row.lesson else None
    room.standing = standing_of(row, run.version if run else None)
    late = [about for about in waiting if about[1] != room.standing]
    missed = {seq: what_was_missed(row, room.snapshot, earlier, seq) for seq, _, _ in late}
    return row.messages, {about: rendered(row, *missed[about[0]], about[2]) + lesson_for(about, run, room) for about in late}


def what_was_missed(row, snapshot, earlier, seq):
    """(messages after seq, the Snapshot with what changed since then, the message before); Nones for who cannot be caught up."""
    if not row.forgotten <= seq <= row.messages or row.messages - seq > MOST:
        return None, None, None
    before, *steps = looking_back.messages(row.pk, max(seq - 1, 0), row.messages + 1, MOST + 1) or [None]
    if before and before.seq > seq:            # there is none before the first
        before, steps = None, [before, *steps]
    return steps, snapshot if earlier and earlier.seq == seq else looking_back.changed_since(row, snapshot, seq), before


def rendered(row, steps, snapshot, before, language):
    return pushing.render_behind(row, language) if steps is None else pushing.render_push(row, steps, snapshot, language, before)


def lesson_for(about, run, room):
    """The lesson's panel for viewers who have not got it as it is now."""
    _seq, standing, language = about
    if run is None or (standing and standing[-1] == run.version):
        return ""
    return pushing.render_lesson(run, room.snapshot, language)


_hubs = WeakKeyDictionary()            # event loop -> Hub


def hub():
    """The Hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
