"""The real kubectl and the client libraries at containers of a served cluster: exec, cp, attach, run -i, debug, port-forward."""
import gc
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import httpx
import kr8s
import pytest
import yaml
from django.conf import settings
from django.db import connection
from kubernetes import client, config, stream
from kubernetes_asyncio import client as async_client
from kubernetes_asyncio import config as async_config
from kubernetes_asyncio.stream import WsApiClient
from lightkube import Client, KubeConfig

from lifecycle import clusters
from lifecycle.models import Cluster

from .builders import a_pod
from .loops import finished
from .processes import free_port, serve

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.filterwarnings("ignore:Kubernetes version", "ignore::ResourceWarning")]
KUBECTL = Path(sys.executable).with_name("kubectl")
SECRET = "a-secret"
SPEED = 20


@pytest.fixture(scope="module")
def server(django_db_setup, tmp_path_factory):
    """(port, log) of a server; every test has a cluster of its own in it."""
    if connection.vendor != "sqlite":
        pytest.skip("one server without other services is tested with SQLite")
    port, log = free_port(), tmp_path_factory.mktemp("server") / "log"
    process = serve(port, {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}", "SECRET_KEY": settings.SECRET_KEY}, log)
    yield port, log
    assert process.stop() == 0


@pytest.fixture
def served(server, tmp_path):
    """A served cluster in which a Pod web runs (nginx): its `url`, the `config` file, and `kubectl(*words, input=bytes)`."""
    port, log = server
    row = clusters.create("web", 1, seed=1)
    Cluster.objects.filter(pk=row.pk).update(api_secret=SECRET)
    clusters.set_pace(row.pk, "real", SPEED)
    with clusters.act(row.pk) as opened:
        opened.simulation.api.http("POST", "/api/v1/namespaces/default/pods", {}, a_pod("web", image="nginx"))
        opened.simulation.run_until(20_000)
    url = f"http://127.0.0.1:{port}/clusters/{row.pk}/t/{SECRET}"
    kubeconfig = {"apiVersion": "v1", "kind": "Config", "clusters": [{"name": "c", "cluster": {"server": url}}], "users": [{"name": "u", "user": {}}],
                  "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u", "namespace": "default"}}], "current-context": "x"}
    file = tmp_path / "config"
    file.write_text(yaml.safe_dump(kubeconfig))
    environment = {**os.environ, "KUBECONFIG": str(file), "KUBECACHEDIR": str(tmp_path / "cache")}

    def kubectl(*words, input=b""):
        done = subprocess.run([KUBECTL, *words], env=environment, input=input, capture_output=True, timeout=60, cwd=tmp_path)
        return SimpleNamespace(out=done.stdout.decode(), err=done.stderr.decode(), code=done.returncode)
    yield SimpleNamespace(url=url, config=str(file), kubectl=kubectl, folder=tmp_path, environment=environment)
    gc.collect()               # sockets that client libraries leave open
    assert "Traceback" not in log.read_text()


