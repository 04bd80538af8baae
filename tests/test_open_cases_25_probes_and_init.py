"""O25 and O26: probes that kill a slow starter or wait for it, and init containers that fail."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .stories import play
from .terminations import row

SLOW = 'image: "demo:ok", env: [{name: START_DELAY, value: "60"}]'
TCP = "tcpSocket: {port: 80}"
GET = "kubectl get pod web"


def pod(container, init="", **spec):
    more = "".join(f"\n  {field}: {value}" for field, value in spec.items())
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:{more}
  initContainers: [{init}]
  containers:
  - {{name: c, {container}}}
"""


def starts(story):
    return story.times("StartContainer", pod="web")


def status(story, seconds):
    return story.at(seconds).get("pods", "web")["status"]


def container(story, seconds):
    return status(story, seconds)["containerStatuses"][0]


# -- O25 --------------------------------------------------------------------------------------------------------------------
@cache
def killed_by_liveness():
    return play(f"""
        @0s kubectl create -f web.yaml
        @25s {GET}
        @160s {GET}
        @170s end
    """, {"web.yaml": pod(f"{SLOW}, livenessProbe: {{{TCP}}}")})


@cache
def gated_by_startup():
    return play(f"""
        @0s kubectl create -f web.yaml
        @30s {GET}
        @90s {GET}
        @100s end
    """, {"web.yaml": pod(f"{SLOW}, livenessProbe: {{{TCP}}}, readinessProbe: {{{TCP}}}, startupProbe: {{{TCP}, periodSeconds: 10, failureThreshold: 12}}")})


def test_o25_the_defaults_of_a_probe():
    probe = killed_by_liveness().at(1).get("pods", "web")["spec"]["containers"][0]["livenessProbe"]
    assert probe == {"tcpSocket": {"port": 80}, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}


def test_o25_the_third_failure_kills_and_the_grid_of_probes_goes_on():
    story = killed_by_liveness()
    first = starts(story)[0]
    kills = [step.at / 1000 for step in story.messages("SendSIGTERM", pod="web")]
    assert [kill - first for kill in kills] == [pytest.approx(30 * number, abs=1) for number in range(1, 6)]


def test_o25_four_restarts_come_without_a_wait_and_the_fifth_kill_brings_the_back_off():
    story = killed_by_liveness()
    first, *others = starts(story)
    assert [restart - first for restart in others[:4]] == [pytest.approx(30 * number, abs=2) for number in range(1, 5)]
    assert row(story, GET, 2)[1:4] == ["0/1", "CrashLoopBackOff", "4"]
    assert container(story, 165)["state"]["waiting"]["message"].startswith("back-off 40s restarting failed container=c pod=web_default(")


def test_o25_the_events_of_a_kill():
    story = killed_by_liveness()
    address = status(story, 20)["podIP"]
    events = [(event.type, event.reason, event.message) for event in story.events("web") if event.reason in ("Unhealthy", "Killing")]
    assert events == [("Warning", "Unhealthy", f"Liveness probe failed: dial tcp {address}:80: connect: connection refused"),
                      ("Normal", "Killing", "Container c failed liveness probe, will be restarted")]
    killing = story.events("web", "Killing")[0]
    assert killing.at - starts(story)[0] == pytest.approx(30, abs=1)


def test_o25_between_the_kills_the_pod_is_running_and_ready():
    assert row(killed_by_liveness(), GET)[1:4] == ["1/1", "Running", "0"]


def test_o25_a_killed_container_does_not_make_another_pod():
    story = killed_by_liveness()
    pods = {state.object["metadata"]["uid"] for state in story.states("pods", "web")}
    places = {(state.object["status"].get("podIP"), state.object["spec"]["nodeName"]) for state in story.states("pods", "web") if state.at > 2}
    assert len(pods) == len(places) == 1


def test_o25_a_startup_probe_holds_the_others_back():
    story = gated_by_startup()
    assert row(story, GET)[1:4] == ["0/1", "Running", "0"]
    address = status(story, 20)["podIP"]
    told = story.events("web", "Unhealthy")
    assert {event.message for event in told} == {f"Startup probe failed: dial tcp {address}:80: connect: connection refused"}
    assert sum(event.count for event in told) >= 5
    assert story.events("web", "Killing") == []


def test_o25_started_and_ready_come_in_one_moment_and_nothing_was_restarted():
    story = gated_by_startup()
    states = [state for state in story.states("pods", "web") if state.object["status"].get("containerStatuses")]
    started = next(state for state in states if state.object["status"]["containerStatuses"][0]["started"])
    assert 60 <= started.at - starts(story)[0] <= 70
    ready = next(state.at for state in states if condition(state.object, "Ready")["status"] == "True")
    assert ready - started.at < 0.2
    assert row(story, GET, 2)[1:4] == ["1/1", "Running", "0"]


