"""Workers and servers are killed at any moment, a hundred times in all: nothing that was shown is lost, and the log is that of an undisturbed run."""
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from math import inf
from threading import Thread
from time import sleep, time

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.websocket import Closed, WebSocket
from lifecycle import clusters, looking_back, sessions
from lifecycle.models import Cluster
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.cluster import Cluster as Simulation

from .processes import PATIENCE, ROOT, free_port, serve, wait_until, worker_of

pytestmark = pytest.mark.django_db(transaction=True)
SERVERS_KILLED = 10
WORKERS_KILLED, LIFE = (90, 0.3) if connection.vendor == "sqlite" else (20, 2)         # a connection to a server takes its time
STORY = (
    "kubectl create deployment web --image=nginx --replicas=3",
    "kubectl expose deployment web --port=80",
    "kubectl set image deployment/web nginx=nginx:1.28",
    "node n2 down",
    "kubectl scale deployment web --replicas=5",
    "node n2 up",
    "kubectl get pods -o wide",
    "kubectl delete deployment web --cascade=foreground",
    "kubectl delete service web",
)


def tell(pk, words):
    """Give a command or a fault to a cluster."""
    act = clusters.command if words.startswith("kubectl") else clusters.fault
    act(pk, words)


def rests(pk):
    return Cluster.objects.get(pk=pk).next_virtual is None


def undisturbed(row, commands):
    """The same commands in memory."""
    simulation = Simulation(row.seed)
    bootstrap(simulation, row.node_count)
    for words in commands:
        if words.startswith("kubectl"):
            simulation.kubectl(words)
        else:
            simulation.fault(words)
        while simulation.step():
            pass
    return simulation


def assert_undisturbed(row, commands):
    """The rows tell the same as a run in which nothing was killed."""
    simulation = undisturbed(row, commands)
    assert looking_back.messages(row.pk, limit=10 ** 6) == simulation.log.steps
    assert looking_back.snapshot(row.pk).objects == dict(simulation.etcd.objects())
    sessions.forget(row.pk)
    with sessions.open_cluster(row.pk) as cluster:
        assert cluster.simulation.etcd.since(0) == simulation.etcd.since(0)
        assert cluster.simulation.etcd.spaces() == simulation.etcd.spaces()


def a_fast_story(guest="ada"):
    """A cluster that tells its story as fast as it can, watched for an hour."""
    row = clusters.create("web", 3, guest=guest, seed=3)
    Cluster.objects.filter(pk=row.pk).update(pace="story", speed=0.001, watched_until=time() + 3600)
    return row


@pytest.fixture
def environment(settings):
    """The settings with which other processes use the database of this test."""
    settings.LIFECYCLE_COMMANDS_A_MINUTE = 10 ** 6
    known = connection.settings_dict
    url = f"sqlite:///{known['NAME']}" if connection.vendor == "sqlite" else f"postgres://{known['USER']}@{known['HOST']}:{known['PORT']}/{known['NAME']}"
    return {"DATABASE_URL": url, "SECRET_KEY": settings.SECRET_KEY, "DJANGO_SETTINGS_MODULE": "tests.settings"}


def test_a_worker_that_is_killed_at_any_moment_loses_nothing(environment):
    row, told, kills = a_fast_story(), [], 0
    crashing = subprocess.Popen([sys.executable, "-m", "tests.crashing", "1", str(LIFE)], cwd=ROOT, env={**os.environ, **environment},
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    os.set_blocking(crashing.stdout.fileno(), False)
    try:
        while kills < WORKERS_KILLED:
            for words in STORY:
                tell(row.pk, words)
                told.append(words)
                wait_until(lambda: rests(row.pk), "the cluster to rest")
            kills += crashing.stdout.read().count("\n")
    finally:
        crashing.communicate("")
    assert_undisturbed(row, told)


def test_servers_and_their_workers_that_are_killed_lose_nothing_that_was_shown(environment, tmp_path):
    row, chance, port = a_fast_story("ada"), random.Random(2), free_port()
    Cluster.objects.filter(pk=row.pk).update(speed=0.05)
    product = Product(port, environment, tmp_path / "log")
    viewer = Viewer(port, row.pk, a_cookie(guest="ada"))
    looking = Thread(target=viewer.look)
    looking.start()
    try:
        for words in STORY:
            tell(row.pk, words)
            while not rests(row.pk):
                sleep(chance.uniform(0, 0.5))
                if product.kills < SERVERS_KILLED:
                    product.kill(chance.random() < 0.5)
        viewer.until = Cluster.objects.get(pk=row.pk).messages
        looking.join(PATIENCE)
    finally:
        viewer.until = 0
        assert product.server.stop() == 0
    assert_undisturbed(row, STORY)
    # It should have shown every message, none twice, in order
    assert viewer.shown == list(range(1, viewer.shown[-1] + 1))
    assert viewer.shown[-1] == Cluster.objects.get(pk=row.pk).messages
    assert product.kills == SERVERS_KILLED


class Product:
    """`manage.py serve`, killed and started again."""

    def __init__(self, port, environment, log):
        self.start = lambda: serve(port, environment, log)
        self.server, self.kills = self.start(), 0

    def kill(self, whole):
        """kill -9 the server (and start it again), or only its worker."""
        worker = wait_until(lambda: worker_of(self.server), "a worker")
        self.kills += 1
        if whole:
            self.server.kill()
            self.server = self.start()
        else:
            os.kill(worker, signal.SIGKILL)
            wait_until(lambda: worker_of(self.server) not in (None, worker), "another worker")


class Viewer:
    """A browser that looks at a cluster, comes again whenever it is cut off, and keeps the numbers of the messages that it was shown."""

    def __init__(self, port, pk, cookie):
        self.port, self.pk, self.cookie, self.shown, self.until = port, pk, cookie, [], inf

    def look(self):
        """Look until message `until` was shown."""
        asyncio.run(self._look())

    async def _look(self):
        while self._last() < self.until:
            with suppress(OSError, Closed):
                async with await WebSocket.open(self.port, f"/ws/clusters/{self.pk}/?since={self._last()}&lang=en", self.cookie) as socket:
                    await self._read(socket)
            await asyncio.sleep(0.05)

    async def _read(self, socket):
        while self._last() < self.until:
            with suppress(TimeoutError):
                self.shown += [int(seq) for seq in re.findall(r'<li id="m-(\d+)"', await asyncio.wait_for(socket.receive(), 1))]

    def _last(self):
        return self.shown[-1] if self.shown else 0


def a_cookie(**values):
    """The cookie of a browser session with these values."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.update(values)
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
