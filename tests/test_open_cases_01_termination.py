"""O01 to O03: hooks, signals and finalizers of a Pod that is deleted."""
from functools import cache

import pytest

from .stories import play
from .terminations import after, confirmed, last_status, row


def end_of(status, container="c"):
    """(exit code, reason) of a container that has ended."""
    ended = next(each for each in status["containerStatuses"] + status.get("initContainerStatuses", []) if each["name"] == container)["state"]["terminated"]
    return ended["exitCode"], ended["reason"]


# -- O01 --------------------------------------------------------------------------------------------------------------------
@cache
def a_long_prestop(seconds, term="IGNORE_TERM"):
    return play("""
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web
        @70s end
    """, {"web.yaml": f"""
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:
  terminationGracePeriodSeconds: 30
  containers:
  - name: c
    image: demo:deaf
    env: [{{name: {term}, value: "1"}}]
    lifecycle: {{preStop: {{exec: {{command: ["sleep", "{seconds}"]}}}}}}
"""})


def test_o01_the_deletion_timestamp_lies_in_the_future_by_the_grace_period():
    meta = a_long_prestop(300).at(31).get("pods", "web")["metadata"]
    assert meta["deletionGracePeriodSeconds"] == 30
    assert meta["deletionTimestamp"] == "2026-01-01T00:01:00Z"


def test_o01_a_prestop_hook_longer_than_the_grace_period_gets_two_seconds_once():
    story = a_long_prestop(300)
    assert story.times("RunPreStopHook", pod="web") == [after(0)]
    assert story.times("SendSIGTERM", pod="web") == [after(30)]
    assert [step.facts["timeout"] for step in story.messages("StopContainer", pod="web")] == [2]
    assert story.times("SendSIGKILL", pod="web") == [after(32)]
    assert confirmed(story, "web")


def test_o01_the_container_was_killed_and_its_hook_died_with_it():
    story = a_long_prestop(300)
    status = last_status(story, "web")
    assert end_of(status) == (137, "Error")
    assert status["phase"] == "Failed"
    killing, = story.events("web", "Killing")
    assert (killing.type, killing.message, killing.at) == ("Normal", "Stopping container c", after(0))
    failed, = story.events("web", "FailedPreStopHook")
    assert (failed.type, failed.message, failed.at) == ("Warning", "PreStopHook failed", after(32))


def test_o01_the_hook_of_an_image_that_obeys_dies_at_sigterm():
    failed, = a_long_prestop(300, "UNUSED").events("web", "FailedPreStopHook")
    assert failed.at == after(30)


def test_o01_the_last_change_before_the_object_goes_sets_the_grace_to_zero_and_the_deletion_to_now():
    modified, deleted = a_long_prestop(300).states("pods", "web")[-2:]
    assert modified.object["metadata"]["deletionGracePeriodSeconds"] == 0
    assert modified.object["metadata"]["deletionTimestamp"] == f"2026-01-01T00:01:{int(modified.at) - 60:02}Z"
    assert deleted.type == "DELETED"


def test_o01_a_shorter_hook_takes_its_time_from_the_grace_period():
    story = a_long_prestop(10)
    assert story.times("SendSIGTERM", pod="web") == [after(10)]
    assert story.times("SendSIGKILL", pod="web") == [after(30)]
    assert story.events("web", "FailedPreStopHook") == []


