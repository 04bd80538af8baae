"""What every connection that stays open has: an address that lets it in, tasks that end with it, and a cluster that moves meanwhile."""
import asyncio
import logging
from collections import Counter
from time import monotonic

from channels.generic.websocket import AsyncWebsocketConsumer

from ... import clusters, pace
from ...models import Cluster
from ...simulation.control_plane.apiserver.errors import Refused
from .. import access
from .serving import threads

IDLE = 4 * 3600                # seconds without a word after which a connection is closed, as kubelets do (--streaming-connection-idle-timeout)
MOST = 100                     # connections to a cluster through one server
LARGEST = 1 << 20              # bytes of a message that comes in
OVER, WRONG, TOO_BIG = 1000, 4400, 4413              # codes with which sockets are closed: those that a server may choose

logger = logging.getLogger(__name__)
_open = Counter()              # pk of a cluster -> its connections


class Connection(AsyncWebsocketConsumer):
    """`clusters/<pk>/t/<secret>/<rest>`, where the rest is a path of the Kubernetes API."""

    tasks, spoke, counted = (), 0, False

    @property
    def place(self):
        """(pk of the cluster, secret, path of the API)"""
        found = self.scope["url_route"]["kwargs"]
        return int(found["pk"]), found["secret"], "/" + (found.get("rest") or "")

    async def is_let_in(self):
        """Whether the address is that of a cluster that has not too many connections already."""
        pk, secret, _ = self.place
        try:
            await threads().run(access.cluster_of, pk, secret)
        except Refused:
            return False
        if _open[pk] >= MOST:
            return False
        _open[pk] += 1
        self.counted = True
        await threads().run(clusters.watch, [pk])
        return True

    # -- tasks -------------------------------------------------------------------------------------------------------------
    def start(self, *works):
        """Let some coroutines run for as long as the connection does, and keep the cluster moving."""
        self.spoke = monotonic()
        self.tasks = [asyncio.create_task(self.guarded(work)) for work in (*works, self.keep())]

    async def guarded(self, work):
        """Whatever goes wrong ends this connection, and is written down once."""
        try:
            await work
        except Cluster.DoesNotExist:
            await self.broken("the connection was closed: the cluster is gone")
        except Exception:
            logger.exception("a connection broke off", extra={"cluster": self.place[0]})
            await self.broken("Internal error occurred: the connection broke off")

    async def broken(self, why):
        """Say why the connection ends, and close it."""
        await self.close(OVER)

    async def keep(self):
        """Somebody looks at the cluster for as long as this is open; who has nothing to say for hours is sent away."""
        while monotonic() - self.spoke < IDLE:
            await asyncio.sleep(pace.WATCHED / 3)
            await threads().run(clusters.watch, [self.place[0]])
        await self.broken("the connection was closed: nothing came through it for hours")

    async def disconnect(self, code):
        for task in self.tasks:
            task.cancel()
        if self.counted:
            self.counted = False
            _open.subtract([self.place[0]])
        await self.left()

    async def left(self):
        """The client has gone."""
