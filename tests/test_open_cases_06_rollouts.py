"""O06 to O09: what a Deployment does when its template changes. Times are seconds from the start of the script."""
from functools import cache
from itertools import groupby

import pytest

from lifecycle.simulation.objects import condition, is_deleting, is_ready

from .stories import play

REVISION = "deployment.kubernetes.io/revision"
APPLY_WARNING = ("Warning: resource deployments/web was previously managed with 'kubectl apply'. Rolling back will not update the "
                 "kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' operations. "
                 "Consider using 'kubectl apply' with your previous configuration file instead.\n")


def deployment(replicas, image="demo:ok", spec="", env="", probe=False):
    """A Deployment `web`; `spec` are lines of its spec, `env` is one variable as "NAME: VALUE"."""
    name, _, value = env.partition(": ")
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: {replicas}
  {spec}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: c
        image: {image}
        env: {f'[{{name: {name}, value: "{value}"}}]' if env else '[]'}
        {'readinessProbe: {httpGet: {path: /ready, port: 80}, periodSeconds: 1}' if probe else ''}
"""


def replica_set(moment, image):
    """The ReplicaSet of an image."""
    found, = [each for each in moment.list("replicasets.apps", "web-") if each["spec"]["template"]["spec"]["containers"][0]["image"] == image]
    return found


def scalings(story):
    """The ScalingReplicaSet messages in the order of their first posting, with the names of the ReplicaSets replaced by "old" and "new"."""
    old, new = (replica_set(story.end(), image)["metadata"]["name"] for image in ("demo:ok", "demo:ok2"))
    messages = [event.message.replace(old, "old").replace(new, "new") for event in story.events("web", "ScalingReplicaSet")]
    return [message.replace("Scaled ", "").replace(" replica set", "") for message in messages]


def states_of(story, image):
    """Every revision of the ReplicaSet of an image."""
    return story.states("replicasets.apps", replica_set(story.end(), image)["metadata"]["name"])


def runs(values):
    """The values without immediate repetitions."""
    return [value for value, _ in groupby(values)]


def progressing(thing):
    found = condition(thing, "Progressing")
    return found["status"], found["reason"]


# -- O06 --------------------------------------------------------------------------------------------------------------------
@cache
def an_update(replicas, spec=""):
    """New Pods become Ready 5 s after their start."""
    files = {"old.yaml": deployment(replicas, spec=spec, probe=True), "new.yaml": deployment(replicas, "demo:ok2", spec, "READY_AFTER: 5", probe=True)}
    return play("""
        @0s kubectl apply -f old.yaml
        @30s kubectl apply -f new.yaml
        @120s end
    """, files)


@pytest.mark.parametrize("replicas, surge, unavailable", [(1, 1, 0), (3, 1, 0), (4, 1, 1), (5, 2, 1), (10, 3, 2)])
def test_o06_surge_rounds_up_and_unavailable_rounds_down(replicas, surge, unavailable):
    story = an_update(replicas)
    wanted = [sum(each["spec"]["replicas"] for each in sets) for _, sets in story.history("replicasets.apps", "web-", 30)]
    assert max(wanted) == replicas + surge
    pods = [[pod for pod in pods if not is_deleting(pod)] for _, pods in story.history("pods", "web-", 30)]
    # Two ReplicaSets act in parallel, so one Pod too many may be seen for some milliseconds.
    assert replicas + surge <= max(map(len, pods)) <= replicas + surge + 1
    assert min(sum(is_ready(pod) for pod in present) for present in pods) == replicas - unavailable


@pytest.mark.parametrize("replicas", [1, 3, 4, 5, 10])
def test_o06_every_update_comes_to_its_end(replicas):
    story = an_update(replicas)
    assert progressing(story.end().get("deployments.apps", "web")) == ("True", "NewReplicaSetAvailable")
    assert [replica_set(story.end(), image)["spec"]["replicas"] for image in ("demo:ok", "demo:ok2")] == [0, replicas]


def test_o06_three_replicas_are_replaced_one_by_one():
    assert scalings(an_update(3)) == ["up old from 0 to 3", "up new from 0 to 1", "down old from 3 to 2", "up new from 1 to 2",
                                      "down old from 2 to 1", "up new from 2 to 3", "down old from 1 to 0"]


def test_o06_ten_replicas_begin_with_three_new_then_two_fewer_old_then_two_more_new():
    story = an_update(10)
    assert scalings(story)[1:4] == ["up new from 0 to 3", "down old from 10 to 8", "up new from 3 to 5"]
    first_steps = [event.at for event in story.events("web", "ScalingReplicaSet")[1:4]]
    assert max(first_steps) < 31
    assert [each["spec"]["replicas"] for each in (replica_set(story.at(34.5), "demo:ok"), replica_set(story.at(34.5), "demo:ok2"))] == [8, 5]


def test_o06_from_the_tenth_event_on_they_are_combined():
    story = an_update(10)
    events = story.events("web", "ScalingReplicaSet")
    combined = [event for event in events if event.message.startswith("(combined from similar events): ")]
    assert len(events) == 10
    assert combined == events[9:]
    assert combined[0].count > 1


def test_o06_events_come_from_the_deployment_controller():
    story = an_update(3)
    sources = {event["source"]["component"] for event in story.end().list("events", "web.") if event["reason"] == "ScalingReplicaSet"}
    assert sources == {"deployment-controller"}


def test_o06_when_both_round_to_zero_one_may_be_unavailable_and_the_old_goes_first():
    story = an_update(3, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 25%}}")
    assert scalings(story)[1:3] == ["down old from 3 to 2", "up new from 0 to 1"]
    assert max(sum(each["spec"]["replicas"] for each in sets) for _, sets in story.history("replicasets.apps", "web-", 30)) == 3
    present = [[pod for pod in pods if not is_deleting(pod)] for _, pods in story.history("pods", "web-", 30)]
    assert min(sum(map(is_ready, pods)) for pods in present) == 2


@pytest.mark.parametrize("rolling, why", [
    ("maxSurge: 0, maxUnavailable: 0", "Invalid value: 0: may not be 0 when `maxSurge` is 0"),
    ("maxSurge: 0%, maxUnavailable: 0", "Invalid value: 0: may not be 0 when `maxSurge` is 0"),
    ("maxSurge: 1, maxUnavailable: 101%", 'Invalid value: "101%": must not be greater than 100%'),
])
def test_o06_what_could_never_roll_is_refused(rolling, why):
    story = play("@0s kubectl apply -f web.yaml", {"web.yaml": deployment(3, spec=f"strategy: {{rollingUpdate: {{{rolling}}}}}")})
    assert story.exit("kubectl apply -f web.yaml") == 1
    assert story.printed("kubectl apply -f web.yaml") == f'The Deployment "web" is invalid: spec.strategy.rollingUpdate.maxUnavailable: {why}\n'
    assert story.end().get("deployments.apps", "web") is None


def test_o06_terminating_pods_are_not_counted():
    slow = "TERM_DELAY: 25"
    story = play("""
        @0s kubectl apply -f old.yaml
        @30s kubectl apply -f new.yaml
        @36s kubectl get pods
        @90s end
    """, {"old.yaml": deployment(3, env=slow), "new.yaml": deployment(3, "demo:ok2", env=slow)})
    rows = story.printed("kubectl get pods").splitlines()[1:]
    assert len(rows) == 6 > 3 + 1
    assert sum("Terminating" in row for row in rows) == 3


# -- O07 --------------------------------------------------------------------------------------------------------------------
HISTORY, UNDO = "kubectl rollout history deployment/web", "kubectl rollout undo deployment/web"


@cache
def two_undos():
    return play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl set image deployment/web c=demo:missing
        @60s kubectl rollout history deployment/web
        @61s kubectl rollout undo deployment/web
        @80s kubectl rollout history deployment/web
        @81s kubectl rollout undo deployment/web --to-revision=4
        @90s kubectl rollout undo deployment/web
        @110s kubectl rollout history deployment/web
        @111s kubectl scale deployment/web --replicas=5
        @130s kubectl rollout history deployment/web
        @131s kubectl rollout undo deployment/web --to-revision=2
        @140s end
    """, {"web.yaml": deployment(2)})


