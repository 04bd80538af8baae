"""How far a learner is follows from what happened in the cluster, and from nothing else."""
import json

import pytest

from lifecycle.lessons import acting
from lifecycle.lessons.checks import requests_of
from lifecycle.lessons.following import Follower, fresh
from lifecycle.lessons.lesson import Check, Condition, Lesson, Prediction, Task
from lifecycle.lessons.missing import Gap, gap
from lifecycle.lessons.playing import play
from lifecycle.lessons.predictions import answered
from lifecycle.simulation.cluster import Cluster

from .builders import a_cluster, a_deployment, a_pod, create, every, run
from .lessons import a_lesson

DEPLOYMENT = Check("deployment", objects="deployments.apps", where="object.spec.replicas == 3")
BOUND = Check("bound", said="CreatePodBinding", count=3)


def lesson_of(*tasks, predictions=()):
    """A Lesson of Tasks, each given by its checks."""
    return Lesson("test", 1, 5, tuple(Task(f"t{number}", checks) for number, checks in enumerate(tasks, 1)), tuple(predictions), ())


class Learner:
    """Somebody in a cluster, followed in pieces of as many work items as `every` says (None: at the end only)."""

    def __init__(self, lesson, cluster=None, pieces=1):
        self.cluster, self.pieces, self.lesson = cluster or a_cluster(), pieces, lesson
        self.state, self.steps, self.revision = fresh(lesson, self.cluster.log.seq), len(self.cluster.log.steps), self.cluster.etcd.revision
        self.objects = self.stored()

    def stored(self):
        return {key: self.cluster.etcd.get(key) for key in self.cluster.etcd.created}

    def run(self, seconds, line=None):
        if line:
            self.cluster.kubectl(line)
        end, items = self.cluster.clock.now + seconds * 1000, 0
        while (due := self.cluster.queue.due()) is not None and due <= end:
            self.cluster.step()
            items += 1
            if self.pieces and items % self.pieces == 0:
                self.look()
        self.cluster.clock.now = end
        self.look()
        return self

    def look(self):
        """What a page does: take the state as it was stored, and all that is new since."""
        follower = Follower(self.lesson, json.loads(json.dumps(self.state)), self.objects)
        follower.follow(self.cluster.log.steps[self.steps:], self.cluster.etcd.since(self.revision))
        self.state, self.steps, self.revision, self.objects = follower.state, len(self.cluster.log.steps), self.cluster.etcd.revision, self.stored()

    def ticked(self, task="t1"):
        return set(self.state["ticked"].get(task, ()))


# -- ticks -----------------------------------------------------------------------------------------------------------------
def test_a_task_is_done_when_all_its_checks_are_ticked():
    learner = Learner(lesson_of((DEPLOYMENT, BOUND)))
    learner.run(0.05, "kubectl create deployment web --image=demo:ok --replicas=3")
    assert learner.state["task"] == "t1"
    learner.run(5)
    assert learner.state["task"] is None and learner.ticked() == {"deployment", "bound"}


@pytest.mark.parametrize("pieces", [1, 2, 7, None])
def test_in_which_pieces_the_history_comes_makes_no_difference(pieces):
    ready = Check("ready", objects="pods", where="object.status.containerStatuses.all(status, status.ready)", count=3)
    pending = Check("pending", objects="pods", where="object.status.phase == 'Pending'")
    learner = Learner(lesson_of((pending, BOUND), (ready,)), pieces=pieces)
    learner.run(5, "kubectl create deployment web --image=demo:ok --replicas=3")
    whole = Learner(lesson_of((pending, BOUND), (ready,))).run(5, "kubectl create deployment web --image=demo:ok --replicas=3")
    assert learner.state == whole.state and learner.state["task"] is None


def test_a_state_that_lasted_one_revision_ticks_its_check():
    unscheduled = Check("unscheduled", objects="pods", where="!has(object.spec.nodeName)")
    assert Learner(lesson_of((unscheduled,)), pieces=None).run(5, "kubectl run web --image=demo:ok").ticked() == {"unscheduled"}


