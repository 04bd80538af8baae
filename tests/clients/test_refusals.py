"""What is wrong is refused in Kubernetes' own form, and never with a traceback (the server's log is looked at when it ends)."""
import base64
import json
import os
import socket
from contextlib import closing, suppress
from urllib.parse import urlsplit

import pytest
import websocket
import yaml

from ..builders import a_pod
from ..kubectl import Kubectl, Learner
from .conftest import PACE

pytestmark = [pytest.mark.usefixtures("tidy"), pytest.mark.filterwarnings("ignore::ResourceWarning")]           # websockets that are dropped
PODS = "/api/v1/namespaces/default/pods"
PROTOBUF = {"Content-Type": "application/vnd.kubernetes.protobuf"}
JSON = {"Content-Type": "application/json"}
PATIENCE, V5 = 20, "v5.channel.k8s.io"


@pytest.fixture(scope="module")
def kubectl(server, tmp_path_factory):
    kubectl = Learner(server).cluster(tmp_path_factory.mktemp("web"), nodes=1, pace=PACE)
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump(a_pod("web", "nginx:1.27")))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    return kubectl


def status_of(kubectl, method, path, body=None, **headers):
    """(code, reason, message) of a refusal, which must be a Status."""
    code, found, body = kubectl.request(method, path, body, **headers)
    status = json.loads(body)
    assert found["Content-Type"] == "application/json" and (status["kind"], status["status"], status["code"]) == ("Status", "Failure", code), body
    assert list(status)[:5] == ["kind", "apiVersion", "metadata", "status", "message"] and body.endswith(b"\n")
    return code, status["reason"], status["message"]


def elsewhere(kubectl, tmp_path, address):
    """kubectl with another address."""
    config = tmp_path / "other.yaml"
    config.write_text(kubectl.config.read_text().replace(kubectl.address, address))
    return Kubectl(config, None, None)


# -- who ---------------------------------------------------------------------------------------------------------------------
def test_a_wrong_secret_and_anothers_cluster_look_alike(server, kubectl, tmp_path):
    other = Learner(server).cluster(tmp_path, nodes=1)
    base, secret = kubectl.address.rsplit("/", 1)
    theirs = other.address.rsplit("/", 1)[0]
    for address in (f"{base}/{secret[:-1]}", f"{base}/wrong", f"{theirs}/{secret}", f"{server}/clusters/999999/t/{secret}"):
        stranger = elsewhere(kubectl, tmp_path, address)
        assert status_of(stranger, "GET", PODS) == (401, "Unauthorized", "Unauthorized")
        assert "You must be logged in to the server" in stranger.fails("get pods")
        assert status_of(stranger, "POST", PODS, json.dumps(a_pod("evil")), **JSON)[0] == 401
    assert other("get pods") == "No resources found in default namespace.\n"


def test_groups_without_a_user_are_no_identity_and_nobody_may_do_nothing(kubectl):
    assert status_of(kubectl, "GET", PODS, **{"Impersonate-Group": "devs"})[0] == 400
    code, reason, said = status_of(kubectl, "GET", PODS, **{"Impersonate-User": "bob"})
    assert (code, reason) == (403, "Forbidden") and said.startswith('pods is forbidden: User "bob" cannot list resource "pods" in API group ""')
    token = kubectl("create token default").strip()
    assert status_of(kubectl, "GET", PODS, **{"Authorization": f"Bearer {token}", "Impersonate-User": "bob"})[0] == 403


# -- bodies ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("body", [b"k8s", b"k8s\x00", b"k8s\x00\xff\xff\xff", b"not protobuf at all",
                                  b"k8s\x00\n\x0a\n\x02v1\x12\x04Nope\x12\x00", os.urandom(4096)])
def test_bad_protobuf(kubectl, body):
    code, reason, _ = status_of(kubectl, "POST", PODS, body, **PROTOBUF)
    assert (code, reason) == (400, "BadRequest")


@pytest.mark.parametrize("body, media, expected", [
    (b"{", "application/json", (400, "BadRequest")), (b"[]", "application/json", (400, "BadRequest")), (b'"text"', "application/json", (400, "BadRequest")),
    (b"\xff\xfe", "application/json", (400, "BadRequest")), (b"{}", "text/plain", (415, "UnsupportedMediaType")),
    (b"[" * 100_000, "application/json", (400, "BadRequest")), (b'{"apiVersion":"v1","kind":"Service"}', "application/json", (400, "BadRequest"))])
def test_bad_bodies(kubectl, body, media, expected):
    assert status_of(kubectl, "POST", PODS, body, **{"Content-Type": media})[:2] == expected


@pytest.mark.parametrize("patch, media, expected", [
    (b"{", "application/merge-patch+json", 400), (b"{}", "application/json-patch+json", 400), (b"{}", "application/json", 415),
    (b"a: [", "application/apply-patch+yaml", 400),
    (b'[{"op":"remove","path":"/nope"}]', "application/json-patch+json", 422)])
def test_bad_patches(kubectl, patch, media, expected):
    assert status_of(kubectl, "PATCH", f"{PODS}/web?fieldManager=test", patch, **{"Content-Type": media})[0] == expected


