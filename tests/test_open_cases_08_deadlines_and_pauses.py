"""O08 and O09: what a rollout does that cannot go on, or must not."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .rollouts import PAUSE, RESTART, RESUME, STATUS, UNDO, deployment, progressing, replica_set, runs, states_of
from .stories import play


# -- O08 --------------------------------------------------------------------------------------------------------------------
@cache
def a_missed_deadline():
    return play("""
        @0s kubectl create -f web.yaml
        @30s kubectl set image deployment/web c=demo:missing
        @30.5s kubectl rollout status deployment/web
        @100s kubectl rollout status deployment/web
        @100s kubectl get pods
        @150s kubectl rollout undo deployment/web
        @170s end
    """, {"web.yaml": deployment(3, spec="progressDeadlineSeconds: 60")})


def test_o08_the_condition_flips_when_the_deadline_has_passed():
    story = a_missed_deadline()
    flipped = next(state for state in story.states("deployments.apps", "web") if state.at > 30 and progressing(state.object)[0] == "False")
    assert flipped.at == pytest.approx(91, abs=1.2)
    assert progressing(flipped.object) == ("False", "ProgressDeadlineExceeded")
    name = replica_set(story.at(100), "demo:missing")["metadata"]["name"]
    assert condition(flipped.object, "Progressing")["message"] == f'ReplicaSet "{name}" has timed out progressing.'
    assert condition(flipped.object, "Available")["status"] == "True"


def test_o08_nothing_else_changes_by_itself():
    story = a_missed_deadline()
    assert [replica_set(story.at(149), image)["spec"]["replicas"] for image in ("demo:ok", "demo:missing")] == [3, 1]
    statuses = [row.split()[2] for row in story.printed("kubectl get pods").splitlines()[1:]]
    assert statuses.count("Running") == 3
    assert len(statuses) == 4
    assert set(statuses) - {"Running"} <= {"ErrImagePull", "ImagePullBackOff"}


def test_o08_no_event_tells_it():
    assert {event.reason for event in a_missed_deadline().events("web")} == {"ScalingReplicaSet"}


def test_o08_rollout_status_waits_and_fails():
    story = a_missed_deadline()
    record = story.command(STATUS)
    assert record["stdout"] == 'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...\n'
    assert record["stderr"] == 'error: deployment "web" exceeded its progress deadline\n'
    assert record["exit"] == 1
    assert story.ended(STATUS) == pytest.approx(91, abs=1.2)


def test_o08_asked_afterwards_it_prints_only_the_error():
    story = a_missed_deadline()
    assert story.printed(STATUS, 2) == 'error: deployment "web" exceeded its progress deadline\n'
    assert story.exit(STATUS, 2) == 1


def test_o08_asked_before_the_controller_has_acted_it_counts_none():
    story = play("""
        @0s kubectl create -f web.yaml
        @30s kubectl set image deployment/web c=demo:missing
        @30.01s kubectl rollout status deployment/web
        @40s end
    """, {"web.yaml": deployment(3)})
    lines = [f'Waiting for deployment "web" rollout to finish: {number} out of 3 new replicas have been updated...' for number in (0, 1)]
    assert story.command(STATUS)["stdout"].splitlines()[-2:] == lines


def test_o08_after_the_undo_it_progresses_again():
    reasons = [progressing(state.object) for state in a_missed_deadline().states("deployments.apps", "web") if state.at > 150]
    assert runs(reasons)[-2:] == [("True", "ReplicaSetUpdated"), ("True", "NewReplicaSetAvailable")]


def test_o08_progress_restarts_the_clock():
    # One new Pod every 40 s: each beats the deadline of 60 s, the whole does not.
    spec = "progressDeadlineSeconds: 60"
    story = play("""
        @0s kubectl create -f old.yaml
        @30s kubectl replace -f new.yaml
        @200s end
    """, {"old.yaml": deployment(3, spec=spec, probe=True), "new.yaml": deployment(3, "demo:ok2", spec, "READY_AFTER: 40", probe=True)})
    states = [state for state in story.states("deployments.apps", "web") if state.at > 30]
    assert {progressing(state.object)[0] for state in states} == {"True"}
    done = next(state.at for state in states[10:] if progressing(state.object)[1] == "NewReplicaSetAvailable")
    assert done == pytest.approx(30 + 3 * 41, abs=3)


def test_o08_the_default_is_six_hundred_seconds():
    story = play("@0s kubectl create -f web.yaml", {"web.yaml": deployment(1)})
    assert story.end().get("deployments.apps", "web")["spec"]["progressDeadlineSeconds"] == 600


def test_o08_the_deadline_must_be_longer_than_min_ready_seconds():
    story = play("@0s kubectl apply -f web.yaml", {"web.yaml": deployment(1, spec="progressDeadlineSeconds: 5\n  minReadySeconds: 5")})
    assert story.printed("kubectl apply -f web.yaml") == (
        'The Deployment "web" is invalid: spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds\n')
    assert story.exit("kubectl apply -f web.yaml") == 1


# -- O09 --------------------------------------------------------------------------------------------------------------------
@cache
def a_pause(before=""):
    return play(f"""
        @0s kubectl create -f web.yaml
        {before}
        @30s kubectl rollout pause deployment/web
        @31s kubectl rollout pause deployment/web
        @32s kubectl set image deployment/web c=demo:ok2
        @35s kubectl get deployment web
        @40s kubectl scale deployment/web --replicas=5
        @50s kubectl rollout undo deployment/web
        @51s kubectl rollout restart deployment/web
        @52s kubectl rollout status deployment/web
        @60s kubectl rollout resume deployment/web
        @61s kubectl rollout resume deployment/web
        @120s end
    """, {"web.yaml": deployment(3)})


def test_o09_a_pause_makes_progressing_unknown():
    web = a_pause().at(31).get("deployments.apps", "web")
    assert progressing(web) == ("Unknown", "DeploymentPaused")
    assert condition(web, "Progressing")["message"] == "Deployment is paused"


def test_o09_a_new_image_makes_no_replica_set():
    story = a_pause()
    assert len(story.at(59).list("replicasets.apps")) == 1
    assert story.printed("kubectl get deployment web").splitlines()[1].split()[1:4] == ["3/3", "0", "3"]


def test_o09_scaling_works_at_once_with_the_old_image():
    story = a_pause()
    pods = story.at(45).list("pods", "web-")
    assert [pod["spec"]["containers"][0]["image"] for pod in pods] == ["demo:ok"] * 5
    scaled = next(state.at for state in states_of(story, "demo:ok") if state.object["spec"]["replicas"] == 5)
    assert 40 < scaled < 40.5


@pytest.mark.parametrize("line, number, error", [
    (UNDO, 1, 'error: no rollout history found for deployment "web"'),
    (PAUSE, 2, 'error: deployments.apps "web" is already paused'),
    (RESTART, 1, 'error: deployments.apps "web" can\'t restart paused deployment (run rollout resume first)'),
    (RESUME, 2, 'error: deployments.apps "web" is not paused'),
])
def test_o09_what_is_refused_while_paused(line, number, error):
    story = a_pause()
    assert story.printed(line, number) == error + "\n"
    assert story.exit(line, number) == 1


def test_o09_with_two_revisions_undo_says_to_resume_first():
    story = a_pause("@20s kubectl set image deployment/web c=demo:v2")
    assert story.printed(UNDO) == "error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again\n"
    assert story.exit(UNDO) == 1


def test_o09_rollout_status_waits_for_the_resume():
    story = a_pause()
    assert story.printed(STATUS).splitlines()[0] == 'Waiting for deployment "web" rollout to finish: 0 out of 5 new replicas have been updated...'
    assert story.printed(STATUS).splitlines()[-1] == 'deployment "web" successfully rolled out'
    assert story.exit(STATUS) == 0
    assert story.ended(STATUS) > 60


def test_o09_the_resume_starts_a_single_rollout():
    story = a_pause()
    resumed = [progressing(state.object) for state in story.states("deployments.apps", "web") if state.at > 60 and not state.object["spec"].get("paused")]
    assert ("Unknown", "DeploymentResumed") in resumed
    assert resumed[-1] == ("True", "NewReplicaSetAvailable")
    assert len(story.end().list("replicasets.apps")) == 2
    assert [pod["spec"]["containers"][0]["image"] for pod in story.end().list("pods", "web-")] == ["demo:ok2"] * 5


def test_o09_the_deadline_is_not_counted_while_paused_and_starts_anew_at_the_resume():
    story = play("""
        @0s kubectl create -f web.yaml
        @30s kubectl rollout pause deployment/web
        @31s kubectl set image deployment/web c=demo:missing
        @43s kubectl rollout resume deployment/web
        @60s end
    """, {"web.yaml": deployment(1, spec="progressDeadlineSeconds: 5")})
    exceeded = [state.at for state in story.states("deployments.apps", "web") if state.at > 30 and progressing(state.object)[1] == "ProgressDeadlineExceeded"]
    assert exceeded[0] == pytest.approx(43 + 5.5, abs=0.7)