def test_a_tick_stays_but_a_check_for_now_has_to_be_true_when_the_task_is_done():
    was = Check("was", objects="pods", where="object.status.phase == 'Running'")
    now = Check("now", objects="pods", where="object.metadata.name == 'web'", now=True)
    last = Check("last", objects="configmaps", where="object.metadata.name == 'last'")
    learner = Learner(lesson_of((was, now, last)))
    learner.run(5, "kubectl run web --image=demo:ok")
    learner.run(5, "kubectl delete pod web --now")
    learner.run(5, "kubectl create configmap last")
    assert learner.ticked() == {"was", "now", "last"} and learner.state["task"] == "t1"
    learner.run(5, "kubectl run web --image=demo:ok")
    assert learner.state["task"] is None


def test_none_exactly_and_at_least():
    cluster = a_cluster()
    for name in ("a", "b"):
        create(cluster, a_pod(name))
    checks = Check("none", objects="pods", none=True), Check("two", objects="pods", exactly=2), Check("three", objects="pods", count=3)
    learner = Learner(lesson_of(checks), cluster)
    learner.run(5)
    assert learner.ticked() == {"two"}
    learner.run(5, "kubectl delete pods --all --now")
    assert learner.ticked() == {"two", "none"}


def test_objects_of_another_namespace_do_not_count():
    learner = Learner(lesson_of((Check("shop", objects="configmaps", namespace="shop", where="object.metadata.name == 'a'"),)))
    learner.run(2, "kubectl create configmap a")
    assert learner.ticked() == set()
    learner.run(2, "kubectl create namespace shop")
    learner.run(2, "kubectl create configmap a -n shop")
    assert learner.ticked() == {"shop"}


def test_what_was_said_before_a_task_opened_does_not_count_for_it_but_what_is_stored_does():
    learner = Learner(lesson_of((DEPLOYMENT, BOUND), (DEPLOYMENT,), (BOUND,)))
    learner.run(5, "kubectl create deployment web --image=demo:ok --replicas=3")
    assert learner.state["task"] == "t3" and learner.state["counts"] == {}
    learner.run(10, "kubectl delete pods --all --now")
    assert learner.state["task"] is None


@pytest.mark.parametrize("line", ["kubectl get pods", "kubectl get po", "kubectl  get   pod -o wide", "kubectl get pods -A"])
def test_a_command_counts_in_any_spelling(line):
    assert Learner(lesson_of((Check("list", command="kubectl get pods*"),))).run(2, line).ticked() == {"list"}


@pytest.mark.parametrize("line", ["kubectl get nodes", "kubectl get deployments"])
def test_another_command_does_not(line):
    assert Learner(lesson_of((Check("list", command="kubectl get pods*"),))).run(2, line).ticked() == set()


def test_a_line_of_the_console_counts_when_its_answer_can_be_read():
    learner = Learner(lesson_of((Check("log", command="kubectl logs*"),)))
    assert learner.run(0.01, "kubectl logs gone").ticked() == set()
    assert learner.run(2).ticked() == {"log"}


def test_a_command_with_flags_is_matched_as_typed():
    assert requests_of("kubectl delete pod web --force*") == () and requests_of("kubectl get pods -w*") == ()


# -- wrong turns -----------------------------------------------------------------------------------------------------------
def test_a_wrong_turn_is_seen_once_it_is_taken_and_blocks_nothing():
    bare = Check("bare", objects="pods", where="!has(object.metadata.ownerReferences)")
    lesson = Lesson("test", 1, 5, (Task("t1", (DEPLOYMENT,), (bare,)),), (), ())
    cluster = a_cluster()
    create(cluster, a_pod("old"))
    learner = Learner(lesson, cluster)
    learner.look()
    assert learner.state["wrong"] == {}
    learner.run(2, "kubectl run web --image=demo:ok")
    assert learner.state["wrong"] == {"t1": ["bare"]}
    learner.run(2, "kubectl create deployment web --image=demo:ok --replicas=3")
    assert learner.state["task"] is None


# -- predictions -----------------------------------------------------------------------------------------------------------
RACE = Prediction("race", "t1", "race", (Condition("bind", said="CreatePodBinding"), Condition("sandbox", said="RunPodSandbox")))
NODE = Prediction("node", "t1", "value", ("@nodes",), Condition("node", objects="pods", where="has(object.spec.nodeName)"), "object.spec.nodeName")


