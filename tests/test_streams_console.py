"""The console at containers: exec, attach, run -i, debug, cp and logs -f answer as kubectl v1.37.1 does whose input is no terminal."""
import pytest

from .builders import a_pod, create, get, kubectl, run

RECORDED = ("All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through "
            "the command prompt.\nIf you don't see a command prompt, try pressing enter.\n")
NO_TERMINAL = "Unable to use a TTY - input is not a terminal or the right kind of file\n"


@pytest.fixture
def web(cluster):
    """A cluster with a Pod web that runs nginx."""
    create(cluster, a_pod("web", image="nginx"))
    run(cluster, 10)
    return cluster


def told(cluster, line, seconds=30, **given):
    """(stdout, stderr, exit code) of a command after some seconds."""
    id = cluster.kubectl(line, **given)
    run(cluster, seconds)
    command = cluster.console.command(id)
    return command["stdout"], command["stderr"], command["exit"]


def test_exec_ends_when_its_command_does(web):
    id = web.kubectl("kubectl exec web -- sh -c 'echo begun; sleep 20; exit 3'")
    run(web, 10)
    assert (web.console.command(id)["stdout"], web.console.command(id)["exit"]) == ("begun\n", None)
    run(web, 15)
    assert (web.console.command(id)["stderr"], web.console.command(id)["exit"]) == ("command terminated with exit code 3\n", 3)


def test_exec_with_input_reads_what_the_command_was_given(web):
    script = "cd /tmp\nX=1\nfor i in 1 2\ndo echo $i $X $PWD\ndone\nexit 7\n"
    assert told(web, "kubectl exec -i web -- sh", stdin=script) == ("1 1 /tmp\n2 1 /tmp\n", "command terminated with exit code 7\n", 7)
    assert told(web, "kubectl exec -it web -- hostname") == ("web\n", NO_TERMINAL, 0)
    assert told(web, "kubectl exec -it web -- sh") == ("", NO_TERMINAL, 0)


def test_a_command_is_left_with_control_c(web):
    id = web.kubectl("kubectl exec web -- sleep 1000")
    run(web, 5)
    web.console.interrupt(id)
    run(web, 5)
    assert (web.console.command(id)["stderr"], web.console.command(id)["exit"]) == ("^C\n", 130)
    assert [key for key in web.etcd.disk("streams") if key != "count"] == []


def test_a_command_whose_stream_is_closed_for_newer_ones_ends(web):
    first = web.kubectl("kubectl exec web -- sleep 1000")
    run(web, 1)
    for _ in range(51):
        web.kubectl("kubectl exec web -- sleep 1000")
        run(web, 1)
    assert web.console.command(first)["exit"] == 137


def test_run_with_input_prints_what_the_pod_does_and_takes_its_exit_code(web):
    assert told(web, "kubectl run a -it --rm --image=busybox --restart=Never -- sh -c 'sleep 1; echo hi; exit 3'") == (
        'hi\r\npod "a" deleted from default namespace\n', NO_TERMINAL + RECORDED + "pod default/a terminated (Error)\n", 3)
    assert told(web, "kubectl run b --attach --image=busybox --restart=Never -- sh -c 'sleep 5; echo ho'") == ("ho\n", RECORDED, 0)
    assert told(web, "kubectl run c -i --quiet --rm --image=busybox --restart=Never -- sh", stdin="hostname\n") == ("c\n", "", 0)
    assert get(web, "pods", "a") is None
    assert get(web, "pods", "c") is None


@pytest.mark.parametrize(("line", "error"), [
    ("kubectl run a -t --image=busybox", "error: -i/--stdin is required for containers with -t/--tty=true\n"),
    ("kubectl run a --rm --image=busybox", "error: --rm should only be used for attached containers\nSee 'kubectl run -h' for help and examples\n"),
    ("kubectl attach done", "error: cannot attach a container in a completed pod; current phase is Succeeded\n"),
    ("kubectl attach web -c nope", "error: cannot attach to the container: container nope is not valid for pod web out of: app\n"),
    ("kubectl attach nope", 'Error from server (NotFound): pods "nope" not found\n'),
    ("kubectl exec done -- ls", "error: cannot exec into a container in a completed pod; current phase is Succeeded\n"),
    ("kubectl debug web", "error: you must specify --image when not using --copy-to.\n"),
    ("kubectl debug web --copy-to=other", "error: you must specify --image, --set-image or command arguments.\n"),
    ("kubectl debug web --image=busybox --profile=nope", "error: unknown profile: nope\n"),
    ("kubectl cp nofile web:/tmp/x", "error: nofile doesn't exist in local filesystem\n"),
    ("kubectl cp web:/etc/hosts hosts", "error: this console has no folder to copy to; use kubectl exec POD -- cat FILE\n")])
