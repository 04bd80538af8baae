"""The jobs of the whole product: `manage.py serve` with its worker on an SQLite file, and browsers' sockets that look at clusters.

All share this machine. A message's way is timed from when the worker began to move its cluster (which is before the commit) until its text has come over
the socket.
"""
import asyncio
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import yaml

from .jobs import deployment
from .rows import prepare
from .websocket import WebSocket

ROOT = Path(__file__).resolve().parent.parent
PORT = 8917
SECONDS = 20                   # of measuring
WARM = 5                       # seconds before
SAMPLES = 4                    # looks at the rows, in a second
GUEST = "bench"
HEAD = re.compile(r'<div id="head"[^>]* data-seq="(\d+)"')
ROW = re.compile(r'<li id="m-(\d+)"')


class Product:
    """`manage.py serve` on a database of its own; `started` is how many seconds it took until a page was answered."""

    def __init__(self, folder):
        self.environment, self.log = {**os.environ, **prepare(folder)}, folder / "log"

    def __enter__(self):
        begin = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([sys.executable, "manage.py", "serve", "--port", str(PORT)], cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        while not self.answers():
            time.sleep(0.02)
        self.started = time.monotonic() - begin
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/") as page:
                return page.status == 200
        except OSError:
            return False

    def processor_seconds(self):
        """{"server": CPU seconds so far, "worker": the same}"""
        worker = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()[0]
        return {name: sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
                for name, pid in (("server", self.process.pid), ("worker", worker))}


# -- rows ------------------------------------------------------------------------------------------------------------------
def a_story(speed, pods):
    """A cluster with so much to tell that it does not end while it is measured."""
    from lifecycle import clusters

    row = clusters.create("bench", 3, seed=1)
    clusters.set_pace(row.pk, "step")
    clusters.watch([row.pk])
    clusters.command(row.pk, "kubectl apply -f web.yaml", {"web.yaml": yaml.safe_dump(deployment(pods))})
    for _ in range(25):
        clusters.next_message(row.pk)
    clusters.set_pace(row.pk, "story", speed)
    row.watched_until = 0
    row.guest = GUEST
    row.save(update_fields=["watched_until", "guest"])
    return row.pk


def a_cookie():
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session["guest"] = GUEST
    session.save()
    return f"sessionid={session.session_key}"


def sample():
    """[(cluster, its last message, when the worker began to tell it)]"""
    from django.db import connection

    with connection.cursor() as cursor:
        return cursor.execute("SELECT id, messages, told FROM lifecycle_cluster").fetchall()


# -- sockets ---------------------------------------------------------------------------------------------------------------
class Viewers:
    """Many sockets: when each message came first and last, and whether some viewer missed one."""

    def __init__(self, cookie):
        self.cookie, self.came, self.told, self.missed, self.frames, self.bytes = cookie, {}, {}, 0, 0, 0

    async def look(self, pk, since):
        """Look at a cluster for ever."""
        async with await WebSocket.open(PORT, f"/ws/clusters/{pk}/?since={since}&lang=en", self.cookie) as socket:
            while True:
                text = await socket.receive()
                now = time.time()
                self.frames += 1
                self.bytes += len(text)
                rows = [int(seq) for seq in ROW.findall(text)]
                self.missed += rows != list(range(since + 1, since + 1 + len(rows)))
                since = rows[-1] if rows else since
                self.came.setdefault((pk, int(HEAD.search(text)[1])), []).append(now)

    async def sample(self):
        """Note when messages were told, again and again."""
        while True:
            for pk, seq, told in await asyncio.to_thread(sample):
                self.told[pk, seq] = told
            await asyncio.sleep(1 / SAMPLES)

    async def measure(self, lookers, spread):
        """Let each (cluster, last message) be looked at, beginning within `spread` seconds; count only after a while of warming."""
        tasks = [asyncio.create_task(self.sample())]
        for pk, since in lookers:
            tasks.append(asyncio.create_task(self.look(pk, since)))
            await asyncio.sleep(spread / len(lookers))
        await asyncio.sleep(WARM)
        self.came, self.frames, self.bytes, begin = {}, 0, 0, time.time()
        await asyncio.sleep(SECONDS)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        failed = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
        assert not failed, failed[0]
        return begin

    def ways(self):
        """Milliseconds that messages took, sorted; of those whose telling was seen."""
        return sorted((now - self.told[about]) * 1000 for about, times in self.came.items() if self.told.get(about) for now in times)


def looked_at(product, lookers, spread):
    """The figures of a crowd of viewers."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    viewers, before = Viewers(a_cookie()), product.processor_seconds()
    begin = time.time()
    asyncio.run(viewers.measure(lookers, spread))
    busy, took, ways = product.processor_seconds(), time.time() - begin, viewers.ways()
    return {"p50 ms": ways[len(ways) // 2], "p99 ms": ways[len(ways) * 99 // 100], "most ms": ways[-1], "pushes a second": viewers.frames / SECONDS,
            "KB a push": viewers.bytes / viewers.frames / 1024, "missed": viewers.missed,
            **{f"{name}'s share of a core": (busy[name] - before[name]) / took for name in busy}}


# -- jobs ------------------------------------------------------------------------------------------------------------------
def moving_job(product, count, nodes):
    """Clusters that each say something every second, each looked at by one browser."""
    from lifecycle.models import Cluster

    stories = [a_story(1, 20) for _ in range(count)]
    known = dict(Cluster.objects.values_list("pk", "messages"))
    return looked_at(product, [(pk, known[pk]) for pk in stories], 5)


def viewers_job(product, count, nodes):
    """One cluster that says something five times a second, looked at by many."""
    from lifecycle.models import Cluster

    pk = a_story(0.2, 200)
    return looked_at(product, [(pk, Cluster.objects.get(pk=pk).messages)] * count, 5)


def start_job(product, count, nodes):
    """A second start: the first makes an account, and collects and compresses static files."""
    product.__exit__()
    product.__enter__()
    return {"seconds until a page answers": product.started}


JOBS = {"moving": moving_job, "viewers": viewers_job, "start": start_job}


def main():
    name, count, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder, Product(Path(folder)) as product:
        figures = JOBS[name](product, count, nodes)
    for what, value in figures.items():
        print(f"{what}\t{value:.3f}")


if __name__ == "__main__":
    main()