def test_o25_a_startup_probe_kills_with_the_grace_of_its_own():
    hook = 'lifecycle: {preStop: {exec: {command: [sleep, "1"]}}}'
    probe = f"startupProbe: {{{TCP}, failureThreshold: 3, terminationGracePeriodSeconds: 3}}"
    story = play("@0s kubectl create -f web.yaml\n@50s end", {"web.yaml": pod(f"{SLOW}, {hook}, {probe}")})
    assert [event.message for event in story.events("web", "Killing")] == ["Container c failed startup probe, will be restarted"]
    assert len(story.messages("RunPreStopHook", pod="web")) == 1
    assert [step.facts["timeout"] for step in story.messages("StopContainer", pod="web")] == [2]
    assert container(story, 45)["restartCount"] == 1


# -- O26 --------------------------------------------------------------------------------------------------------------------
FAILS = '{name: i, image: "demo:fail", env: [{name: EXIT_AFTER, value: "0"}, {name: EXIT_CODE, value: "1"}]}'
APP = 'image: "demo:ok"'


@cache
def never():
    return play(f"@0s kubectl create -f web.yaml\n@5s {GET}\n@60s end", {"web.yaml": pod(APP, FAILS, restartPolicy="Never")})


@cache
def always():
    return play(f"@0s kubectl create -f web.yaml\n@9s {GET}\n@60s end", {"web.yaml": pod(APP, FAILS)})


@cache
def the_second_fails():
    first = '{name: h, image: "busybox:1.36", command: [sh, -c, "sleep 3"]}'
    return play(f"@0s kubectl create -f web.yaml\n@2s {GET}\n@9s {GET}\n@60s end", {"web.yaml": pod(APP, f"{first}, {FAILS}")})


def test_o26_with_never_the_pod_fails():
    story = never()
    assert row(story, GET)[1:4] == ["0/1", "Init:Error", "0"]
    last = status(story, 60)
    assert last["phase"] == "Failed"
    assert last["containerStatuses"][0]["state"] == {"waiting": {"reason": "PodInitializing"}}
    assert len(starts(story)) == 1


def test_o26_the_pod_says_which_init_container_is_missing():
    initialized = condition(never().end().get("pods", "web"), "Initialized")
    assert (initialized["status"], initialized["reason"], initialized["message"]) == (
        "False", "ContainersNotInitialized", "containers with incomplete status: [i]")


def test_o26_with_always_the_init_container_is_tried_again_and_again():
    story = always()
    assert row(story, GET)[1:4] == ["0/1", "Init:Error", "1"]
    assert status(story, 60)["phase"] == "Pending"
    first, second, *others = starts(story)
    assert second - first < 1.5
    assert [later - before >= due for before, later, due in zip([second, *others], others, (10, 20))] == [True, True]


def test_o26_the_back_off_shows_for_the_moment_before_a_restart():
    waiting = [state.at for state in always().states("pods", "web")
               if any("waiting" in one["state"] and one["state"]["waiting"]["reason"] == "CrashLoopBackOff"
                      for one in state.object["status"].get("initContainerStatuses", ()))]
    assert waiting
    assert all(any(0 < start - at < 1.5 for start in starts(always())) for at in waiting)


def test_o26_only_the_failing_one_of_two_is_tried_again():
    story = the_second_fails()
    assert row(story, GET)[1:4] == ["0/1", "Init:0/2", "0"]
    assert row(story, GET, 2)[1:4] == ["0/1", "Init:Error", "1"]
    first, second = status(story, 60)["initContainerStatuses"]
    assert first["restartCount"] == 0
    assert first["state"]["terminated"]["reason"] == "Completed"
    assert second["restartCount"] >= 2
    ran = [step.facts["container"] for step in story.messages("StartContainer", pod="web")]
    assert ran == ["h"] + ["i"] * (len(ran) - 1)


def test_o26_the_status_counts_the_init_containers_that_are_through():
    first = '{name: h, image: "busybox:1.36", command: [sh, -c, "sleep 3"]}'
    second = '{name: i, image: "busybox:1.36", command: [sh, -c, "sleep 4"]}'
    story = play(f"""
        @0s kubectl create -f web.yaml
        @6s {GET}
        @20s {GET}
        @21s end
    """, {"web.yaml": pod(APP, f"{first}, {second}")})
    assert row(story, GET)[1:4] == ["0/1", "Init:1/2", "0"]
    assert row(story, GET, 2)[1:4] == ["1/1", "Running", "0"]


def test_o26_init_containers_that_are_no_sidecars_have_no_probes_and_hooks():
    init = f"{{name: i, image: x, livenessProbe: {{{TCP}}}, lifecycle: {{preStop: {{sleep: {{seconds: 1}}}}}}}}"
    story = play("@0s kubectl create -f web.yaml\n@1s end", {"web.yaml": pod(APP, init)})
    forbidden = "Forbidden: may not be set for init containers without restartPolicy=Always"
    said = story.printed("kubectl create -f web.yaml")
    assert story.exit("kubectl create -f web.yaml") == 1
    assert f"spec.initContainers[0].livenessProbe: {forbidden}" in said
    assert f"spec.initContainers[0].lifecycle: {forbidden}" in said