def revisions(story, number):
    """The revisions that the `number`th `rollout history` lists; CHANGE-CAUSE must be none."""
    head, columns, *rows = story.printed(HISTORY, number).strip().splitlines()
    assert (head.strip(), columns.split()) == ("deployment.apps/web", ["REVISION", "CHANGE-CAUSE"])
    assert {row.split()[1] for row in rows} == {"<none>"}
    return [int(row.split()[0]) for row in rows]


def test_o07_a_rollback_takes_the_revision_out_of_its_place_and_gives_it_a_new_number():
    story = two_undos()
    assert revisions(story, 1) == [1, 2, 3]
    assert revisions(story, 2) == [1, 3, 4]
    assert story.printed(UNDO) == "deployment.apps/web rolled back\n"
    assert story.at(80).get("deployments.apps", "web")["metadata"]["annotations"][REVISION] == "4"


def test_o07_the_old_replica_set_is_used_again():
    story = two_undos()
    before, after = (replica_set(story.at(seconds), "demo:ok2")["metadata"] for seconds in (60, 80))
    assert (before["name"], before["uid"]) == (after["name"], after["uid"])
    assert before["annotations"][REVISION] == "2"
    assert after["annotations"][REVISION] == "4"
    assert after["annotations"]["deployment.kubernetes.io/revision-history"] == "2"
    assert len(story.at(80).list("replicasets.apps")) == 3


