"""Connections to containers: exec, attach and followed logs, as the API server opens them and the node's streaming server carries them."""
import pytest

from lifecycle.simulation import state
from lifecycle.simulation.node import streaming
from lifecycle.simulation.node.shell import octets

from .builders import a_pod, create, get, run

WEB = "/api/v1/namespaces/default/pods/web"
CLOCK = {"command": ["sh", "-c", "while true; do date +%S; sleep 5; done"]}


def a_web(cluster, image="nginx", **container):
    """A running Pod."""
    create(cluster, a_pod("web", image=image, container=container))
    run(cluster, 10)


def execute(cluster, *words, stdin=False, tty=False):
    """The id of the stream of a command in the Pod."""
    asked = {"command": list(words), "stdin": str(stdin).lower(), "tty": str(tty).lower(), "stdout": "true", "stderr": "true"}
    reply = cluster.api.connect(f"{WEB}/exec", asked)
    assert reply.code == 101, reply.body
    return reply.body["stream"]


def attach(cluster, **options):
    return cluster.api.connect(f"{WEB}/attach", {"stdout": "true", **options}).body["stream"]


def fetched(cluster, id):
    """(text of stdout, text of stderr, exit code or None while it runs)"""
    news = cluster.api.streams.fetch(id)
    out, err = ("".join(text for channel, text in news["pieces"] if channel == wanted) for wanted in (1, 2))
    return out, err, news["exit"] if news["ended"] else None


def reasons(cluster):
    return [step.reason for step in cluster.log.steps]


