"""O17 and O18: Jobs that fail. Times are seconds from the start of the script."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .stories import play

TOO_OFTEN = ("True", "BackoffLimitExceeded", "Job has reached the specified backoff limit")


def job(name, limit, policy="Never", command="exit 1"):
    return f"""
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  backoffLimit: {limit}
  template:
    spec:
      restartPolicy: {policy}
      containers:
      - {{name: c, image: "busybox:1.36", command: [sh, -c, "{command}"]}}
"""


def said(moment, name, kind):
    found = condition(moment.get("jobs.batch", name), kind)
    return found and (found["status"], found["reason"], found["message"])


# -- O17 --------------------------------------------------------------------------------------------------------------------
@cache
def never():
    return play("""
        @0s kubectl create -f j.yaml
        @0s kubectl create -f j0.yaml
        @60s kubectl get pods
        @60s kubectl get job j
        @100s end
    """, {"j.yaml": job("j", 2), "j0.yaml": job("j0", 0)})


def starts(story, prefix):
    return [min(state.at for state in story.states("pods", name)) for name in story.end().names("pods", prefix)]


def test_o17_a_limit_of_two_makes_three_pods_with_growing_gaps():
    first, second, third = sorted(starts(never(), "j-"))
    # 10 s and 20 s from the end of the failed container, whose time is cut to whole seconds.
    assert 9 < second - first < 13 and 19 < third - second < 24


def test_o17_the_failed_pods_are_kept():
    pods = never().end().list("pods", "j-")
    assert [pod["status"]["phase"] for pod in pods] == ["Failed"] * 3
    assert [pod["metadata"].get("finalizers") for pod in pods] == [None] * 3
    assert never().printed("kubectl get pods").count("Error") == 4


def test_o17_the_job_fails_in_two_steps_with_one_reason():
    story = never()
    kinds = [[one["type"] for one in state.object["status"].get("conditions", ())] for state in story.states("jobs.batch", "j")]
    assert [each for number, each in enumerate(kinds) if each not in kinds[:number]] == [[], ["FailureTarget"], ["FailureTarget", "Failed"]]
    assert said(story.end(), "j", "Failed") == said(story.end(), "j", "FailureTarget") == TOO_OFTEN
    assert story.end().get("jobs.batch", "j")["status"]["failed"] == 3
    event, = story.events("j", "BackoffLimitExceeded")
    assert (event.type, event.message) == ("Warning", TOO_OFTEN[2])
    header, line = story.printed("kubectl get job j").splitlines()
    assert line.split()[1:3] == ["Failed", "0/1"]


def test_o17_a_limit_of_zero_makes_one_pod():
    assert len(never().end().names("pods", "j0-")) == 1
    assert said(never().end(), "j0", "Failed") == TOO_OFTEN


def test_o17_each_ended_pod_is_named_before_it_is_let_go_of_and_then_counted():
    story = never()
    uid = min((states[0].at, states[0].object["metadata"]["uid"]) for name in story.end().names("pods", "j-") for states in [story.states("pods", name)])[1]
    named = next(state.at for state in story.states("jobs.batch", "j") if uid in state.object["status"].get("uncountedTerminatedPods", {}).get("failed", ()))
    counted = next(state.at for state in story.states("jobs.batch", "j") if state.object["status"].get("failed"))
    let_go = next(state.at for name in story.end().names("pods", "j-") for state in story.states("pods", name)
                  if state.object["metadata"]["uid"] == uid and not state.object["metadata"].get("finalizers"))
    assert named < let_go < counted


# -- O18 --------------------------------------------------------------------------------------------------------------------
@cache
def on_failure():
    files = {f"on{limit}.yaml": job(f"on{limit}", limit, "OnFailure", "sleep 1; exit 1") for limit in (0, 1, 2)}
    return play("".join(f"@0s kubectl create -f {name}\n" for name in files) + "@100s kubectl get pods\n@110s end", files)


@pytest.mark.parametrize("name, restarts", [("on0", 1), ("on1", 1), ("on2", 2)])
def test_o18_the_only_pod_is_deleted_when_restarts_reach_the_limit(name, restarts):
    story = on_failure()
    states = [state for _, pods in story.history("pods", f"{name}-") for state in pods]
    assert len({pod["metadata"]["uid"] for pod in states}) == 1
    marked = next(pod for pod in states if "deletionTimestamp" in pod["metadata"])
    assert marked["status"]["containerStatuses"][0]["restartCount"] == restarts
    assert story.end().names("pods", f"{name}-") == []
    assert [event.reason for event in story.events(name)] == ["SuccessfulCreate", "SuccessfulDelete", "BackoffLimitExceeded"]


@pytest.mark.parametrize("name", ["on0", "on1", "on2"])
def test_o18_the_job_has_failed_only_when_its_pod_has_ended(name):
    story = on_failure()
    states = story.states("jobs.batch", name)
    target, failed = (next(state.at for state in states if condition(state.object, kind)) for kind in ("FailureTarget", "Failed"))
    assert target + 0.5 < failed
    assert said(story.end(), name, "Failed") == TOO_OFTEN
    assert story.end().get("jobs.batch", name)["status"]["failed"] == 1