def test_o07_two_undos_toggle():
    story = two_undos()
    assert revisions(story, 3) == [1, 4, 5]
    assert story.at(110).get("deployments.apps", "web")["spec"]["template"]["spec"]["containers"][0]["image"] == "demo:missing"


def test_o07_scaling_makes_no_revision_and_undo_restores_no_replicas():
    story = two_undos()
    assert revisions(story, 4) == [1, 4, 5]
    assert story.end().get("deployments.apps", "web")["spec"]["replicas"] == 5
    story = play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl scale deployment/web --replicas=3
        @60s kubectl rollout undo deployment/web
        @80s end
    """, {"web.yaml": deployment(2)})
    assert story.end().get("deployments.apps", "web")["spec"]["replicas"] == 3


def test_o07_scaling_during_a_broken_rollout_shares_the_new_pods_out():
    story = two_undos()
    sizes = {image: runs(state.object["spec"]["replicas"] for state in states_of(story, image)) for image in ("demo:ok2", "demo:missing")}
    assert sizes["demo:ok2"][-3:] == [2, 5, 4]
    assert sizes["demo:missing"][-3:] == [1, 2, 3]


def test_o07_a_revision_that_is_current_is_skipped_and_one_that_is_gone_is_not_found():
    story = two_undos()
    assert story.printed(f"{UNDO} --to-revision=4") == "deployment.apps/web skipped rollback (current template already matches revision 4)\n"
    assert story.exit(f"{UNDO} --to-revision=4") == 0
    assert story.printed(f"{UNDO} --to-revision=2") == "error: unable to find specified revision 2 in history\n"
    assert story.exit(f"{UNDO} --to-revision=2") == 1


def test_o07_undo_of_what_was_applied_warns_on_standard_error():
    story = play("""
        @0s kubectl apply -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl rollout undo deployment/web
        @60s end
    """, {"web.yaml": deployment(2)})
    record = story.command(UNDO)
    assert (record["stdout"], record["stderr"]) == ("deployment.apps/web rolled back\n", APPLY_WARNING)


def test_o07_a_change_cause_is_shown():
    story = play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @21s kubectl annotate deployment/web kubernetes.io/change-cause=better
        @40s kubectl rollout history deployment/web
    """, {"web.yaml": deployment(1)})
    assert [row.split() for row in story.printed(HISTORY).strip().splitlines()[2:]] == [["1", "<none>"], ["2", "better"]]


def test_o07_revisions_are_numbers():
    updates = "\n".join(f"@{20 * number}s kubectl set image deployment/web c=demo:v{number}" for number in range(2, 12))
    story = play(f"""
        @0s kubectl create -f web.yaml
        {updates}
        @240s kubectl rollout history deployment/web
        @241s kubectl rollout undo deployment/web
        @260s end
    """, {"web.yaml": deployment(1, "demo:v1")})
    assert revisions(story, 1) == list(range(1, 12))
    web = story.end().get("deployments.apps", "web")
    assert web["spec"]["template"]["spec"]["containers"][0]["image"] == "demo:v10"
    assert web["metadata"]["annotations"][REVISION] == "12"


# -- O08 --------------------------------------------------------------------------------------------------------------------
STATUS = "kubectl rollout status deployment/web"


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
    assert two_undos().at(1).get("deployments.apps", "web")["spec"]["progressDeadlineSeconds"] == 600


def test_o08_the_deadline_must_be_longer_than_min_ready_seconds():
    story = play("@0s kubectl apply -f web.yaml", {"web.yaml": deployment(1, spec="progressDeadlineSeconds: 5\n  minReadySeconds: 5")})
    assert story.printed("kubectl apply -f web.yaml") == (
        'The Deployment "web" is invalid: spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds\n')
    assert story.exit("kubectl apply -f web.yaml") == 1


# -- O09 --------------------------------------------------------------------------------------------------------------------
PAUSE, RESUME, RESTART = (f"kubectl rollout {verb} deployment/web" for verb in ("pause", "resume", "restart"))


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
