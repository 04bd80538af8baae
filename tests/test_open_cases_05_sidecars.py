"""O05: in which order native sidecars stop."""
from functools import cache

from .stories import play
from .terminations import after, confirmed, last_status

TRAP = "trap 'sleep {seconds}; exit 0' TERM; while true; do sleep 0.05; done"
PRESTOP = "lifecycle: {preStop: {sleep: {seconds: 2}}}"


def with_sidecars(main, hook="", first=""):
    """A Pod with the sidecars s1 and s2, which take 1 s to exit."""
    sidecar = f'image: "busybox:1.36", restartPolicy: Always, command: [sh, -c, "{TRAP.format(seconds=1)}"]' + (f", {hook}" if hook else "")
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: side}}
spec:
  terminationGracePeriodSeconds: 30
  initContainers:
  - {{name: s1, {sidecar}{first}}}
  - {{name: s2, {sidecar}}}
  containers:
  - {{name: main, {main}{", " + hook if hook else ""}}}
"""


@cache
def sidecars(main, hook="", first=""):
    return play("""
        @0s kubectl apply -f side.yaml
        @30s kubectl delete pod side
        @90s end
    """, {"side.yaml": with_sidecars(main, hook, first)})


SLOW = f'image: "busybox:1.36", command: [sh, -c, "{TRAP.format(seconds=5)}"]'
DEAF = 'image: "demo:deaf", env: [{name: IGNORE_TERM, value: "1"}]'
NEVER = ", startupProbe: {exec: {command: [\"false\"]}, failureThreshold: 1000}"


def signals(story, reason="SendSIGTERM"):
    return [(step.facts["container"], step.at / 1000) for step in story.messages(reason, pod="side")]


def test_o05_all_hooks_and_all_killing_events_come_at_once():
    story = sidecars(SLOW, PRESTOP)
    assert story.times("RunPreStopHook", pod="side") == [after(0)] * 3
    killing = story.events("side", "Killing")
    assert sorted(event.message for event in killing) == [f"Stopping container {name}" for name in ("main", "s1", "s2")]
    assert [event.at for event in killing] == [after(0)] * 3


def test_o05_sidecars_get_their_signal_after_main_the_last_declared_first():
    story = sidecars(SLOW, PRESTOP)
    assert signals(story) == [("main", after(2)), ("s2", after(7)), ("s1", after(8))]
    assert max(story.times("ProcessExited", pod="side")) == after(9)
    assert story.messages("SendSIGKILL", pod="side") == []
    assert confirmed(story, "side")


def test_o05_each_gets_what_is_left_of_the_grace():
    given = [step.facts["timeout"] for step in sidecars(SLOW, PRESTOP).messages("StopContainer", pod="side")]
    assert given == [28, 23, 22]


def test_o05_a_deaf_main_container_leaves_two_seconds_to_the_sidecars():
    story = sidecars(DEAF)
    assert signals(story, "SendSIGKILL") == [("main", after(30))]
    assert signals(story)[0] == ("main", after(0))
    assert sorted(signals(story)[1:]) == [("s1", after(30)), ("s2", after(30))]
    assert [step.facts["timeout"] for step in story.messages("StopContainer", pod="side")] == [30, 2, 2]
    assert max(story.times("ProcessExited", pod="side")) == after(31)
    assert confirmed(story, "side")


def test_o05_a_sidecar_that_never_started_gets_its_signal_at_once():
    story = sidecars(SLOW, "", NEVER)
    assert signals(story) == [("s1", after(0))]
    assert confirmed(story, "side")
    assert last_status(story, "side")["phase"] == "Failed"