def test_a_body_that_is_too_large(kubectl):
    big = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "big"}, "data": {"a": "x" * 2 ** 21}}
    assert status_of(kubectl, "POST", "/api/v1/namespaces/default/configmaps", json.dumps(big), **JSON)[:2] == (413, "RequestEntityTooLarge")
    assert "limit is" in kubectl.fails("create", "-f", "-", stdin=json.dumps(big))


@pytest.mark.parametrize("method, path, code", [
    ("GET", "/nope", 404), ("GET", "/api/v1/nopes", 404), ("GET", "/apis/nope/v1/pods", 404), ("POST", "/version", 405), ("PUT", PODS, 405),
    ("PATCH", PODS, 405),
    ("GET", f"{PODS}?limit=x", 400), ("GET", f"{PODS}?labelSelector=((", 400), ("GET", f"{PODS}?continue=nonsense", 400),
    ("GET", f"{PODS}?watch=1&resourceVersion=x", 400), ("DELETE", f"{PODS}/nope", 404), ("GET", f"{PODS}/web/log?container=nope", 400),
    ("GET", f"{PODS}/web/exec", 400),
    ("TRACE", PODS, 405), ("GET", f"{PODS}/%00", 404), ("GET", f"{PODS}/web/../../../../../../secrets", 404)])
def test_bad_requests(kubectl, method, path, code):
    assert status_of(kubectl, method, path)[0] == code


# -- connections -----------------------------------------------------------------------------------------------------------
def test_half_open_connections_and_noise_are_no_trouble(kubectl):
    address = urlsplit(kubectl.address)
    lines = (b"GET", b"\x00\xff\x16\x03\x01 nonsense\r\n\r\n", f"POST {address.path}{PODS} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{{".encode(),
             f"POST {address.path}{PODS} HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n".encode(),
             f"GET {address.path}{PODS}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    for line in lines:
        with socket.create_connection((address.hostname, address.port)) as half:
            half.sendall(line)
    assert kubectl("get pod web -o name") == "pod/web\n"


def opened(address, path, *protocols):
    """A websocket to the API of a cluster."""
    return websocket.create_connection(address.replace("http:", "ws:") + path, subprotocols=protocols, timeout=PATIENCE)


def heard(connection):
    """(all that comes until the other side closes, the code with which it does)"""
    data = b""
    with closing(connection):
        while True:
            kind, message = connection.recv_data()
            if kind == websocket.ABNF.OPCODE_CLOSE:
                return data, int.from_bytes(message[:2], "big")
            data += message


@pytest.mark.parametrize("secret, protocol", [("wrong", V5), ("", "nonsense")])
def test_a_socket_that_is_not_let_in(kubectl, secret, protocol):
    address = f"{kubectl.address.rsplit('/', 1)[0]}/{secret}" if secret else kubectl.address
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        opened(address, f"{PODS}/web/exec?command=ls&stdout=1", protocol)
    assert refused.value.status_code == 403


SENT = (b"", b"\x09what", b"\x04{", b"\x04[]", b"\xff", b"\xff\x09", b"\x03{}", bytes(range(1, 256)), b"\x00" * 70_000)


def test_noise_on_a_websocket_changes_nothing(kubectl):
    connection = opened(kubectl.address, f"{PODS}/web/exec?command=cat&stdin=1&stdout=1&stderr=1", V5)
    for sent in SENT:
        connection.send_binary(sent)
    for sent in ("", "text", "\x00text"):
        connection.send(sent)
    connection.send_binary(b"\x00end\n")
    connection.send_binary(b"\xff\x00")
    data, code = heard(connection)
    assert b"end\n" in data and b'"status":"Success"' in data and code == 1000


def test_a_message_that_is_too_large_ends_its_connection(kubectl):
    connection = opened(kubectl.address, f"{PODS}/web/exec?command=cat&stdin=1&stdout=1", V5)
    connection.send_binary(b"\x00" * (2 ** 20 + 2))
    with suppress(ConnectionError):                # it need not wait until all of it was sent
        assert heard(connection)[1] == 1009
    assert kubectl("exec web -- hostname") == "web\n"


def test_a_connection_that_is_dropped_leaves_the_container_in_peace(kubectl):
    for _ in range(3):
        opened(kubectl.address, f"{PODS}/web/exec?command=sh&stdin=1&stdout=1", V5).sock.close()
    assert kubectl("exec web -- hostname") == "web\n"


@pytest.mark.parametrize("what, said", [("nope/exec?command=ls&stdout=1", 'pods "nope" not found'), ("web/exec?command=ls&container=nope&stdout=1", "nope"),
                                        ("web/exec?stdout=1", "command")])
def test_a_stream_that_cannot_be_opened_says_why(kubectl, what, said):
    data, _ = heard(opened(kubectl.address, f"{PODS}/{what}", V5))
    status = json.loads(data[1:])
    assert data[:1] == b"\x03" and status["status"] == "Failure" and said in status["message"]


def test_a_secret_in_the_query_or_as_a_password_opens_nothing(kubectl):
    base, secret = kubectl.address.rsplit("/t/", 1)
    bare = urlsplit(base)
    other = Kubectl.__new__(Kubectl)
    other.address = f"{bare.scheme}://{bare.netloc}{bare.path}"
    assert other.request("GET", f"/api/v1/pods?token={secret}")[0] == 401
    assert other.request("GET", "/api/v1/pods", Authorization="Basic " + base64.b64encode(f"a:{secret}".encode()).decode())[0] == 401
