"""The client libraries of Python: create, watch, patch, logs, exec, delete. And an operator written with kopf."""
import os
import subprocess
import sys
import threading
from contextlib import suppress

import kr8s
import kubernetes
import kubernetes_asyncio
import lightkube
import pytest
import yaml
from kubernetes.stream import stream
from kubernetes_asyncio.stream import WsApiClient
from lightkube.models.core_v1 import Container, PodSpec
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.core_v1 import Pod

from ..builders import a_pod
from ..kubectl import QUICK, Learner
from ..loops import finished
from ..processes import wait_until

# The libraries leave sockets to the garbage collector, and kr8s does not know this version of Kubernetes yet.
pytestmark = [pytest.mark.usefixtures("tidy"), pytest.mark.filterwarnings("ignore::ResourceWarning"),
              pytest.mark.filterwarnings("ignore:Kubernetes version:UserWarning")]
SECONDS = 50                   # that a watch may take
OPERATOR = """
import kopf

@kopf.on.create("sea.example", "v1", "ships")
@kopf.on.update("sea.example", "v1", "ships")
def built(spec, **_):
    return {"crew": spec["size"] * 2}

@kopf.on.delete("sea.example", "v1", "ships")
def sunk(**_):
    pass
"""
SHIPS = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ships.sea.example"},
         "spec": {"group": "sea.example", "scope": "Namespaced", "names": {"plural": "ships", "singular": "ship", "kind": "Ship"},
                  "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


@pytest.fixture
def kubectl(server, tmp_path):
    return Learner(server).cluster(tmp_path, nodes=1, pace=QUICK)


@pytest.fixture
def config(kubectl):
    """The path of a kubeconfig."""
    return str(kubectl.config)


def is_running(pod):
    return pod["status"].get("phase") == "Running"


# -- the official client ---------------------------------------------------------------------------------------------------
def test_the_official_client(config):
    api = kubernetes.client.CoreV1Api(kubernetes.config.new_client_from_config(config))
    try:
        assert api.create_namespaced_pod("default", a_pod("web", "nginx:1.27")).spec.containers[0].image == "nginx:1.27"
        watch = kubernetes.watch.Watch()
        for event in watch.stream(api.list_namespaced_pod, "default", timeout_seconds=SECONDS):
            if event["object"].status.phase == "Running":
                watch.stop()
        assert api.patch_namespaced_pod("web", "default", {"metadata": {"labels": {"a": "b"}}}).metadata.labels["a"] == "b"
        assert [pod.metadata.name for pod in api.list_namespaced_pod("default", label_selector="a=b").items] == ["web"]
        assert "start worker process" in api.read_namespaced_pod_log("web", "default")
        words = {"stdin": False, "stdout": True, "stderr": True, "tty": False}
        assert stream(api.connect_get_namespaced_pod_exec, "web", "default", command=["hostname"], **words) == "web\n"
        assert api.delete_namespaced_pod("web", "default").metadata.deletion_timestamp is not None
        with pytest.raises(kubernetes.client.ApiException) as refused:
            api.read_namespaced_pod("nope", "default")
        assert (refused.value.status, refused.value.reason) == (404, "Not Found") and '"reason":"NotFound"' in refused.value.body
        assert kubernetes.client.VersionApi(api.api_client).get_code().git_version.startswith("v1.36.")
    finally:
        api.api_client.close()


def test_the_official_dynamic_client_applies_and_finds_new_kinds(config):
    with kubernetes.config.new_client_from_config(config) as client:
        dynamic = kubernetes.dynamic.DynamicClient(client)
        dynamic.resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition").create(SHIPS)
        wait_until(lambda: _is_served(dynamic), "the new kind")
        ships = dynamic.resources.get(api_version="sea.example/v1", kind="Ship")
        applied = ships.server_side_apply({"apiVersion": "sea.example/v1", "kind": "Ship", "metadata": {"name": "argo"}, "spec": {"size": 30}},
                                          name="argo", namespace="default", field_manager="test")
        assert applied.spec.size == 30 and applied.metadata.managedFields[0].manager == "test"


def _is_served(dynamic):
    with suppress(kubernetes.dynamic.exceptions.ResourceNotFoundError):
        dynamic.resources.invalidate_cache()
        return dynamic.resources.get(api_version="sea.example/v1", kind="Ship")


# -- the others ------------------------------------------------------------------------------------------------------------
def test_kubernetes_asyncio(config):
    async def story():
        await kubernetes_asyncio.config.load_kube_config(config)
        async with kubernetes_asyncio.client.ApiClient() as client, WsApiClient() as sockets:
            api = kubernetes_asyncio.client.CoreV1Api(client)
            await api.create_namespaced_pod("default", a_pod("web", "nginx:1.27"))
            async with kubernetes_asyncio.watch.Watch() as watch:
                async for event in watch.stream(api.list_namespaced_pod, "default", timeout_seconds=SECONDS):
                    if event["object"].status.phase == "Running":
                        break
            patched = await api.patch_namespaced_pod("web", "default", {"metadata": {"labels": {"a": "b"}}})
            log = await api.read_namespaced_pod_log("web", "default")
            inside = kubernetes_asyncio.client.CoreV1Api(sockets)
            said = await inside.connect_get_namespaced_pod_exec("web", "default", command=["hostname"], stderr=True, stdin=False, stdout=True, tty=False)
            deleted = await api.delete_namespaced_pod("web", "default")
            return patched.metadata.labels, log, said, deleted.metadata.deletion_timestamp

    labels, log, said, deleted = finished(story())
    assert labels["a"] == "b" and "start worker process" in log and said == "web\n" and deleted


def test_kr8s(config):
    async def story():
        api = await kr8s.asyncio.api(kubeconfig=config)
        pod = await kr8s.asyncio.objects.Pod(a_pod("web", "nginx:1.27"), api=api)
        await pod.create()
        async for _, seen in api.watch("pods", namespace="default"):
            if is_running(seen.raw):
                break
        await pod.wait("condition=Ready", timeout=SECONDS)
        await pod.patch({"metadata": {"labels": {"a": "b"}}})
        labels = dict(pod.labels)
        log = [line async for line in pod.logs()]
        said = await pod.exec(["hostname"])
        await pod.delete()
        await pod.wait("delete", timeout=SECONDS)
        return labels, log, said, await pod.exists()

    labels, log, said, exists = finished(story())
    assert labels["a"] == "b" and any("start worker process" in line for line in log) and said.stdout == b"web\n" and not exists


def test_lightkube(config):
    client = lightkube.Client(config=lightkube.KubeConfig.from_file(config), namespace="default")
    pod = Pod(metadata=ObjectMeta(name="web"), spec=PodSpec(containers=[Container(name="app", image="nginx:1.27")]))
    assert client.create(pod).status.phase == "Pending"
    for _, seen in client.watch(Pod, server_timeout=SECONDS):
        if seen.status.phase == "Running":
            break
    assert client.wait(Pod, "web", for_conditions=["Ready"]).metadata.name == "web"
    assert client.patch(Pod, "web", {"metadata": {"labels": {"a": "b"}}}).metadata.labels == {"a": "b"}
    assert any("start worker process" in line for line in client.log("web"))
    said = client.exec("web", command=["sh", "-c", "cat; echo err >&2; exit 3"], stdin="hi\n", stdout=True, stderr=True)
    assert (said.stdout, said.stderr, said.exit_code) == ("hi\n", "err\n", 3)
    client.delete(Pod, "web")
    with pytest.raises(lightkube.ApiError) as refused:
        client.get(Pod, "nope")
    assert refused.value.status.reason == "NotFound" and refused.value.status.message == 'pods "nope" not found'


def test_a_kopf_operator_reconciles_a_custom_resource(kubectl, tmp_path):
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SHIPS))
    kubectl("wait crd/ships.sea.example --for=condition=Established --timeout=50s")
    (tmp_path / "ships.py").write_text(OPERATOR)
    words = [sys.executable, "-m", "kopf", "run", "--standalone", "-n", "default", "ships.py"]
    environment = {**os.environ, **kubectl.environment}
    with open(tmp_path / "log", "w") as log, subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=log, stderr=log) as operator:
        patience = threading.Timer(SECONDS, operator.kill)
        patience.start()
        try:
            ship = {"apiVersion": "sea.example/v1", "kind": "Ship", "metadata": {"name": "argo"}, "spec": {"size": 30}}
            kubectl("apply", "-f", "-", stdin=yaml.safe_dump(ship))
            kubectl("wait", "ship/argo", "--for=jsonpath={.status.built.crew}=60", "--timeout=50s")
            kubectl("patch", "ship", "argo", "--type=merge", "-p", '{"spec": {"size": 40}}')
            kubectl("wait", "ship/argo", "--for=jsonpath={.status.built.crew}=80", "--timeout=50s")
            assert kubectl("delete ship argo --timeout=50s") == 'ship.sea.example "argo" deleted from default namespace\n'
        finally:
            patience.cancel()
            operator.terminate()
            operator.wait(SECONDS)
