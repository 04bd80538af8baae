"""port-forward and proxy: SPDY frames, the HTTP that a forwarded port speaks, websockets of both kinds, and what the API server passes on."""
import struct
import zlib

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async as in_thread
from channels.testing import WebsocketCommunicator
from hypothesis import given
from hypothesis import strategies as st

from lifecycle import clusters
from lifecycle.asgi import application
from lifecycle.kubernetes_api.streams import forwarding, serving, spdy
from lifecycle.kubernetes_api.streams.http_server import HttpConnection, response
from lifecycle.models import Cluster

from .builders import a_deployment, a_pod, a_service, create, run

SECRET = "a-secret"
PODS = "/api/v1/namespaces/default/pods"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Client:
    """The other end of SPDY, as kubectl has it."""

    def __init__(self):
        self.packer, self.unpacker = zlib.compressobj(zdict=spdy.DICTIONARY), zlib.decompressobj(zdict=spdy.DICTIONARY)

    def open(self, stream, fin=False, **headers):
        text = struct.pack("!I", len(headers))
        for name, value in headers.items():
            text += struct.pack("!I", len(name)) + name.encode() + struct.pack("!I", len(value)) + value.encode()
        block = self.packer.compress(text) + self.packer.flush(zlib.Z_SYNC_FLUSH)
        return struct.pack("!HHII", 0x8003, 1, fin << 24 | len(block) + 10, stream) + struct.pack("!IH", 0, 0) + block

    @staticmethod
    def data(stream, data, fin=False):
        return struct.pack("!II", stream, fin << 24 | len(data)) + data

    @staticmethod
    def frames(data):
        """[(stream, data, fin)] of data frames, ("reply", stream) of accepted streams, ("ping", id)."""
        found = []
        while data:
            first, second = struct.unpack("!II", data[:8])
            length, payload = second & 0xFFFFFF, data[8:8 + (second & 0xFFFFFF)]
            data = data[8 + length:]
            name = {2: "reply", 6: "ping"}.get(first & 0xFFFF)
            found.append((name, struct.unpack("!I", payload[:4])[0]) if first >> 31 else (first, payload, bool(second >> 24)))
        return found


# -- frames ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_spdy_frames_are_read_however_they_are_cut(size):
    client, server = Client(), spdy.Spdy()
    sent = (client.open(1, streamtype="error", port="80", requestid="0") + client.open(3, streamtype="data", port="80", requestid="0")
            + client.data(3, b"hello", True))
    found = [event for place in range(0, len(sent), size) for event in server.receive(sent[place:place + size])]
    assert found == [spdy.Opened(1, {"streamtype": "error", "port": "80", "requestid": "0"}, False),
                     spdy.Opened(3, {"streamtype": "data", "port": "80", "requestid": "0"}, False), spdy.Data(3, b"hello", True)]


def test_spdy_pings_come_back_and_long_data_is_cut_into_frames():
    server = spdy.Spdy()
    assert list(server.receive(struct.pack("!HHII", 0x8003, 6, 4, 9))) == []
    server.accept(1)
    server.send(1, b"x" * 40_000, fin=True)
    ping, reply, *data = Client.frames(server.take_out())
    assert (ping, reply) == (("ping", 9), ("reply", 1))
    assert [(len(part), fin) for _, part, fin in data] == [(16_384, False), (16_384, False), (7_232, True)]


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", b"\x80\x02\0\1\0\0\0\0", b"\0\0\0\1\0\xff\xff\xff", b"\x80\x03\0\1\0\0\0\x0c" + b"\0" * 12])
def test_what_is_no_spdy_is_refused(data):
    with pytest.raises(ValueError, match="SPDY"):
        list(spdy.Spdy().receive(data))


@given(st.binary(max_size=300))
def test_no_bytes_break_spdy(data):
    try:
        list(spdy.Spdy().receive(data))
    except ValueError as error:
        assert "SPDY" in str(error)


def test_headers_that_would_unpack_to_gigabytes_are_refused():
    packer = zlib.compressobj(zdict=spdy.DICTIONARY)
    block = packer.compress(struct.pack("!II", 1, 1 << 28) + bytes(1 << 24)) + packer.flush(zlib.Z_SYNC_FLUSH)
    frame = struct.pack("!HHII", 0x8003, 1, len(block) + 10, 1) + struct.pack("!IH", 0, 0) + block
    with pytest.raises(ValueError, match="cut off"):
        list(spdy.Spdy().receive(frame))


# -- HTTP ------------------------------------------------------------------------------------------------------------------
def test_requests_are_taken_one_after_the_other_however_they_are_cut():
    connection = HttpConnection()
    posted = b"POST /form HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=1"
    found = [request for byte in GET + posted for request in connection.requests(bytes([byte]))]
    assert found == [("GET", "/", True), ("POST", "/form", False)]