# -- O02 --------------------------------------------------------------------------------------------------------------------
@cache
def three_ways_to_end():
    return play("""
        @0s kubectl apply -f pods.yaml
        @30s kubectl delete pod a b c
        @40s kubectl delete pod a --wait=false
        @80s end
    """, {"pods.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - {name: c, image: "busybox:1.36", command: [sh, -c, "sleep 1000; true"]}
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec:
  shareProcessNamespace: true
  containers:
  - {name: c, image: "busybox:1.36", command: [sh, -c, "sleep 1000; true"]}
---
apiVersion: v1
kind: Pod
metadata: {name: c}
spec:
  containers:
  - {name: c, image: "demo:ok", env: [{name: TERM_DELAY, value: "5"}]}
"""})


@pytest.mark.parametrize("name, seconds, end, phase", [
    ("a", 30, (137, "Error"), "Failed"),
    ("b", 0, (143, "Error"), "Failed"),
    ("c", 5, (0, "Completed"), "Succeeded"),
])
def test_o02_a_container_that_ignores_dies_of_or_handles_sigterm(name, seconds, end, phase):
    story = three_ways_to_end()
    assert story.times("SendSIGTERM", pod=name) == [after(0)]
    assert story.times("ProcessExited", pod=name) == [after(seconds)]
    status = last_status(story, name)
    assert end_of(status) == end
    assert status["phase"] == phase
    killing, = story.events(name, "Killing")
    assert (killing.message, killing.at) == ("Stopping container c", after(0))


def test_o02_only_the_one_that_ignores_is_killed():
    story = three_ways_to_end()
    assert [step.facts["pod"] for step in story.messages("SendSIGKILL")] == ["a"]


def test_o02_kubectl_waits_until_the_last_object_is_gone():
    story = three_ways_to_end()
    assert story.ended("kubectl delete pod a b c") == pytest.approx(story.gone("pods", "a"), abs=0.1)
    assert confirmed(story, "a")
    assert story.printed("kubectl delete pod a b c") == "".join(f'pod "{name}" deleted from default namespace\n' for name in "abc")


def test_o02_without_waiting_kubectl_returns_at_once():
    assert three_ways_to_end().ended("kubectl delete pod a --wait=false") < 41


# -- O03 --------------------------------------------------------------------------------------------------------------------
FORCE = "kubectl delete pod web --grace-period=0 --force --wait=false"
IMPATIENT = "kubectl delete pod web --grace-period=0 --force --timeout=3s"
ADD = """kubectl patch pod web --type=json -p '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/two"}]'"""
REMOVE = """kubectl patch pod web --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'"""
CHANGES = (
    "kubectl label pod web a=b",
    "kubectl set image pod/web c=demo:ok2",
    """kubectl patch pod web -p '{"spec":{"activeDeadlineSeconds":1000}}'""",
)
REFUSED = """kubectl patch pod web -p '{"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"b"}]}]}}'"""


@cache
def a_held_pod(code="0"):
    changes = "\n".join(f"@{110 + number}s {line}" for number, line in enumerate((*CHANGES, REFUSED)))
    return play(f"""
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web --wait=false
        @31s kubectl get pod web
        @60s kubectl get pod web
        @90s {FORCE}
        @91s kubectl get pod web
        @100s {IMPATIENT}
        @105s {ADD}
        {changes}
        @150s {REMOVE}
        @160s end
    """, {"web.yaml": f"""
apiVersion: v1
kind: Pod
metadata:
  name: web
  finalizers: [example.com/hold]
spec:
  containers:
  - {{name: c, image: "busybox:1.36", command: [sh, -c, "trap 'sleep 3; exit {code}' TERM; while true; do sleep 0.2; done"]}}
"""})


def test_o03_the_kubelet_confirms_and_the_finalizer_holds():
    story = a_held_pod()
    assert story.at(31).get("pods", "web")["metadata"]["deletionGracePeriodSeconds"] == 30
    held = story.at(60).get("pods", "web")
    assert held["metadata"]["deletionGracePeriodSeconds"] == 0
    assert held["metadata"]["finalizers"] == ["example.com/hold"]
    assert held["status"]["phase"] == "Succeeded"


def test_o03_status_is_terminating_while_the_container_runs_and_completed_after():
    story = a_held_pod()
    assert row(story, "kubectl get pod web")[1:3] == ["1/1", "Terminating"]
    assert row(story, "kubectl get pod web", 2)[1:3] == ["0/1", "Completed"]


def test_o03_an_exit_code_other_than_zero_makes_it_error():
    story = a_held_pod("3")
    assert row(story, "kubectl get pod web", 2)[1:3] == ["0/1", "Error"]
    assert story.at(60).get("pods", "web")["status"]["phase"] == "Failed"


def test_o03_force_says_deleted_and_the_pod_stays():
    story = a_held_pod()
    forced = story.command(FORCE)
    assert forced["stdout"] == 'pod "web" force deleted from default namespace\n'
    assert forced["stderr"] == ("Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. "
                                "The resource may continue to run on the cluster indefinitely.\n")
    assert story.at(99).get("pods", "web") is not None


def test_o03_a_forced_delete_that_waits_times_out():
    story = a_held_pod()
    assert story.command(IMPATIENT)["stderr"].splitlines()[-1] == "error: timed out waiting for the condition on pods/web"
    assert story.exit(IMPATIENT) == 1
    assert story.ended(IMPATIENT) == pytest.approx(103, abs=1)


def test_o03_no_finalizer_can_be_added_any_more():
    story = a_held_pod()
    assert story.exit(ADD) == 1
    assert story.printed(ADD) == ('The Pod "web" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, '
                                  'found new finalizers []string{"example.com/two"}\n')


@pytest.mark.parametrize("line", CHANGES)
def test_o03_a_terminating_pod_can_be_edited_like_any_other(line):
    assert a_held_pod().exit(line) == 0


def test_o03_other_fields_are_refused_as_ever():
    story = a_held_pod()
    assert story.exit(REFUSED) == 1
    assert story.printed(REFUSED).startswith('The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than '
                                             '`spec.containers[*].image`,`spec.initContainers[*].image`,')


def test_o03_the_request_that_empties_the_finalizers_removes_the_pod():
    story = a_held_pod()
    assert story.gone("pods", "web") == story.times("PatchPod")[-1]
    assert story.printed(REMOVE) == "pod/web patched\n"
