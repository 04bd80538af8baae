"""exec, attach and logs over websockets: subprotocols, frames, ends and refusals. The cluster's time runs a thousand times as fast as the wall."""
import asyncio
import base64
import json
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async as in_thread
from channels.testing import WebsocketCommunicator

from lifecycle import clusters
from lifecycle.asgi import application
from lifecycle.kubernetes_api.streams import connection, serving
from lifecycle.models import Cluster

from .builders import a_pod

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
SECRET = "a-secret"
PODS = "/api/v1/namespaces/default/pods"
V5, V4 = "v5.channel.k8s.io", "v4.channel.k8s.io"


@pytest_asyncio.fixture(autouse=True)
async def tidy():
    """The threads of the test's loop end with it."""
    yield
    serving.threads().end()


@pytest_asyncio.fixture
async def cluster():
    """The pk of a cluster in which a Pod web runs (nginx), and a Pod talker that prints the date every 5 seconds."""
    def make():
        row = clusters.create("web", 1, seed=1)
        Cluster.objects.filter(pk=row.pk).update(api_secret=SECRET)
        clusters.set_pace(row.pk, "real", 1000)
        clusters.watch([row.pk])
        with clusters.act(row.pk) as opened:
            for pod in (a_pod("web", image="nginx"), a_pod("talker", container={"command": ["sh", "-c", "while true; do date +%s; sleep 5; done"]})):
                opened.simulation.api.http("POST", PODS, {}, pod)
            opened.simulation.run_until(20_000)
        return row.pk
    return await in_thread(make)()


def a_socket(pk, path, query="", protocols=(V5,), secret=SECRET):
    return WebsocketCommunicator(application, f"/clusters/{pk}/t/{secret}{PODS}/{path}?{query}", [(b"user-agent", b"kubectl/v1.37.1")], list(protocols))


async def connected(socket):
    """The subprotocol that was chosen."""
    accepted, protocol = await socket.connect(10)
    assert accepted
    return protocol


async def move(pk):
    """Bring the cluster up to the present, as a worker does."""
    def act():
        with clusters.act(pk):
            pass
    await in_thread(act)()


@asynccontextmanager
async def moving(pk):
    """Meanwhile the cluster moves."""
    async def go_on():
        while True:
            await move(pk)
            await asyncio.sleep(0.05)
    task = asyncio.create_task(go_on())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until_closed(pk, socket):
    """({channel: bytes}, close code) of all that comes, while the cluster moves."""
    async with moving(pk):
        return await all_of(socket)


async def all_of(socket):
    found = {}
    while True:
        message = await socket.receive_output(10)
        if message["type"] == "websocket.close":
            return found, message["code"]
        data = message.get("bytes") or message["text"].encode()
        found[data[0]] = found.get(data[0], b"") + data[1:]


def status(found):
    return json.loads(found[3])


async def test_a_command_is_run_and_its_status_is_the_last_word(cluster):
    socket = a_socket(cluster, "web/exec", "command=sh&command=-c&command=echo+out;+echo+err+>%262;+exit+3&stdout=true&stderr=true")
    assert await connected(socket) == V5
    found, code = await until_closed(cluster, socket)
    assert (found[1], found[2], code) == (b"out\n", b"err\n", 1000)
    assert status(found)["details"] == {"causes": [{"reason": "ExitCode", "message": "3"}]}
    assert status(found)["reason"] == "NonZeroExitCode"


async def test_input_reaches_the_command_and_ends_with_the_close_channel(cluster):
    socket = a_socket(cluster, "web/exec", "command=sha256sum&stdin=true&stdout=true")
    await connected(socket)
    await socket.send_to(bytes_data=b"\0a")
    await socket.send_to(bytes_data=b"\0bc")
    await socket.send_to(bytes_data=b"\4" + b'{"Width":80,"Height":24}')
    await socket.send_to(bytes_data=b"\xff\0")
    found, _ = await until_closed(cluster, socket)
    assert found[1] == b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  -\n"
    assert status(found) == {"metadata": {}, "status": "Success"}


@pytest.mark.parametrize(("offered", "chosen"), [
    ([V5, V4], V5), ([V4], V4), (["v9.channel.k8s.io", V4], V4), ([], None)])
async def test_the_first_dialect_that_is_known_is_spoken(cluster, offered, chosen):
    socket = a_socket(cluster, "web/exec", "command=hostname&stdout=true", offered)
    assert await connected(socket) == chosen
    found, _ = await until_closed(cluster, socket)
    assert found[1] == b"web\n"


