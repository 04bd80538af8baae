"""Sockets for tests: browsers that look at a cluster, with pushes as JSON instead of HTML; what matters is who gets which messages."""
import asyncio
import json
from importlib import import_module
from types import SimpleNamespace

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async as in_thread
from channels.testing import WebsocketCommunicator
from django.conf import settings

from lifecycle import clusters, hub
from lifecycle.asgi import application
from lifecycle.models import Cluster

ORIGIN = b"http://127.0.0.1"


@pytest.fixture(autouse=True)
def plain_pushes(monkeypatch):
    def render_push(row, steps, snapshot, language, before):
        return json.dumps({"steps": [step.seq for step in steps], "upto": row.messages, "language": language, "pace": row.pace,
                           "changed": sorted(snapshot.changed)})

    def render_behind(row, language):
        return json.dumps({"behind": row.messages})

    monkeypatch.setattr(hub, "pushing", SimpleNamespace(render_push=render_push, render_behind=render_behind))
    monkeypatch.setattr(hub, "PUSHES", 1000)


@pytest_asyncio.fixture(autouse=True)
async def tidy():
    """The hub of the test's loop ends with it."""
    yield
    here = hub.hub()
    for task in here.tasks:
        task.cancel()
    await asyncio.gather(*here.tasks, return_exceptions=True)
    here.threads.end()


async def a_learners_cluster(guest="ada"):
    """A paused cluster in which a command waits to be carried out."""
    def make():
        row = clusters.create("web", 1, guest=guest, seed=1)
        clusters.set_pace(row.pk, "step")
        clusters.watch([row.pk])
        clusters.command(row.pk, "kubectl run web --image=nginx")
        return row.pk
    return await in_thread(make)()


async def next_message(pk):
    return await in_thread(clusters.next_message)(pk)


def a_session(**values):
    """The cookie of a browser session with these values."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session.update(values)
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}".encode()


async def a_socket(pk, guest="ada", query="since=0&lang=en", origin=ORIGIN, **session):
    cookie = await in_thread(a_session)(guest=guest, **session)
    return WebsocketCommunicator(application, f"/ws/clusters/{pk}/?{query}", headers=[(b"origin", origin), (b"host", b"127.0.0.1"), (b"cookie", cookie)])


async def a_viewer(pk, since=0, **options):
    socket = await a_socket(pk, query=f"since={since}&lang={options.pop('language', 'en')}", **options)
    assert (await socket.connect())[0]
    return socket


async def steps_until(socket, upto):
    """The numbers of the messages that a socket gets until it has message `upto`."""
    found = []
    while not found or found[-1] < upto:
        found += json.loads(await socket.receive_from(5))["steps"]
    return found


async def closed(socket):
    """(code, reason) with which a socket is closed."""
    message = await socket.receive_output(5)
    assert message["type"] == "websocket.close"
    return message["code"], message["reason"]


async def messages_of(pk):
    return (await Cluster.objects.aget(pk=pk)).messages
