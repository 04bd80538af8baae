"""Sockets: everybody who looks at a cluster gets every message, once and in order, whenever they come."""
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

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
ORIGIN = b"http://127.0.0.1"


@pytest.fixture(autouse=True)
def plain_pushes(monkeypatch):
    """Pushes as JSON instead of HTML: what matters here is who gets which messages."""
    def render_push(row, steps, snapshot, language, before):
        return json.dumps({"steps": [step.seq for step in steps], "upto": row.messages, "language": language, "pace": row.pace,
                           "changed": sorted(snapshot.changed)})

    def render_behind(row, language):
        return json.dumps({"behind": row.messages})

    monkeypatch.setattr(hub, "pushing", SimpleNamespace(render_push=render_push, render_behind=render_behind))
    monkeypatch.setattr(hub, "PUSHES", 1000)


@pytest_asyncio.fixture(autouse=True)
async def tidy():
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


async def a_socket(pk, guest="ada", query="since=0&lang=en", origin=ORIGIN):
    cookie = await in_thread(a_session)(guest=guest)
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


# -- news ------------------------------------------------------------------------------------------------------------------
async def test_who_comes_gets_what_was_said_and_then_what_is_said():
    pk = await a_learners_cluster()
    socket = await a_viewer(pk)
    assert await steps_until(socket, 1) == [1]
    for _ in range(10):
        await next_message(pk)
    upto = await messages_of(pk)
    assert await steps_until(socket, upto) == list(range(2, upto + 1))
    await socket.disconnect()


async def test_who_comes_again_gets_what_was_missed():
    pk = await a_learners_cluster()
    for _ in range(10):
        await next_message(pk)
    upto = await messages_of(pk)
    socket = await a_viewer(pk, since=7)
    assert await steps_until(socket, upto) == list(range(8, upto + 1))
    await socket.disconnect()


async def test_two_who_look_see_the_same_each_in_their_language():
    pk = await a_learners_cluster()
    one, two = await a_viewer(pk), await a_viewer(pk, language="zh-hans")
    for _ in range(20):
        await next_message(pk)
    upto = await messages_of(pk)
    assert await steps_until(one, upto) == await steps_until(two, upto) == list(range(1, upto + 1))
    await in_thread(clusters.set_pace)(pk, "paused")
    assert [json.loads(await socket.receive_from(5))["language"] for socket in (one, two)] == ["en", "zh-hans"]
    await one.disconnect()
    await two.disconnect()


async def test_a_change_of_pace_is_told():
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    assert json.loads(await socket.receive_from(5))["pace"] == "step"
    await in_thread(clusters.set_pace)(pk, "paused")
    assert json.loads(await socket.receive_from(5)) == {"steps": [], "upto": 1, "language": "en", "pace": "paused", "changed": []}
    await socket.disconnect()


async def test_a_push_says_what_has_changed_since_the_viewers_last_message():
    pk = await a_learners_cluster()
    while not await in_thread(lambda: hub.looking_back.snapshot(pk).objects.get("/registry/pods/default/web"))():
        await next_message(pk)
    socket = await a_viewer(pk, since=1)
    assert json.loads(await socket.receive_from(5))["changed"] == ["/registry/pods/default/web"]
    await socket.disconnect()


async def test_who_has_missed_too_much_is_told_to_begin_anew(monkeypatch):
    monkeypatch.setattr(hub, "MOST", 5)
    pk = await a_learners_cluster()
    for _ in range(10):
        await next_message(pk)
    socket = await a_viewer(pk)
    assert json.loads(await socket.receive_from(5)) == {"behind": await messages_of(pk)}
    await socket.disconnect()


async def test_who_has_seen_a_cluster_that_was_reset_is_told_to_begin_anew():
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    await socket.receive_from(5)
    await in_thread(clusters.reset)(pk)
    assert json.loads(await socket.receive_from(5)) == {"behind": 2}
    await socket.disconnect()


async def test_a_lost_announcement_is_made_up_for(monkeypatch):
    monkeypatch.setattr(hub, "LOOK", 0.05)
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    await socket.receive_from(5)
    monkeypatch.setattr("lifecycle.announcing.announce", lambda row: None)
    await next_message(pk)
    assert await steps_until(socket, await messages_of(pk))
    await socket.disconnect()


async def test_a_viewer_that_shows_nothing_is_waited_for(monkeypatch):
    monkeypatch.setattr(hub, "UNSHOWN", 5)
    pk = await a_learners_cluster()
    slow, quick = await a_viewer(pk), await a_viewer(pk)
    await slow.send_json_to({"since": 0})
    while await next_message(pk):
        upto = await messages_of(pk)
        await steps_until(quick, upto)
    # It should have got a few messages, and the rest in one piece when it says that it has shown them
    got = []
    while not await slow.receive_nothing(0.05):
        got += json.loads(await slow.receive_from())["steps"]
    assert 5 < got[-1] < upto
    await slow.send_json_to({"since": got[-1]})
    assert got + json.loads(await slow.receive_from(5))["steps"] == list(range(1, upto + 1))
    await slow.disconnect()
    await quick.disconnect()


async def test_when_the_last_viewer_has_gone_nothing_is_kept():
    pk = await a_learners_cluster()
    one, two = await a_viewer(pk), await a_viewer(pk)
    await one.disconnect()
    assert pk in hub.hub().rooms
    await two.disconnect()
    assert not hub.hub().rooms
    assert not hub.hub().layer.groups.get(f"cluster.{pk}")


# -- trust -----------------------------------------------------------------------------------------------------------------
async def test_another_learners_cluster_does_not_exist():
    pk = await a_learners_cluster()
    socket = await a_socket(pk, guest="bob")
    assert (await socket.connect())[0]
    assert await closed(socket) == (4404, "there is no such cluster")


async def test_the_sockets_of_a_deleted_cluster_are_closed():
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    await socket.receive_from(5)
    await in_thread(clusters.delete)(pk)
    assert (await closed(socket))[0] == 4404


@pytest.mark.parametrize("said", ["garbage", "[]", "{}", '{"since": -1}', '{"since": true}', '{"since": 1, "more": 2}', '{"since": "1"}', "{" * 10000])
async def test_a_socket_that_says_garbage_is_closed_with_a_reason(said):
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    await socket.receive_from(5)
    await socket.send_to(said)
    assert await closed(socket) == (4400, 'expected {"since": number}')


async def test_bytes_are_garbage_too():
    socket = await a_viewer(await a_learners_cluster(), since=1)
    await socket.receive_from(5)
    await socket.send_to(bytes_data=b"\x00")
    assert (await closed(socket))[0] == 4400


@pytest.mark.parametrize("since", ["x", "-1", "1e3", "9" * 30, "%F0"])
async def test_a_socket_that_begins_nowhere_is_closed(since):
    socket = await a_socket(await a_learners_cluster(), query=f"since={since}")
    assert (await socket.connect())[0]
    assert (await closed(socket))[0] == 4400


async def test_a_page_of_another_site_gets_no_socket():
    socket = await a_socket(await a_learners_cluster(), origin=b"https://elsewhere.example")
    assert not (await socket.connect())[0]
