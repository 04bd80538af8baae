"""Containers that crash, hang, run out of memory, or whose probes fail."""
import pytest

from .stories import play

POD = """
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:
  nodeName: n1
  terminationGracePeriodSeconds: {grace}
  containers:
  - {{name: app, image: "{image}", {more}}}
"""
PROBES = {"httpGet": "httpGet: {port: 80}", "tcpSocket": "tcpSocket: {port: 80}", "exec": "exec: {command: [cat, /etc/hostname]}", "grpc": "grpc: {port: 80}"}
IMAGES = {"grpc": "example.com/greeter:1"}          # a server that speaks gRPC; nginx does not


def a_story(script, more="imagePullPolicy: IfNotPresent", grace=5, image="nginx"):
    return play(script, {"web.yaml": POD.format(more=more, grace=grace, image=image)})


def app(story, at=None):
    """The status of the container."""
    pod = (story.end() if at is None else story.at(at)).get("pods", "web")
    return pod["status"]["containerStatuses"][0]


def test_a_crashed_container_is_restarted_at_once_and_then_later_each_time():
    story = a_story("""
        @0s kubectl apply -f web.yaml
        @20s container web crash
        @40s container web/app crash
        @60s container default/web/app crash
        @100s end""")
    restarts = story.times("RestartContainer")
    assert [20 < restarts[0] < 22, 50 < restarts[1] < 57, 80 < restarts[2] < 92] == [True] * 3          # at once, then 10 and 20 s later, and some
    assert app(story, 45)["state"]["terminated"]["exitCode"] == 1
    told = [state.object["status"]["containerStatuses"][0]["state"] for state in story.states("pods", "web") if state.at > 40]
    assert [state["waiting"]["message"][:12] for state in told if "waiting" in state] == ["back-off 10s", "back-off 20s"]
    assert (app(story)["restartCount"], app(story)["ready"]) == (3, True)
    [back_off] = story.events("web", "BackOff")
    assert back_off.message.startswith("Back-off restarting failed container app in pod web_default(")


def test_a_container_out_of_memory_is_killed_by_the_kernel_and_its_pod_stays():
    story = a_story("@0s kubectl apply -f web.yaml\n@20s container web oom\n@40s end")
    ended = app(story)["lastState"]["terminated"]
    assert (ended["exitCode"], ended["reason"]) == (137, "OOMKilled")
    assert len({state.object["metadata"]["uid"] for state in story.states("pods", "web")}) == 1
    assert not story.messages("EvictPod")


@pytest.mark.parametrize("probe, text", [
    ("httpGet", 'Get "http://10.244.1.2:80/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'),
    ("grpc", "timeout: health rpc did not complete within 1s: rpc error: code = DeadlineExceeded desc = context deadline exceeded"),
    ("exec", 'command timed out: "cat /etc/hostname" timed out after 1s'),
])
def test_a_hanging_container_fails_its_liveness_probe_and_is_killed_after_the_whole_grace(probe, text):
    image = IMAGES.get(probe, "nginx")
    story = a_story("@0s kubectl apply -f web.yaml\n@40s container web hang\n@100s end", f"livenessProbe: {{{PROBES[probe]}}}", image=image)
    assert [event.message for event in story.events("web", "Unhealthy")] == [f"Liveness probe failed: {text}"]
    term, kill = story.times("SendSIGTERM")[0], story.times("SendSIGKILL")[0]
    assert 60 < term < 75          # three periods of ten seconds, and a second of waiting
    assert kill - term == pytest.approx(5)
    assert app(story)["lastState"]["terminated"]["exitCode"] == 137
    assert (app(story)["restartCount"], app(story)["ready"]) == (1, True)


def test_a_tcp_probe_does_not_see_that_a_container_hangs():
    story = a_story("@0s kubectl apply -f web.yaml\n@40s container web hang\n@200s end", f"livenessProbe: {{{PROBES['tcpSocket']}}}")
    assert not story.events("web", "Unhealthy")
    assert app(story)["restartCount"] == 0


def test_a_container_that_goes_on_notices_the_signal_that_it_slept_through():
    story = a_story("""
        @0s kubectl apply -f web.yaml
        @20s container web hang
        @30s kubectl delete pod web --wait=false
        @40s container web resume
        @60s end""", grace=30)
    assert story.times("SendSIGTERM") == pytest.approx([30], abs=0.2)
    assert story.times("ProcessExited") == [40.06]
    assert not story.messages("SendSIGKILL")
    assert 40 < story.gone("pods", "web") < 42


def test_a_container_that_hangs_runs_no_commands_and_prints_nothing():
    loop = "command: [sh, -c, 'while true; do date; sleep 1; done']"
    story = a_story("@0s kubectl apply -f web.yaml\n@20s container web hang\n@30s kubectl logs web --tail=1\n@35s container web resume\n@40s end", loop)
    assert "00:00:1" in story.printed("kubectl logs web --tail=1") or "00:00:20" in story.printed("kubectl logs web --tail=1")


@pytest.mark.parametrize("kind, text", [
    ("httpGet", "HTTP probe failed with statuscode: 500"),
    ("tcpSocket", "dial tcp 10.244.1.2:80: connect: connection refused"),
    ("grpc", 'service unhealthy (responded with "NOT_SERVING")'),
    ("exec", ""),
])
def test_a_failing_readiness_probe_takes_the_pod_out_and_the_mend_brings_it_back(kind, text):
    story = a_story("""
        @0s kubectl apply -f web.yaml
        @30s container web readiness fail
        @90s container web readiness mend
        @120s end""", f"readinessProbe: {{{PROBES[kind]}}}", image=IMAGES.get(kind, "nginx"))
    assert f"Readiness probe failed: {text}" in [event.message for event in story.events("web", "Unhealthy")]
    assert [app(story, at)["ready"] for at in (49, 61, 89, 101)] == [True, False, False, True]
    assert app(story)["restartCount"] == 0


def test_a_failing_liveness_probe_goes_on_after_a_restart_until_it_is_mended():
    story = a_story("""
        @0s kubectl apply -f web.yaml
        @30s container web liveness fail
        @130s container web liveness mend
        @300s end""", f"livenessProbe: {{{PROBES['httpGet']}}}")
    assert app(story, 130)["restartCount"] >= 2
    last = story.times("RestartContainer")[-1]
    assert last < 230
    assert (app(story)["restartCount"], app(story)["ready"]) == (len(story.times("RestartContainer")), True)


def test_a_failing_startup_probe_keeps_the_others_waiting_and_restarts_the_container():
    story = a_story("""
        @0s kubectl apply -f web.yaml
        @1s container web startup fail
        @60s container web startup mend
        @120s end""", f"startupProbe: {{{PROBES['httpGet']}}}, readinessProbe: {{{PROBES['httpGet']}}}")
    assert [event.message for event in story.events("web", "Killing")][0] == "Container app failed startup probe, will be restarted"
    assert not app(story, 55)["started"]
    assert app(story)["ready"]


def test_what_was_said_about_a_pods_probes_goes_with_the_pod():
    story = a_story("@0s kubectl apply -f web.yaml\n@20s container web liveness fail\n@21s kubectl delete pod web\n@60s end",
                    f"livenessProbe: {{{PROBES['httpGet']}}}")
    assert not story.cluster.etcd.disk("faults")


def test_a_restart_of_the_machine_ends_a_container_that_hangs():
    story = a_story("@0s kubectl apply -f web.yaml\n@20s container web hang\n@21s node n1 reboot\n@90s end")
    assert (app(story)["restartCount"], app(story)["ready"]) == (1, True)
    assert not story.cluster.etcd.disk("faults")
