"""The job of the Kubernetes API: programs that watch a cluster and others that ask it something, `manage.py serve` as it comes.

Requests are made at fixed times, whether those before have been answered or not; a request takes from then until its answer. A change takes from when its
request was to be made until a watch has it. All share this machine.
"""
import asyncio
import json
import re
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from .serving import PORT, Product

SECONDS, WARM = 20, 5          # of measuring, and before
RATE = 50                      # requests a second
CONNECTIONS = 20               # that ask
SECRET = "of-the-benchmark"
PLACE = "/api/v1/namespaces/default"
WATCHED = (f"{PLACE}/configmaps", f"{PLACE}/pods", f"{PLACE}/events", "/apis/apps/v1/namespaces/default/deployments")
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
VERSION = re.compile(rb'"resourceVersion":"(\d+)"')


def a_cluster(nodes):
    """The pk of a cluster in real time with an address and something in it."""
    from lifecycle import clusters
    from lifecycle.models import Cluster

    row = clusters.create("bench", nodes, seed=1)
    Cluster.objects.filter(pk=row.pk).update(api_secret=SECRET)
    clusters.set_pace(row.pk, "real", 1)
    clusters.watch([row.pk])
    clusters.command(row.pk, "kubectl create configmap settings")
    clusters.command(row.pk, "kubectl create deployment web --image=nginx:1.27 --replicas=10")
    return row.pk


class Connection:
    """HTTP kept alive."""

    async def open(self, root):
        self.root = root
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT, limit=2 ** 24)
        return self

    def send(self, method, path, body=None, media="application/json", accept="application/json"):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {self.root}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: {accept}\r\nContent-Type: {media}\r\nContent-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)

    async def answer(self):
        """(status, body)"""
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
        return int(head.split()[1]), await self.reader.readexactly(length)


class Load:
    """What programs do, and what came of it."""

    def __init__(self, root):
        self.root, self.free, self.numbers = root, asyncio.Queue(), count()
        self.took, self.refused, self.begun, self.came, self.seen = [], 0, {}, [], {}

    # -- requests ----------------------------------------------------------------------------------------------------------
    def next_request(self):
        """What is asked next, in turn: lists, single objects, changes, and Pods that come and go."""
        number = next(self.numbers)
        turn = number % 10
        if turn < 4:
            return "GET", f"{PLACE}/pods?limit=500", None, "application/json", TABLE
        if turn < 6:
            return "GET", f"{PLACE}/configmaps/settings"
        if turn < 9:
            return "PATCH", f"{PLACE}/configmaps/settings", {"data": {"number": str(number)}}, "application/merge-patch+json"
        if number // 10 % 2:
            return "DELETE", f"{PLACE}/pods/p-{number // 20}", {"gracePeriodSeconds": 0}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p-{number // 20}"}, "spec": {"containers": [{"name": "app", "image": "nginx:1.27"}]}}
        return "POST", f"{PLACE}/pods", pod

    async def ask(self, at, request):
        connection = await self.free.get()
        connection.send(*request)
        status, body = await connection.answer()
        self.free.put_nowait(connection)
        self.took.append((time.monotonic() - at) * 1000)
        self.refused += status >= 300
        if request[0] == "PATCH":
            self.begun[int(VERSION.search(body)[1])] = at

    async def ask_for_ever(self):
        start = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            for number in count():
                at = start + number / RATE
                await asyncio.sleep(max(at - time.monotonic(), 0))
                tasks.create_task(self.ask(at, self.next_request()))

    # -- watches -----------------------------------------------------------------------------------------------------------
    async def watch(self, number, path):
        """Watch for ever, and note every version that comes."""
        connection = await Connection().open(self.root)
        connection.send("GET", f"{path}?watch=true")
        await connection.reader.readuntil(b"\r\n\r\n")
        seen = self.seen[number, path] = []
        while line := await connection.reader.readline():
            if line.startswith(b'{"type"'):
                seen.append(int(VERSION.search(line)[1]))
                self.came.append((seen[-1], time.monotonic()))

    async def measure(self, watches):
        for _ in range(CONNECTIONS):
            self.free.put_nowait(await Connection().open(self.root))
        tasks = []
        for number in range(watches):
            tasks.append(asyncio.create_task(self.watch(number, WATCHED[number % len(WATCHED)])))
            await asyncio.sleep(WARM / watches)
        asking = asyncio.create_task(self.ask_for_ever())
        await asyncio.sleep(WARM)
        self.took, self.begun, self.came, first = [], {}, [], {about: len(seen) for about, seen in self.seen.items()}
        await asyncio.sleep(SECONDS)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await asyncio.sleep(1)                       # what was changed last comes too
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in ended), ended
        return first

    def missed(self, first):
        """Versions that some watch of a kind has got since it was warm, and another one of the same kind has not."""
        newest = {path: {version for (_, each), seen in self.seen.items() if each == path for version in seen[first[_, each]:]} for path in WATCHED}
        return sum(len(newest[path] - set(seen)) for (_, path), seen in self.seen.items()) + len(set(self.begun) - newest[WATCHED[0]])

    def ways(self):
        """Milliseconds that changes took to a watch, sorted."""
        return sorted((now - self.begun[version]) * 1000 for version, now in self.came if version in self.begun)


def requests_job(product, watches, nodes):
    load, before = Load(f"/clusters/{a_cluster(nodes)}/t/{SECRET}"), product.processor_seconds()
    begin = time.monotonic()
    first = asyncio.run(load.measure(watches))
    passed, busy = time.monotonic() - begin, product.processor_seconds()
    took, ways = sorted(load.took), load.ways()
    return {"p50 ms": took[len(took) // 2], "p99 ms": took[len(took) * 99 // 100], "most ms": took[-1], "requests a second": len(took) / SECONDS,
            "refused": load.refused, "p50 ms to a watch": ways[len(ways) // 2], "p99 ms to a watch": ways[len(ways) * 99 // 100],
            "changes a second to watches": len(load.came) / SECONDS, "missed": load.missed(first),
            **{f"{name}'s share of a core": (busy[name] - before[name]) / passed for name in busy}}


def main():
    _, watches, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder, Product(Path(folder)) as product:
        figures = requests_job(product, watches, nodes)
    for what, value in figures.items():
        print(f"{what}\t{value:.3f}")


if __name__ == "__main__":
    main()
