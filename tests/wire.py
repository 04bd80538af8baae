"""Clients of a cluster's Kubernetes API for tests, in this process: requests with their answers, and watches line by line."""
import asyncio
import json
from typing import NamedTuple

import pytest
import pytest_asyncio
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async as in_thread

from lifecycle import clusters
from lifecycle.asgi import application
from lifecycle.kubernetes_api import serving
from lifecycle.models import Cluster

SECRET = "of-the-test"
PODS, CONFIG_MAPS = "/api/v1/namespaces/default/pods", "/api/v1/namespaces/default/configmaps"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
PATIENCE = 5                   # seconds that an answer may take


class Answered(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Stream:
    """An answer that goes on."""

    def __init__(self, connection, status, headers):
        self.connection, self.status, self.headers, self.rest = connection, status, headers, b""

    async def line(self, patience=PATIENCE):
        """The next frame of a watch, or None if it has ended."""
        while b"\n" not in self.rest:
            message = await self.connection.receive_output(patience)
            self.rest += message.get("body", b"")
            if not message.get("more_body"):
                return None
        found, _, self.rest = self.rest.partition(b"\n")
        return json.loads(found)

    async def lines(self, count):
        return [await self.line() for _ in range(count)]

    async def text(self, upto):
        """What comes until a text ends so."""
        while not self.rest.decode().endswith(upto):
            self.rest += (await self.connection.receive_output(PATIENCE)).get("body", b"")
        found, self.rest = self.rest.decode(), b""
        return found

    async def rest_of_it(self):
        """What comes until the answer ends."""
        while (message := await self.connection.receive_output(PATIENCE)).get("more_body"):
            self.rest += message["body"]
        return (self.rest + message["body"]).decode()

    async def is_silent(self, seconds=0.1):
        """Whether nothing comes for a while."""
        await asyncio.sleep(seconds)
        while not self.connection.output_queue.empty():
            self.rest += self.connection.output_queue.get_nowait().get("body", b"")
        return not self.rest

    async def close(self):
        """The client leaves."""
        await self.connection.send_input({"type": "http.disconnect"})
        await self.connection.wait(PATIENCE)


class Wire:
    """A program that has the address of a cluster."""

    def __init__(self, pk, secret=SECRET, agent="test/1.0", **headers):
        self.pk, self.secret, self.headers = pk, secret, {"user-agent": agent, **headers}

    async def _begin(self, method, path, body, headers):
        path, _, query = path.partition("?")
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"content-length": str(len(data)), **({"content-type": "application/json"} if data else {}), **self.headers, **headers}
        where = f"/clusters/{self.pk}/t/{self.secret}{path}" if self.secret else f"/clusters/{self.pk}{path}"
        connection = ApplicationCommunicator(application, {
            "type": "http", "http_version": "1.1", "method": method, "path": where, "raw_path": where.encode(), "root_path": "", "scheme": "http",
            "query_string": query.encode(), "headers": [(name.encode(), value.encode()) for name, value in sent.items()]})
        await connection.send_input({"type": "http.request", "body": data})
        start = await connection.receive_output(PATIENCE)
        return connection, start["status"], {name.decode().lower(): value.decode() for name, value in start["headers"]}

    async def ask(self, method, path, body=None, **headers):
        """The Answered of a request; names of headers are written with underscores."""
        connection, status, found = await self._begin(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        parts = []
        while (message := await connection.receive_output(PATIENCE)).get("more_body"):
            parts.append(message["body"])
        await connection.wait(PATIENCE)
        return Answered(status, found, b"".join([*parts, message["body"]]))

    async def get(self, path, **headers):
        return await self.ask("GET", path, **headers)

    async def open(self, path, **headers):
        """The Stream of a watch or a followed log."""
        return Stream(*await self._begin("GET", path, None, headers))


@pytest_asyncio.fixture(autouse=True)
async def tidy():
    """What serves the test's loop ends with it."""
    yield
    here = serving.serving()
    for task in [*here.feeds.tasks, *(feed.task for feed in here.feeds.feeds.values())]:
        task.cancel()
    await asyncio.gather(*here.feeds.tasks, return_exceptions=True)
    for threads in (here.threads, here.readers, here.feeds.threads):
        threads.end()


@pytest.fixture
def quick(monkeypatch):
    """Lost announcements are looked for all the time, and so are followed logs."""
    monkeypatch.setattr("lifecycle.kubernetes_api.feeds.LOOK", 0.05)
    monkeypatch.setattr("lifecycle.kubernetes_api.logs.LOOK", 0.05)


async def a_cluster_with_address(pace="paused", **options):
    """The pk of a fresh cluster of one node whose address is known."""
    def make():
        row = clusters.create("web", 1, seed=1)
        Cluster.objects.filter(pk=row.pk).update(api_secret=SECRET)
        clusters.set_pace(row.pk, pace, **options)
        return row.pk
    return await in_thread(make)()


async def until_settled(pk):
    """Let the cluster do all that is to be done now."""
    def settle():
        with clusters.act(pk) as cluster:
            cluster.simulation.run_until_settled(cluster.simulation.clock.now + 600_000)
    await in_thread(settle)()


async def until(pk, seconds):
    """Let so many virtual seconds pass."""
    def run():
        with clusters.act(pk) as cluster:
            cluster.simulation.run_until(cluster.simulation.clock.now + seconds * 1000)
    await in_thread(run)()


async def messages_of(pk):
    """The (source, target, reason) of all messages."""
    from lifecycle import looking_back
    return [(step.source, step.target, step.reason) for step in await in_thread(looking_back.messages)(pk)]


def a_config_map(name="cm", **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data or {"a": "b"}}
