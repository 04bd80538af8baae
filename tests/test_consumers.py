"""Sockets: everybody who looks at a cluster gets every message, once and in order, whenever they come."""
import json

import pytest
from channels.db import database_sync_to_async as in_thread

from lifecycle import clusters, hub, viewers

from .sockets import a_learners_cluster, a_viewer, messages_of, next_message, plain_pushes, steps_until, tidy  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


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
    monkeypatch.setattr(viewers, "UNSHOWN", 5)
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
    assert not hub.hub().listening.layer.groups.get(f"cluster.{pk}")
