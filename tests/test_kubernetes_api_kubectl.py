"""The real kubectl against `manage.py serve`: the mechanisms that it leans on, one after the other."""
import json
import re
import socket
import time
from urllib.parse import urlsplit

import pytest
import yaml

from .builders import a_deployment, a_pod, a_service
from .kubectl import Learner
from .processes import free_port, serve

VERSION = {"name": "v1", "served": True, "storage": True, "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
           "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
               "type": "object", "description": "What the ship is like.", "properties": {"size": {"type": "integer", "description": "In metres."}}}}}}}
SHIPS = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ships.sea.example"},
         "spec": {"group": "sea.example", "scope": "Namespaced", "versions": [VERSION],
                  "names": {"plural": "ships", "singular": "ship", "kind": "Ship", "shortNames": ["sh"]}}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    place, port = tmp_path_factory.mktemp("serve"), free_port()
    environment = {"DATABASE_URL": f"sqlite:///{place / 'db.sqlite3'}", "STATIC_ROOT": str(place / "static"), "DJANGO_SETTINGS_MODULE": "lifecycle.settings",
                   "CLUSTERS_PER_LEARNER": "100"}
    process = serve(port, environment, place / "log")
    yield f"http://127.0.0.1:{port}"
    log = (place / "log").read_text()
    assert process.stop() == 0 and "Traceback" not in log and " ERROR " not in log, log[-5000:]


@pytest.fixture
def kubectl(server, tmp_path):
    return Learner(server).cluster(tmp_path)


def text(*manifests):
    return yaml.safe_dump_all(manifests)


def test_apply_creates_changes_and_leaves_alone(kubectl):
    assert kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.26"), a_service())) == "deployment.apps/web created\nservice/web created\n"
    assert kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.26"))) == "deployment.apps/web unchanged\n"
    assert kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.27"))) == "deployment.apps/web configured\n"
    assert "successfully rolled out" in kubectl("rollout status deployment/web --timeout=50s")
    assert "+  generation: 3" in kubectl.run("diff", "-f", "-", stdin=text(a_deployment(image="nginx:1.28")))[1]
    pods = kubectl("get pods -l app=web --no-headers").splitlines()
    assert len(pods) == 3 and all(re.search(r"1/1 +Running +0 ", line) for line in pods)


def test_server_side_apply_knows_who_owns_what(kubectl):
    manifest = a_deployment()
    assert kubectl("apply", "--server-side", "-f", "-", stdin=text(manifest)) == "deployment.apps/web serverside-applied\n"
    refused = kubectl.fails("apply", "--server-side", "--field-manager=other", "-f", "-", stdin=text(a_deployment(replicas=5)))
    assert 'conflict with "kubectl": .spec.replicas' in refused
    kubectl("apply", "--server-side", "--field-manager=other", "--force-conflicts", "-f", "-", stdin=text(a_deployment(replicas=5)))
    owners = kubectl.json("get deployment web --show-managed-fields")["metadata"]["managedFields"]
    assert {(owner["manager"], owner["operation"]) for owner in owners} >= {("kubectl", "Apply"), ("other", "Apply")}


def test_server_side_apply_takes_over_from_client_side_apply(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_deployment()))
    assert kubectl("apply", "--server-side", "-f", "-", stdin=text(a_deployment())) == "deployment.apps/web serverside-applied\n"
    owners = kubectl.json("get deployment web --show-managed-fields")["metadata"]["managedFields"]
    assert "kubectl-client-side-apply" not in [owner["manager"] for owner in owners]


def test_delete_waits_until_the_object_is_gone(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "nginx:1.27")))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    assert kubectl("delete pod web") == 'pod "web" deleted from default namespace\n'
    assert kubectl.fails("get pod web") == 'Error from server (NotFound): pods "web" not found\n'


def test_validation_is_the_servers(kubectl):
    wrong = {**a_pod("web"), "spek": {}}
    assert 'strict decoding error: unknown field "spek"' in kubectl.fails("create", "-f", "-", stdin=text(wrong))
    assert 'Warning: unknown field "spek"' in kubectl("create", "--validate=warn", "-f", "-", stdin=text(wrong))
    assert kubectl.fails("create", "-f", "-", stdin=text(a_pod("-"))).startswith('The Pod "-" is invalid: metadata.name: Invalid value: "-"')


def test_imperative_commands_send_protobuf(kubectl):
    for words in ("namespace blue", "configmap settings --from-literal=a=b", "deployment web --image=nginx:1.27", "job once --image=busybox -- true",
                  "quota small --hard=pods=9", "role reader --verb=get --resource=pods", "service clusterip web --tcp=80"):
        assert kubectl("create " + words).endswith("created\n")
    assert kubectl("auth can-i delete pods") == "yes\n"
    assert "Username" in kubectl("auth whoami") and kubectl("create token default").count(".") == 2