def test_kubectl_exec_gives_output_exit_code_and_refusals(served):
    kubectl = served.kubectl
    told = kubectl("exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
    assert (told.out, told.err, told.code) == ("out\n", "err\ncommand terminated with exit code 3\n", 3)
    told = kubectl("exec", "-i", "web", "--", "sh", input=b"cd /tmp\nX=5\necho $X in $PWD\nexit 4\n")
    assert (told.out, told.code) == ("5 in /tmp\n", 4)
    assert 'exec: "nope": executable file not found in $PATH' in kubectl("exec", "web", "--", "nope").err
    assert kubectl("exec", "web", "--", "sh", "-c", "sleep 20; hostname").out == "web\n"


def test_kubectl_exec_without_websockets_is_told_why_it_cannot(served):
    environment = {**served.environment, "KUBECTL_REMOTE_COMMAND_WEBSOCKETS": "false"}
    told = subprocess.run([KUBECTL, "exec", "web", "--", "ls"], env=environment, capture_output=True, text=True, timeout=60)
    assert told.returncode == 1
    assert "this server speaks websockets, not SPDY: use kubectl v1.31 or later" in told.stderr


def test_kubectl_cp_carries_any_bytes_both_ways(served):
    data = os.urandom(150_000)
    (served.folder / "there").mkdir()
    (served.folder / "there" / "data.bin").write_bytes(data)
    (served.folder / "there" / "empty").write_bytes(b"")
    assert served.kubectl("cp", "there", "web:/tmp/there").code == 0
    assert served.kubectl("exec", "web", "--", "ls", "/tmp/there").out == "data.bin\nempty\n"
    assert served.kubectl("cp", "web:/tmp/there", "back").code == 0
    assert (served.folder / "back" / "data.bin").read_bytes() == data
    assert (served.folder / "back" / "empty").read_bytes() == b""
    (served.folder / "large").write_bytes(bytes(600_000))
    assert "a container takes at most 524288 characters of input" in served.kubectl("cp", "large", "web:/tmp/large").err


def test_kubectl_run_attach_and_debug_talk_with_containers(served):
    told = served.kubectl("run", "once", "-i", "--rm", "--image=busybox", "--restart=Never", "--", "sh", input=b"echo from $HOSTNAME\n")
    assert told.out == 'from once\npod "once" deleted from default namespace\n'
    told = served.kubectl("debug", "web", "-i", "--image=busybox", "--target=app", "-c", "look", "--", "sh", "-c", "sleep 30; echo seen")
    assert told.out.splitlines()[-1] == "seen"
    assert served.kubectl("get", "pod", "web", "-o", "jsonpath={.status.ephemeralContainerStatuses[0].state.terminated.exitCode}").out == "0"
    served.kubectl("run", "talker", "--image=busybox", "--restart=Never", "--", "sh", "-c", "sleep 60; echo bye")
    served.kubectl("wait", "--for=condition=Ready", "pod/talker")
    assert served.kubectl("attach", "talker").out == "bye\n"


def test_kubectl_port_forward_carries_pages_and_says_which_port_is_closed(served):
    port = free_port()
    with subprocess.Popen([KUBECTL, "port-forward", "pod/web", f"{port}:80"], env=served.environment, stdout=subprocess.PIPE, text=True) as forwarding:
        assert forwarding.stdout.readline() == f"Forwarding from 127.0.0.1:{port} -> 80\n"
        with httpx.Client() as browser:
            for _ in range(2):
                assert "Welcome to nginx!" in browser.get(f"http://127.0.0.1:{port}/").text
            assert browser.get(f"http://127.0.0.1:{port}/nope").status_code == 404
        forwarding.terminate()
    closed = free_port()
    with subprocess.Popen([KUBECTL, "port-forward", "pod/web", f"{closed}:81"], env=served.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as forwarding:
        forwarding.stdout.readline()
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{closed}/")
        assert "connection refused" in forwarding.communicate(timeout=30)[1]


def test_kubectl_reads_pages_through_the_api_server(served):
    assert "Welcome to nginx!" in served.kubectl("get", "--raw", "/api/v1/namespaces/default/pods/web:80/proxy/").out
    assert "connection refused" in served.kubectl("get", "--raw", "/api/v1/namespaces/default/pods/web:81/proxy/").err


def test_the_official_client_runs_commands(served):
    api = client.CoreV1Api(config.new_client_from_config(served.config))
    found = stream.stream(api.connect_get_namespaced_pod_exec, "web", "default", command=["sh", "-c", "echo hi; exit 3"], stdout=True, stderr=True,
                          stdin=False, tty=False, _preload_content=False)
    found.run_forever(timeout=30)
    found.close()
    assert (found.read_stdout(), found.returncode) == ("hi\n", 3)
    shell = stream.stream(api.connect_get_namespaced_pod_exec, "web", "default", command=["sh"], stdin=True, stdout=True, stderr=True, _preload_content=False)
    shell.write_stdin("echo $((6*7))\n")
    assert shell.readline_stdout(timeout=30) == "42"
    shell.close()
    forwarded = stream.portforward(api.connect_get_namespaced_pod_portforward, "web", "default", ports="80")
    page = forwarded.socket(80)
    page.setblocking(True)
    page.sendall(b"GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n")
    assert page.recv(15) == b"HTTP/1.1 200 OK"
    page.close()
    api.api_client.close()


def test_lightkube_runs_commands_and_feeds_them(served):
    lightkube = Client(KubeConfig.from_file(served.config).get())
    assert lightkube.exec("web", command=["hostname"], stdout=True).stdout == "web\n"
    told = lightkube.exec("web", command=["sh", "-c", "cat; exit 5"], stdin="fed\n", stdout=True)
    assert (told.stdout, told.exit_code) == ("fed\n", 5)
    lightkube.close()


def test_kubernetes_asyncio_runs_commands(served):
    async def hostname():
        configuration = async_client.Configuration()
        await async_config.load_kube_config(served.config, client_configuration=configuration)
        async with WsApiClient(configuration) as api:
            return await async_client.CoreV1Api(api).connect_get_namespaced_pod_exec(
                "web", "default", command=["hostname"], stdout=True, stderr=True, stdin=False, tty=False)
    assert finished(hostname()) == "web\n"


def test_kr8s_runs_commands(served):
    async def hostname():
        api = await kr8s.asyncio.api(kubeconfig=served.config)
        pod = await kr8s.asyncio.objects.Pod.get("web", namespace="default", api=api)
        return (await pod.exec(["hostname"])).stdout
    assert finished(hostname()) == b"web\n"


def test_a_request_that_does_not_upgrade_is_told_to(served):
    assert httpx.get(f"{served.url}/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=true").json()["message"] == "Upgrade request required"