# -- exec ------------------------------------------------------------------------------------------------------------------
def test_a_commands_two_outputs_stay_apart_and_its_exit_code_comes_last(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", "-c", "echo out; echo err >&2; exit 3")
    assert fetched(cluster, id) == ("", "", None)
    run(cluster, 1)
    assert fetched(cluster, id) == ("out\n", "err\n", 3)


def test_output_comes_when_it_is_printed_and_the_end_when_virtual_time_has_come(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", "-c", "echo a; sleep 10; echo b")
    run(cluster, 1)
    assert fetched(cluster, id) == ("a\n", "", None)
    run(cluster, 8)
    assert fetched(cluster, id) == ("", "", None)
    run(cluster, 2)
    assert fetched(cluster, id) == ("b\n", "", 0)


def test_each_part_of_it_is_a_message_in_its_order(cluster):
    a_web(cluster)
    begun = len(cluster.log.steps)
    execute(cluster, "echo", "hi")
    run(cluster, 1)
    told = cluster.log.steps[begun:]
    assert [(step.source, step.target, step.reason) for step in told] == [
        ("kubectl", "apiserver", "GetPodExec"), ("kubelet", "cri", "Exec"), ("apiserver", "kubectl", "Respond"), ("cri", "kubelet", "StreamOutput"),
        ("cri", "kubelet", "StreamClosed")]
    assert (told[3].facts["output"], told[4].facts["code"]) == ("hi\n", 0)


def test_a_shell_keeps_its_place_and_its_variables_from_line_to_line(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True)
    for line, shown in (("cd /tmp\n", ""), ("X=5; pwd\n", "/tmp\n"), ("for i in 1 2\n", ""), ("do echo $i$X; done\n", "15\n25\n"), ("cat <<E\n", ""),
                        ("$X\nE\n", "5\n"), ("if\n", ""), ("true; then echo 'yes\n", ""), ("'; fi\n", "yes\n\n")):
        cluster.api.streams.send(id, line)
        run(cluster, 1)
        assert fetched(cluster, id) == (shown, "", None), line
    cluster.api.streams.send(id, "exit 4\n")
    run(cluster, 1)
    assert fetched(cluster, id) == ("", "", 4)


def test_a_program_gets_what_is_sent_until_its_input_ends(cluster):
    a_web(cluster)
    id = execute(cluster, "sha256sum", stdin=True)
    cluster.api.streams.send(id, "a")
    run(cluster, 1)
    cluster.api.streams.send(id, "bc")
    run(cluster, 1)
    assert fetched(cluster, id) == ("", "", None)
    cluster.api.streams.end_input(id)
    run(cluster, 1)
    assert fetched(cluster, id) == ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  -\n", "", 0)


def test_input_that_is_too_much_is_refused_with_a_sentence(cluster):
    a_web(cluster)
    id = execute(cluster, "cat", stdin=True)
    with pytest.raises(ValueError, match="at most 524288 characters"):
        cluster.api.streams.send(id, "x" * 524_289)


def test_any_bytes_go_in_and_out_as_an_archive_unchanged(cluster):
    a_web(cluster)
    data = bytes(range(256)) * 200
    script = "cat > /tmp/f; tar cf /tmp/a.tar -C /tmp f; mkdir /new; tar xf /tmp/a.tar -C /new; cat /new/f; wc -c < /new/f"
    id = execute(cluster, "sh", "-c", script, stdin=True)
    cluster.api.streams.send(id, octets.text_of(data))
    cluster.api.streams.end_input(id)
    run(cluster, 2)
    out, err, code = fetched(cluster, id)
    assert (octets.bytes_of(out), err, code) == (data + b"51200\n", "", 0)


def test_a_command_ends_with_its_container(cluster):
    a_web(cluster)
    id = execute(cluster, "sleep", "1000")
    run(cluster, 1)
    cluster.kubectl("kubectl delete pod web --grace-period=1")
    run(cluster, 10)
    assert fetched(cluster, id)[2] == 137


def test_who_hangs_up_leaves_a_command_running_but_takes_its_terminal_away(cluster):
    a_web(cluster)
    plain, at_terminal = execute(cluster, "sleep", "1000"), execute(cluster, "sleep", "2000", tty=True)
    run(cluster, 1)
    for id in (plain, at_terminal):
        cluster.api.streams.close(id)
    listing = execute(cluster, "ps")
    run(cluster, 1)
    assert "sleep 1000" in (seen := fetched(cluster, listing)[0])
    assert "sleep 2000" not in seen


def test_streams_that_nobody_fetches_make_room_for_new_ones(cluster):
    a_web(cluster)
    ids = [execute(cluster, "sleep", "1000") for _ in range(60)]
    assert fetched(cluster, ids[0])[2] == 137
    assert fetched(cluster, ids[-1])[2] is None
    assert len(cluster.etcd.disk("streams")) <= 52


def test_who_does_not_fetch_what_comes_is_cut_off(cluster, monkeypatch):
    monkeypatch.setattr(streaming, "WAITING", 5)
    a_web(cluster)
    id = execute(cluster, "sh", "-c", "while true; do date; sleep 1; done")
    run(cluster, 20)
    assert fetched(cluster, id)[2] == 137
    assert cluster.etcd.disk("stream output") == {}


@pytest.mark.parametrize(("path", "query", "code", "message"), [
    ("exec", {"stdout": "true"}, 400, "you must specify at least one command for the container"),
    ("exec", {"command": "ls"}, 400, "you must specify at least 1 of stdin, stdout, stderr"),
    ("exec", {"command": "ls", "stdout": "true", "container": "nope"}, 400, "container nope is not valid for pod web"),
    ("exec", {"command": "nope", "stdout": "true"}, 500, "Internal error occurred: Internal error occurred: error executing command in container: "),
    ("attach", {}, 400, "you must specify at least 1 of stdin, stdout, stderr")])
def test_what_cannot_be_connected_is_refused_in_kubernetes_words(cluster, path, query, code, message):
    a_web(cluster)
    reply = cluster.api.connect(f"{WEB}/{path}", query)
    assert reply.code == code
    assert reply.body["message"].startswith(message)


def test_a_pod_that_does_not_run_a_missing_pod_and_a_lost_node_are_told_apart(cluster):
    a_web(cluster)
    query = {"command": "ls", "stdout": "true"}
    assert cluster.api.connect("/api/v1/namespaces/default/pods/nope/exec", query).code == 404
    create(cluster, a_pod("later", image="demo:missing"))
    run(cluster, 5)
    waiting = cluster.api.connect("/api/v1/namespaces/default/pods/later/exec", query)
    assert waiting.body["message"] == 'Internal error occurred: unable to upgrade connection: container not found ("app")'
    cluster.fault(f"node {get(cluster, 'pods', 'web')['spec']['nodeName']} down")
    assert cluster.api.connect(f"{WEB}/exec", query).body["message"].startswith("error dialing backend: dial tcp ")


def test_a_plain_request_is_told_to_upgrade(cluster):
    a_web(cluster)
    reply = cluster.api.http("POST", f"{WEB}/exec", {"command": "ls", "stdout": "true"})
    assert (reply.code, reply.body["message"], reply.body["reason"]) == (400, "Upgrade request required", "BadRequest")


# -- terminals -------------------------------------------------------------------------------------------------------------
def typed(cluster, id, keys):
    """What the screen shows after some keys."""
    cluster.api.streams.send(id, keys)
    run(cluster, 1)
    return fetched(cluster, id)[0]


def test_a_terminal_prompts_echoes_and_lets_a_line_be_corrected(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 1)
    assert fetched(cluster, id)[0] == "/ # "
    assert typed(cluster, id, "echp") == "echp"
    assert typed(cluster, id, "\x7fo hi\x1b[A\r") == "\b \bo hi\r\nhi\r\n/ # "
    assert typed(cluster, id, "wrong\x15pwd\r") == "wrong" + "\b \b" * 5 + "pwd\r\n/\r\n/ # "
    assert typed(cluster, id, "cd /tmp\r") == "cd /tmp\r\n/tmp # "
    assert typed(cluster, id, "fi\r") == 'fi\r\nsh: syntax error: unexpected "fi"\r\n/tmp # '


def test_what_is_typed_at_the_moment_of_an_output_comes_after_it(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    shown = ""
    for keys in ("pwd\r", "echo 1\r", "exit\r"):
        while cluster.queue.due() is not None and "StreamOutput" not in reasons(cluster)[-1:]:
            cluster.step()          # and not a moment further
        shown += fetched(cluster, id)[0]
        for key in keys:
            cluster.api.streams.send(id, key)
            shown += fetched(cluster, id)[0]
        cluster.step()
    run(cluster, 1)
    assert shown + fetched(cluster, id)[0] == "/ # pwd\r\n/\r\n/ # echo 1\r\n1\r\n/ # exit\r\n"


def test_control_c_ends_what_runs_in_the_foreground_and_not_the_shell(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 1)
    typed(cluster, id, "sleep 100\r")
    assert typed(cluster, id, "\x03") == "^C\r\n/ # "
    assert typed(cluster, id, "echo $?\r") == "echo $?\r\n130\r\n/ # "
    typed(cluster, id, "sh -c 'while true; do sleep 1; done'\r")
    assert typed(cluster, id, "\x03") == "^C\r\n/ # "
    alone = execute(cluster, "sleep", "100", stdin=True, tty=True)
    cluster.api.streams.send(alone, "\x03")
    run(cluster, 1)
    assert fetched(cluster, alone)[2] == 130


def test_control_d_ends_input_for_one_reader_only(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 1)
    fetched(cluster, id)
    assert typed(cluster, id, "cat\r") == "cat\r\n"
    assert typed(cluster, id, "a\r") == "a\r\na\r\n"
    assert typed(cluster, id, "\x04") == "/ # "
    cluster.api.streams.send(id, "\x04")
    run(cluster, 1)
    assert fetched(cluster, id)[2] == 0


def test_what_is_typed_is_a_message_once_the_line_is_complete(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 1)
    for key in "ls /tmp":
        cluster.api.streams.send(id, key)
    assert "StreamInput" not in reasons(cluster)
    cluster.api.streams.send(id, "\r")
    assert [step.facts["input"] for step in cluster.log.steps if step.reason == "StreamInput"] == ["ls /tmp"]


# -- attach and logs -------------------------------------------------------------------------------------------------------
def test_attaching_shows_what_is_printed_from_now_on(cluster):
    a_web(cluster, **CLOCK)
    id = attach(cluster)
    assert fetched(cluster, id) == ("", "", None)
    run(cluster, 11)
    later = fetched(cluster, id)[0]
    assert 2 <= later.count("\n") <= 3
    whole = cluster.api.http("GET", f"{WEB}/log").body
    assert whole.endswith(later)
    assert whole != later


def test_a_shell_with_stdin_waits_for_who_attaches_and_its_log_has_the_session(cluster):
    a_web(cluster, image="busybox", stdin=True, stdinOnce=True, tty=True)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
    id = attach(cluster, stdin="true")
    assert typed(cluster, id, "echo hello\r") == "echo hello\r\nhello\r\n/ # "
    assert cluster.api.http("GET", f"{WEB}/log").body == "/ # echo hello\nhello\n"
    cluster.api.streams.close(id)
    run(cluster, 5)
    assert get(cluster, "pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 1


def test_who_only_watched_does_not_end_a_containers_input(cluster):
    a_web(cluster, image="busybox", stdin=True, stdinOnce=True)
    cluster.api.streams.close(attach(cluster))
    run(cluster, 5)
    assert get(cluster, "pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 0


def test_the_end_of_a_container_ends_an_attachment_well(cluster):
    a_web(cluster, command=["sh", "-c", "sleep 20; echo bye; exit 3"])
    id = attach(cluster)
    run(cluster, 30)
    assert fetched(cluster, id) == ("bye\n", "", 0)


def test_a_followed_log_begins_as_asked_and_goes_on_until_the_container_ends(cluster):
    a_web(cluster, command=["sh", "-c", "for i in 1 2 3 4 5 6; do echo $i; sleep 4; done"])
    id = cluster.api.connect(f"{WEB}/log", {"follow": "true", "tailLines": "1"}).body["stream"]
    assert fetched(cluster, id) == ("2\n", "", None)
    run(cluster, 5)
    assert fetched(cluster, id) == ("3\n", "", None)
    run(cluster, 30)
    assert fetched(cluster, id)[0::2] == ("4\n5\n6\n", 0)


def test_a_log_that_is_not_followed_ends_with_what_there_is(cluster):
    a_web(cluster, **CLOCK)
    id = cluster.api.connect(f"{WEB}/log", {"tailLines": "1"}).body["stream"]
    run(cluster, 1)
    out, _, code = fetched(cluster, id)
    assert (out.count("\n"), code) == (1, 0)


def test_a_followed_log_of_a_container_that_has_ended_is_its_log_and_no_more(cluster):
    a_web(cluster, command=["echo", "once"])
    create(cluster, a_pod("done", image="busybox", container={"command": ["echo", "once"]}, restartPolicy="Never"))
    run(cluster, 10)
    id = cluster.api.connect("/api/v1/namespaces/default/pods/done/log", {"follow": "true"}).body["stream"]
    run(cluster, 5)
    assert fetched(cluster, id)[0::2] == ("once\n", 0)


# -- durability ------------------------------------------------------------------------------------------------------------
def test_a_stream_goes_on_after_the_cluster_was_saved_and_loaded(cluster):
    a_web(cluster)
    id = execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 1)
    typed(cluster, id, "cd /tmp; X=7\r")
    typed(cluster, id, "sleep 5; echo $X in $PWD\r")
    loaded = state.loaded(state.saved(cluster))
    run(loaded, 6)
    assert fetched(loaded, id)[0] == "7 in /tmp\r\n/tmp # "
    assert typed(loaded, id, "pwd\r") == "pwd\r\n/tmp\r\n/tmp # "


def test_nothing_waits_while_nobody_types(cluster):
    a_web(cluster)
    execute(cluster, "sh", stdin=True, tty=True)
    run(cluster, 5)
    assert cluster.queue.due() is None