def test_a_watch_prints_every_change(kubectl):
    kubectl("run web --image=nginx:1.27")
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    with kubectl.start("get pods -w --no-headers") as watch:
        assert watch.stdout.readline().split()[:3] == ["web", "1/1", "Running"]
        kubectl("delete pod web")
        told = [watch.stdout.readline().split()[:3] for _ in range(5)]
        watch.terminate()
    # Marked, seen by the kubelet, ended, marked as ended, and gone: each is a change of its own
    assert told == [["web", "1/1", "Terminating"]] * 2 + [["web", "0/1", "Completed"]] * 3


def test_logs_are_followed(kubectl):
    words = ["sh", "-c", "for i in 1 2 3; do echo line $i; sleep 30; done"]
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "busybox", container={"command": words}, restartPolicy="Never")))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    assert kubectl("logs -f web") == "line 1\nline 2\nline 3\n"
    assert kubectl("logs web --tail=1") == "line 3\n"


def test_all_pages_of_a_list_are_read(kubectl):
    manifests = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"cm-{number:02}"}} for number in range(12)]
    kubectl("apply", "-f", "-", stdin=text(*manifests))
    assert len(kubectl("get configmaps --chunk-size=5 --no-headers").splitlines()) == 13


def test_a_new_kind_is_found_explained_and_printed(kubectl):
    kubectl("get pods")                                            # so that kubectl has its cache
    kubectl("apply", "-f", "-", stdin=text(SHIPS))
    kubectl("wait crd/ships.sea.example --for=condition=Established --timeout=50s")
    kubectl("apply", "-f", "-", stdin=text({"apiVersion": "sea.example/v1", "kind": "Ship", "metadata": {"name": "argo"}, "spec": {"size": 30}}))
    assert kubectl("get sh") == "NAME   SIZE\nargo   30\n"
    assert "In metres." in kubectl("explain ship.spec")
    assert "sea.example/v1" in kubectl("api-versions").splitlines()


def test_built_in_kinds_are_explained(kubectl):
    printed = kubectl("explain deployment.spec.strategy")
    assert "KIND:       Deployment" in printed and "rollingUpdate\t<RollingUpdateDeployment>" in printed


def test_documents_are_fetched_once(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_service("one")))
    status, headers, body = kubectl.request("GET", "/openapi/v3")
    place = json.loads(body)["paths"]["apis/apps/v1"]["serverRelativeURL"]
    assert place.startswith(urlsplit(kubectl.address).path) and "?hash=" in place
    status, headers, body = kubectl.request("GET", place.removeprefix(urlsplit(kubectl.address).path))
    assert status == 200 and "immutable" in headers["Cache-Control"] and "io.k8s.api.apps.v1.Deployment" in json.loads(body)["components"]["schemas"]
    assert kubectl.request("GET", "/openapi/v3/apis/apps/v1", **{"If-None-Match": headers["ETag"]})[0] == 304


def test_acting_as_somebody_else_asks_the_roles(kubectl):
    assert 'User "bob" cannot list resource "pods"' in kubectl.fails("get pods --as=bob")
    kubectl("create rolebinding bobs --clusterrole=view --user=bob")
    assert "No resources found" in kubectl("get pods --as=bob")
    assert kubectl.run("auth can-i create pods --as=bob")[1] == "no\n"


def test_an_address_that_was_revoked_is_of_no_use_any_more(kubectl):
    with kubectl.start("get configmaps -w -o name") as watch:
        assert watch.stdout.readline() == "configmap/kube-root-ca.crt\n"
        kubectl.learner.post(f"{kubectl.place}connect/", revoke="1")
        assert "You must be logged in to the server" in kubectl.fails("get pods")
        assert watch.wait(20) is not None


def test_a_client_that_reads_nothing_keeps_nobody_waiting(kubectl):
    address = urlsplit(kubectl.address)
    with socket.create_connection((address.hostname, address.port)) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.sendall(f"GET {address.path}/api/v1/configmaps?watch=true HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        big = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "big"}, "data": {"a": "x" * 900_000}}
        kubectl("create", "-f", "-", stdin=json.dumps(big))
        for number in range(4):
            begin = time.monotonic()
            kubectl("annotate", "configmap", "big", f"number={number}", "--overwrite")
            assert time.monotonic() - begin < 10


def test_half_a_request_is_no_trouble(kubectl):
    address = urlsplit(kubectl.address)
    with socket.create_connection((address.hostname, address.port)) as half:
        half.sendall(f"POST {address.path}/api/v1/pods HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{{".encode())
    assert kubectl.request("POST", "/api/v1/namespaces/default/pods", b"x" * (2 ** 20 + 1))[0] == 413
    assert kubectl.request("GET", "/version")[0] == 200