def test_what_cannot_be_done_is_refused_in_kubectls_words(web, line, error):
    create(web, a_pod("done", image="busybox", container={"command": ["true"]}, restartPolicy="Never"))
    run(web, 10)
    assert told(web, line)[1:] == (error, 1)


def test_attach_prints_what_comes_until_the_container_ends(web):
    create(web, a_pod("talker", image="busybox", container={"command": ["sh", "-c", "echo early; sleep 30; echo late"]}, restartPolicy="Never"))
    run(web, 10)
    assert told(web, "kubectl attach talker") == ("late\n", RECORDED, 0)


def test_debug_adds_an_ephemeral_container_that_runs(web):
    out, err, code = told(web, "kubectl debug -it web --image=busybox --target=app -c look -- sh -c 'sleep 5; echo seen; exit 4'")
    assert out == ('Targeting container "app". If you don\'t see processes from this container it may be because the container runtime doesn\'t support this '
                   "feature.\nseen\r\n")
    assert (err, code) == (NO_TERMINAL + RECORDED, 0)
    pod = get(web, "pods", "web")
    assert pod["spec"]["ephemeralContainers"][0]["targetContainerName"] == "app"
    status = pod["status"]["ephemeralContainerStatuses"][0]
    assert status["state"]["terminated"]["exitCode"] == 4
    assert "started" not in status          # as recorded: it has no probes
    assert kubectl(web, "kubectl debug web --image=busybox")["stdout"].startswith("Defaulting debug container name to debugger-")


def test_debug_copies_a_pod_and_goes_to_a_node(web):
    assert told(web, "kubectl debug web --copy-to=copy --set-image=*=httpd") == ("", "", 0)
    assert get(web, "pods", "copy")["spec"]["containers"][0]["image"] == "httpd"
    told(web, "kubectl debug web --copy-to=second --image=busybox -c look --share-processes")
    second = get(web, "pods", "second")["spec"]
    assert ([each["name"] for each in second["containers"]], second["shareProcessNamespace"]) == (["app", "look"], True)
    out, err, _ = told(web, "kubectl debug node/n1 -it --image=busybox -- sh -c 'sleep 5; echo here'")
    assert out.splitlines()[-1] == "here"           # the Pod has a terminal, although kubectl has none
    assert out.startswith("Creating debugging pod node-debugger-n1-")
    assert err == NO_TERMINAL + RECORDED


def test_cp_unpacks_one_of_the_commands_files_in_the_container(web):
    files = {"notes.txt": "größe\n"}
    assert told(web, "kubectl cp notes.txt web:/tmp/", files=files) == ("", "", 0)
    assert told(web, "kubectl cp notes.txt web:/tmp/renamed", files=files) == ("", "", 0)
    assert told(web, "kubectl exec web -- cat /tmp/notes.txt /tmp/renamed")[0] == "größe\ngröße\n"


def test_a_followed_log_costs_nothing_while_nothing_is_printed(web):
    id = web.kubectl("kubectl logs web -f")
    run(web, 30)
    assert web.console.command(id)["exit"] is None
    assert web.queue.due() is None
    web.kubectl("kubectl delete pod web --wait=false")
    run(web, 40)
    assert web.console.command(id)["exit"] == 0


def test_logs_of_several_pods_are_followed_side_by_side(web):
    for name in ("one", "two"):
        create(web, a_pod(name, image="busybox", labels={"app": "x"}, restartPolicy="Never", container={"command": ["sh", "-c", "sleep 20; echo $HOSTNAME"]}))
    run(web, 10)
    out, _, code = told(web, "kubectl logs -l app=x -f --prefix", 60)
    assert (sorted(out.splitlines()), code) == (["[pod/one/app] one", "[pod/two/app] two"], 0)


def test_the_request_of_exec_names_every_word_of_the_command(web):
    told(web, "kubectl exec web -c app -- sh -c 'echo one two'")
    (step,) = [step for step in web.log.steps if step.reason == "GetPodExec"]
    assert step.request.partition("?")[2] == "command=sh&command=-c&command=echo+one+two&container=app&stderr=true&stdout=true"