@pytest.mark.parametrize("data", [b"PING\r\n", b"\x16\x03\x01 TLS\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"x" * ((1 << 20) + 1)])
def test_what_is_no_http_is_answered_with_400(data):
    assert list(HttpConnection().requests(data)) == [("", None, False)]


def test_an_answer_says_its_kind_and_length_and_none_of_its_body_to_head():
    assert response("GET", (200, "<html>"), True) == (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\nConnection: keep-alive\r\n\r\n<html>")
    assert response("HEAD", (404, "no\n"), False) == (
        b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")


@given(st.binary(max_size=300))
def test_no_bytes_break_the_http_server(data):
    list(HttpConnection().requests(data))


# -- the API server --------------------------------------------------------------------------------------------------------
@pytest.fixture
def services(cluster):
    create(cluster, a_deployment("web", image="nginx", replicas=2))
    create(cluster, a_service("web"))
    create(cluster, a_pod("one", image="nginx", container={"ports": [{"name": "http", "containerPort": 80}]}))
    create(cluster, a_service("empty"))
    run(cluster, 20)
    return cluster


@pytest.mark.parametrize(("path", "code", "text"), [
    ("pods/one/proxy/", 200, "Welcome to nginx!"), ("pods/one:http/proxy/", 200, "Welcome to nginx!"), ("pods/http:one:80/proxy/nope", 404, "404 Not Found"),
    ("services/web/proxy/", 200, "Welcome to nginx!"), ("services/http:web:80/proxy/", 200, "Welcome to nginx!"),
    ("pods/one:81/proxy/", 503, ":81: connect: connection refused"), ("services/web:81/proxy/", 503, 'no service port "81" found for service "web"'),
    ("services/empty/proxy/", 503, 'no endpoints available for service "empty"'), ("pods/nope/proxy/", 404, 'pods "nope" not found'),
    ("services/a:b:c:d/proxy/", 400, "invalid service request")])
def test_the_api_server_passes_a_get_on_to_what_listens(services, path, code, text):
    reply = services.api.http("GET", f"/api/v1/namespaces/default/{path}")
    assert reply.code == code
    assert text in (reply.body if isinstance(reply.body, str) else reply.body["message"])


def test_the_console_reads_a_service_through_the_proxy(services):
    id = services.kubectl("kubectl get --raw /api/v1/namespaces/default/services/web/proxy/")
    run(services, 5)
    assert "Welcome to nginx!" in services.console.command(id)["stdout"]


def test_every_forwarded_connection_is_a_message_and_a_closed_port_is_said(services):
    assert services.api.streams.dial("default", "one", 80) is None
    assert "dial tcp4 127.0.0.1:81: connect: connection refused" in services.api.streams.dial("default", "one", 81)
    assert services.api.streams.dial("default", "nope", 80) == 'pods "nope" not found'
    assert [step.facts["port"] for step in services.log.steps if step.reason == "PortForward"] == [80, 81]


# -- websockets ------------------------------------------------------------------------------------------------------------
@pytest_asyncio.fixture
async def pod():
    """The pk of a cluster in which a Pod web serves a page."""
    def make():
        row = clusters.create("web", 1, seed=1)
        Cluster.objects.filter(pk=row.pk).update(api_secret=SECRET)
        with clusters.act(row.pk) as opened:
            opened.simulation.api.http("POST", PODS, {}, a_pod("web", image="nginx"))
            opened.simulation.run_until(20_000)
        return row.pk
    yield await in_thread(make)()
    serving.threads().end()


def a_socket(pk, protocols, query="", name="web", secret=SECRET):
    return WebsocketCommunicator(application, f"/clusters/{pk}/t/{secret}{PODS}/{name}/portforward?{query}", [], protocols)


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_kubectls_tunnel_carries_pages_and_says_what_is_wrong(pod):
    socket, client = a_socket(pod, [forwarding.TUNNEL]), Client()
    assert await socket.connect(10) == (True, forwarding.TUNNEL)
    opening = client.open(1, True, streamtype="error", port="80", requestid="0") + client.open(3, streamtype="data", port="80", requestid="0")
    await socket.send_to(bytes_data=opening)
    assert client.frames((await socket.receive_output(10))["bytes"]) == [("reply", 1), ("reply", 3)]
    await socket.send_to(bytes_data=client.data(3, GET))
    [(stream, page, fin)] = client.frames((await socket.receive_output(10))["bytes"])
    assert (stream, fin) == (3, False)
    assert page.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Welcome to nginx!" in page
    await socket.send_to(bytes_data=client.data(3, b"", True))
    assert client.frames((await socket.receive_output(10))["bytes"]) == [(3, b"", True), (1, b"", True)]
    closed = client.open(5, True, streamtype="error", port="81", requestid="1") + client.open(7, streamtype="data", port="81", requestid="1")
    await socket.send_to(bytes_data=closed)
    *_, ended, said = client.frames((await socket.receive_output(10))["bytes"])
    assert ended == (7, b"", True)
    assert said[0] == 5
    assert b"connection refused" in said[1]
    await socket.disconnect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize(("protocols", "chosen", "query"), [
    (["v5.channel.k8s.io", "v4.channel.k8s.io"], "v5.channel.k8s.io", "ports=80%2C81"), ([], None, "ports=80&ports=81")])
async def test_client_libraries_have_two_channels_for_each_port(pod, protocols, chosen, query):
    socket = a_socket(pod, protocols, query)
    assert await socket.connect(10) == (True, chosen)
    begun = [(await socket.receive_output(10))["bytes"] for _ in range(5)]
    assert begun[:4] == [b"\0P\0", b"\1P\0", b"\2Q\0", b"\3Q\0"]
    assert begun[4].startswith(b"\3error forwarding port 81")
    await socket.send_to(bytes_data=b"\0" + GET)
    answer = (await socket.receive_output(10))["bytes"]
    assert answer.startswith(b"\0HTTP/1.1 200 OK\r\n")
    await socket.disconnect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
@pytest.mark.parametrize("wrong", [{"secret": "no"}, {"name": "nope"}, {"protocols": ["v9.channel.k8s.io"]}])
async def test_a_wrong_secret_a_missing_pod_and_an_unknown_dialect_are_refused_in_the_handshake(pod, wrong):
    assert (await a_socket(pod, **{"protocols": [forwarding.TUNNEL], **wrong}).connect(10))[0] is False


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_garbage_in_a_tunnel_closes_it(pod):
    socket = a_socket(pod, [forwarding.TUNNEL])
    await socket.connect(10)
    await socket.send_to(bytes_data=b"not SPDY at all")
    message = await socket.receive_output(10)
    assert (message["type"], message["code"]) == ("websocket.close", forwarding.WRONG)