def test_the_run_answers_a_race_by_the_first_message_and_a_value_by_the_first_object():
    learner = Learner(lesson_of((BOUND,), predictions=(RACE, NODE)))
    learner.run(5, "kubectl run web --image=demo:ok")
    node = every(learner.cluster, "pods")[0]["spec"]["nodeName"]
    assert {id: known["outcome"] for id, known in learner.state["predictions"].items()} == {"race": "bind", "node": node}
    bindings = [step.seq for step in learner.cluster.log.steps if step.reason == "CreatePodBinding"]
    assert learner.state["predictions"]["race"]["seq"] == bindings[0]


def test_what_was_there_before_answers_nothing():
    cluster = a_cluster()
    create(cluster, a_pod("old"))
    run(cluster, 5)
    learner = Learner(lesson_of((BOUND,), predictions=(NODE,)), cluster)
    learner.run(5)
    assert learner.state["predictions"] == {}


def test_a_prediction_of_a_later_task_is_not_answered_before_it_opens():
    later = Prediction("later", "t2", "race", RACE.options)
    learner = Learner(lesson_of((BOUND,), (DEPLOYMENT,), predictions=(later,)))
    learner.run(5, "kubectl run web --image=demo:ok")
    assert learner.state["predictions"] == {}


def test_an_answer_may_be_changed_until_the_run_has_answered_and_the_first_one_is_kept():
    learner = Learner(lesson_of((BOUND,), predictions=(RACE,)))
    learner.state = answered(learner.state, RACE, None)
    learner.state = answered(learner.state, RACE, "sandbox")
    learner.state = answered(learner.state, RACE, "bind")
    learner.run(5, "kubectl run web --image=demo:ok")
    known = learner.state["predictions"]["race"]
    assert (known["first"], known["answer"], known["outcome"]) == ("sandbox", "bind", "bind")
    assert answered(learner.state, RACE, "sandbox") is learner.state


# -- what is missing -------------------------------------------------------------------------------------------------------
def stored(*manifests):
    cluster = a_cluster()
    for manifest in manifests:
        create(cluster, manifest)
    return {key: cluster.etcd.get(key) for key in cluster.etcd.created}


WEB = Check("web", objects="deployments.apps", where="object.metadata.name == 'web' && object.spec.replicas == 3")


@pytest.mark.parametrize("there, expected", [
    ((), Gap()),
    ((a_deployment("shop"),), Gap("shop", "metadata.name", "shop", "==", "web")),
    ((a_deployment("shop"), a_deployment("web", 2)), Gap("web", "spec.replicas", 2, "==", 3)),
])
def test_the_gap_is_that_of_the_object_that_comes_nearest(there, expected):
    assert gap(WEB, stored(*there)) == expected


def test_a_field_that_is_not_there_is_told_as_nothing():
    check = Check("node", objects="pods", where="object.spec.nodeName == 'n1'")
    assert gap(check, stored(a_pod("web"))) == Gap("web", "spec.nodeName", None, "==", "n1")


# -- the solution ----------------------------------------------------------------------------------------------------------
def test_the_solution_of_a_lesson_is_played_and_judged(tmp_path):
    played = play(a_lesson(tmp_path), Cluster(1))
    assert played.right
    assert [task.done is not None for task in played.tasks] == [True, True]
    assert [each.outcome for each in played.predictions][0] == "binding" and played.predictions[1].outcome in ("n1", "n2")


def test_a_solution_that_does_not_solve_says_what_is_missing(tmp_path):
    played = play(a_lesson(tmp_path, structure=[('"kubectl apply -f web.yaml", "wait 10"', '"kubectl get nodes"')]), Cluster(1))
    assert not played.right and played.tasks[0].missing == [("deployment", 0), ("bound", 0)]


def test_an_answer_that_is_no_option_is_not_right(tmp_path):
    played = play(a_lesson(tmp_path, structure=[('options = "@nodes"', 'options = ["n7", "n8"]')]), Cluster(1))
    assert not played.right and [each.fitting for each in played.predictions] == [True, False]


def test_what_happens_before_a_lesson_is_not_told():
    cluster = a_cluster()
    acting.begin(cluster, ["kubectl create namespace shop", "kubectl run web --image=demo:ok -n shop"], {})
    assert cluster.log.steps == [] and cluster.log.seq == 0
    assert [pod["status"]["phase"] for pod in every(cluster, "pods", "shop")] == ["Running"]
