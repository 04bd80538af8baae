"""Who gets a socket and who loses it: strangers, pages of other sites, sockets that say garbage, and who could look once."""
import pytest
from channels.db import database_sync_to_async as in_thread

from lifecycle import clusters, hub
from lifecycle.models import Cluster

from .cast import an_account
from .sockets import a_learners_cluster, a_socket, a_viewer, closed, messages_of, next_message, plain_pushes, steps_until, tidy  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


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


async def test_a_link_that_is_taken_back_closes_the_sockets_that_it_opened(monkeypatch):
    monkeypatch.setattr(hub, "LOOK", 0.05)
    pk = await a_learners_cluster()
    await Cluster.objects.filter(pk=pk).aupdate(view_secret="secret")
    owner, watcher = await a_viewer(pk, since=1), await a_viewer(pk, since=1, guest="bob", shared=["secret"])
    for socket in (owner, watcher):
        await socket.receive_from(5)
    await Cluster.objects.filter(pk=pk).aupdate(view_secret="")
    assert await closed(watcher) == (4404, "there is no such cluster")
    # It should leave the owner's open.
    await next_message(pk)
    assert await steps_until(owner, await messages_of(pk))
    await owner.disconnect()


async def test_a_cluster_with_another_owner_closes_the_sockets_of_the_one_before(monkeypatch):
    monkeypatch.setattr(hub, "LOOK", 0.05)
    pk = await a_learners_cluster()
    before, after = await a_viewer(pk, since=1), await in_thread(an_account)()
    await before.receive_from(5)
    await Cluster.objects.filter(pk=pk).aupdate(owner=after, guest="")
    assert await closed(before) == (4404, "there is no such cluster")


async def test_viewers_are_asked_for_nothing_while_nobody_takes_anything_back(monkeypatch):
    asked = []
    monkeypatch.setattr(hub, "strangers", lambda pk, viewers: asked.append(pk) or [])
    pk = await a_learners_cluster()
    socket = await a_viewer(pk, since=1)
    await socket.receive_from(5)
    for _ in range(3):
        await next_message(pk)
        await hub.hub().look_once()
    assert asked == []
    await Cluster.objects.filter(pk=pk).aupdate(view_secret="new")
    await hub.hub().look_once()
    assert asked == [pk]
    await socket.disconnect()


async def test_who_asks_whether_somebody_is_there_gets_an_answer():
    socket = await a_viewer(await a_learners_cluster(), since=1)
    await socket.receive_from(5)
    await socket.send_json_to({"answer": 1})
    assert await socket.receive_json_from(5) == {"answer": 1}
    await socket.send_json_to({"since": 1})
    assert await socket.receive_nothing(0.05)
    await socket.disconnect()


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