async def test_the_base64_dialect_is_text(cluster):
    socket = a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true", ["base64.channel.k8s.io"])
    await connected(socket)
    await socket.send_to(text_data="0" + base64.b64encode(b"hello\n").decode())
    async with moving(cluster):
        message = await socket.receive_output(10)
    assert (message["text"][0], base64.b64decode(message["text"][1:])) == ("1", b"hello\n")
    await socket.disconnect()


@pytest.mark.parametrize(("secret", "protocols"), [("wrong", (V5,)), (SECRET, ("v9.channel.k8s.io",))])
async def test_a_wrong_secret_or_an_unknown_dialect_is_refused_in_the_handshake(cluster, secret, protocols):
    accepted, _ = await a_socket(cluster, "web/exec", "command=ls&stdout=true", protocols, secret).connect(10)
    assert not accepted


@pytest.mark.parametrize(("path", "query", "message"), [
    ("nope/exec", "command=ls&stdout=true", 'pods "nope" not found'), ("web/exec", "command=nope&stdout=true", "Internal error occurred: Internal error"),
    ("web/exec", "stdout=true", "you must specify at least one command"), ("web/status", "", "there is nothing to connect to")])
async def test_what_cannot_be_connected_is_said_in_a_status(cluster, path, query, message):
    socket = a_socket(cluster, path, query)
    await connected(socket)
    found, code = await until_closed(cluster, socket)
    assert status(found)["status"] == "Failure"
    assert status(found)["message"].startswith(message)
    assert code == 1000


async def test_garbage_is_passed_over(cluster):
    socket = a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true")
    await connected(socket)
    for junk in (b"\x09what", b"\x01not yours", b"\xff", b"\xff\x07"):
        await socket.send_to(bytes_data=junk)
    await socket.send_to(text_data="\x00as text\n")
    await socket.send_to(bytes_data=b"\xff\0")
    found, _ = await until_closed(cluster, socket)
    assert found[1] == b"as text\n"


async def test_too_much_input_ends_the_connection_with_a_sentence(cluster):
    socket = a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true")
    await connected(socket)
    for _ in range(9):
        await socket.send_to(bytes_data=b"\0" + b"x" * 65_536)
    found, _ = await until_closed(cluster, socket)
    assert status(found)["message"] == "a container takes at most 524288 characters of input through one connection"


async def test_a_message_that_is_too_large_closes_the_socket(cluster):
    socket = a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true")
    await connected(socket)
    await socket.send_to(bytes_data=bytes(connection.LARGEST + 1))
    assert (await until_closed(cluster, socket))[1] == connection.TOO_BIG


async def test_more_connections_than_a_cluster_may_have_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(connection, "MOST", 1)
    first, second = (a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true") for _ in range(2))
    await connected(first)
    assert (await second.connect(10))[0] is False
    await first.disconnect()
    third = a_socket(cluster, "web/exec", "command=cat&stdin=true&stdout=true")
    await connected(third)
    await third.disconnect()


async def test_who_leaves_closes_the_stream(cluster):
    socket = a_socket(cluster, "web/exec", "command=sleep&command=100000&stdout=true")
    await connected(socket)
    await socket.disconnect()

    def streams():
        with clusters.act(cluster) as opened:
            return [id for id in opened.simulation.etcd.disk("streams") if id != "count"]
    assert await in_thread(streams)() == []


async def test_a_stream_ends_with_its_cluster(cluster):
    socket = a_socket(cluster, "web/exec", "command=sleep&command=100000&stdout=true")
    await connected(socket)
    await in_thread(clusters.delete)(cluster)
    message = await socket.receive_output(10)
    assert json.loads(message["bytes"][1:])["message"].startswith("the connection was closed")


async def test_an_attached_container_is_heard_from_now_on(cluster):
    socket = a_socket(cluster, "talker/attach", "stdout=true")
    await connected(socket)
    async with moving(cluster):
        message = await socket.receive_output(10)
    assert message["bytes"][:1] == b"\x01"
    assert message["bytes"][1:].strip().split(b"\n")[0].isdigit()
    await socket.disconnect()


@pytest.mark.parametrize(("protocols", "unpacked"), [(["binary.k8s.io"], bytes), (["base64.binary.k8s.io"], base64.b64decode), ([], bytes)])
async def test_a_log_comes_without_channels(cluster, protocols, unpacked):
    socket = a_socket(cluster, "talker/log", "tailLines=1&follow=true", protocols)
    await connected(socket)
    message = await socket.receive_output(5)
    assert unpacked(message.get("bytes") or message["text"]).strip().isdigit()
    await socket.disconnect()
