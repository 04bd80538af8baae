"""Learners' runs: begun on a cluster of their own, followed by whichever server looks, answered, and begun anew."""
from datetime import timedelta

import pytest

from lifecycle import clusters, looking_back, sessions
from lifecycle.hub import Room, read
from lifecycle.lessons import catalog, learning, runs, syllabus
from lifecycle.models import Cluster, LessonRun
from lifecycle.views import panels

from .lessons import followed, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_course")]


def row_of(run):
    return Cluster.objects.row(run.cluster_id)


def stopped(run):
    return panels.stopped(run.cluster_id)


# -- begin -----------------------------------------------------------------------------------------------------------------
def test_a_run_begins_on_a_cluster_as_the_lesson_says(run, ben):
    row = row_of(run)
    assert (row.owner, row.lesson, row.node_count, row.pace, row.speed) == (ben, "small", 2, "real", 60.0)
    assert row.messages == 0 and run.state["task"] == "create"
    assert row.stops == [["CreatePodBinding", {}]]
    assert "/registry/namespaces/shop" in looking_back.snapshot(row.pk).objects


def test_who_starts_again_goes_on(run, ben):
    assert runs.start(catalog.find("small"), "A small lesson", ben, "") == run
    assert Cluster.objects.count() == 1


def test_clusters_of_lessons_are_not_counted(run, ben, settings):
    settings.LIFECYCLE_CLUSTERS = 1
    clusters.create("mine", 1, owner=ben)
    runs.start(catalog.find("other"), "Another lesson", ben, "")
    with pytest.raises(clusters.LimitReached):
        clusters.create("one more", 1, owner=ben)


def test_who_has_deleted_the_cluster_gets_another_one(run, ben):
    clusters.delete(run.cluster_id)
    again = runs.start(catalog.find("small"), "A small lesson", ben, "")
    assert again.pk == run.pk and again.cluster_id is not None and again.state["task"] == "create"


# -- follow ----------------------------------------------------------------------------------------------------------------
def test_a_lessons_manifest_can_be_used_by_name_and_ticks_follow(run):
    work(run, 10, "kubectl apply -f web.yaml")
    after = followed(run)
    assert list(after.state["done"]) == ["create"] and after.state["task"] == "crash"
    assert after.state["predictions"]["first"]["outcome"] == "binding"


def test_what_a_task_begins_with_is_done_once_whoever_looks(run):
    work(run, 10, "kubectl apply -f web.yaml")
    versions = {followed(run).version for _ in range(3)}
    assert len(versions) == 1 and stopped(run) == {"scheduler"}
    clusters.fault(run.cluster_id, "component scheduler start")
    followed(run)
    assert stopped(run) == set()


def test_who_comes_after_a_server_that_died_goes_on_from_the_rows(run):
    work(run, 10, "kubectl apply -f web.yaml")
    followed(run)
    sessions.forget(run.cluster_id)
    work(run, 5, "kubectl run once --image=nginx")
    assert followed(run).state["task"] == "crash" and stopped(run) == {"scheduler"}
    clusters.fault(run.cluster_id, "component scheduler start")
    sessions.forget(run.cluster_id)
    work(run, 20)
    assert followed(run).state["task"] is None


def test_who_has_read_an_old_version_undoes_nothing(run):
    old = LessonRun.objects.get(pk=run.pk)
    learning.hint(run)
    assert not runs.written(old, state={})
    assert LessonRun.objects.get(pk=run.pk).state["hints"] == {"create": 1}


def test_an_old_look_at_the_cluster_takes_nothing_back(run):
    row = row_of(run)
    before = looking_back.snapshot_of(row)
    work(run, 10, "kubectl apply -f web.yaml")
    after = followed(run)
    assert runs.follow(row, before) == after and LessonRun.objects.get(pk=run.pk).seen == after.seen


def test_a_reset_by_somebody_else_leaves_the_run_usable(run):
    work(run, 10, "kubectl apply -f web.yaml")
    followed(run)
    clusters.reset(run.cluster_id)
    assert followed(run).state["task"] == "crash"
    work(run, 20, "kubectl run once --image=nginx")
    assert followed(run).state["task"] is None


def test_compacted_history_is_no_obstacle(run):
    work(run, 10, "kubectl apply -f web.yaml")
    for number in range(12):
        work(run, 3, f"kubectl create configmap c{number}")
    clusters.compact(run.cluster_id)
    assert "deployment" in followed(run).state["ticked"]["create"]


def test_a_cluster_without_a_lesson_costs_no_query(ben, django_assert_num_queries):
    row = clusters.create("mine", 1, owner=ben)
    snapshot = looking_back.snapshot(row.pk)
    with django_assert_num_queries(0):
        assert runs.follow(row, snapshot) is None


def test_whoever_looks_is_sent_the_panel_when_it_has_changed_and_not_otherwise(run):
    room = Room(run.cluster_id)
    _seq, first = read(room, {(0, None, "en"): []})
    assert "lesson-fresh" in first[0, None, "en"]
    seen = room.standing
    work(run, 10, "kubectl apply -f web.yaml")
    _seq, pushes = read(room, {(0, seen, "en"): []})
    assert "Without a scheduler" in pushes[0, seen, "en"]
    upto, seen = row_of(run).messages, room.standing
    clusters.command(run.cluster_id, "kubectl get configmaps")
    _seq, pushes = read(room, {(upto, seen, "en"): []})
    assert "lesson-fresh" not in pushes[upto, seen, "en"]


# -- what learners do ------------------------------------------------------------------------------------------------------
def test_a_prediction_is_marked_by_the_run(run):
    lesson = catalog.find("small")
    learning.predict(run, lesson, lesson.prediction("first"), "status")
    work(run, 10, "kubectl apply -f web.yaml")
    known = followed(run).state["predictions"]["first"]
    assert (known["answer"], known["outcome"]) == ("status", "binding")
    late = learning.predict(run, lesson, lesson.prediction("first"), "binding")
    assert late.state["predictions"]["first"]["answer"] == "status"


def test_a_cluster_in_motion_is_held_until_the_prediction_is_made(run):
    lesson = catalog.find("small")
    clusters.watch([run.cluster_id])
    clusters.command(run.cluster_id, "kubectl apply -f web.yaml")
    clusters.set_pace(run.cluster_id, "story", 0.3)
    while followed(run).state["task"] == "create":
        clusters.next_message(run.cluster_id)
    row = row_of(run)
    assert row.next_virtual is not None and (row.pace, row.next_due) == ("paused", None)
    learning.predict(followed(run), lesson, lesson.prediction("node"), None)
    row = row_of(run)
    assert (row.pace, row.speed) == ("story", 0.3) and row.next_due is not None
    assert followed(run).state["held"] is None


def test_who_goes_on_without_predicting_is_not_held_again(run):
    lesson = catalog.find("small")
    clusters.watch([run.cluster_id])
    clusters.command(run.cluster_id, "kubectl apply -f web.yaml")
    while followed(run).state["task"] == "create":
        clusters.next_message(run.cluster_id)
    clusters.set_pace(run.cluster_id, "real", 10)
    learning.predict(followed(run), lesson, lesson.prediction("node"), "n1")
    assert row_of(run).speed == 10


def test_a_cluster_at_rest_is_not_held(run):
    work(run, 60, "kubectl apply -f web.yaml")
    assert row_of(run).next_virtual is None
    assert followed(run).state["task"] == "crash" and row_of(run).pace == "real"


def test_a_task_offers_its_acts_and_no_others(run):
    lesson = catalog.find("small")
    work(run, 10, "kubectl apply -f web.yaml")
    after = followed(run)
    learning.act(after, lesson, "component scheduler start")
    assert stopped(run) == set()
    with pytest.raises(ValueError, match="does not offer"):
        learning.act(after, lesson, "node n1 down")


def test_starting_over_begins_anew_and_remembers_the_first_predictions(run):
    lesson = catalog.find("small")
    learning.predict(run, lesson, lesson.prediction("first"), "status")
    work(run, 10, "kubectl apply -f web.yaml")
    again = runs.restart(followed(run), lesson)
    assert again.attempts == 2 and again.state["task"] == "create" and again.state["done"] == {} and stopped(run) == set()
    learning.predict(again, lesson, lesson.prediction("first"), "binding")
    work(again, 10, "kubectl apply -f web.yaml")
    followed(again)
    entry = syllabus.entries(run.owner, "", "en")[0]
    assert (entry.done, entry.right, entry.predicted) == (1, 0, 1)


def test_time_counts_while_the_learner_is_there(run):
    LessonRun.objects.filter(pk=run.pk).update(touched=run.touched.replace(year=2020))
    assert learning.hint(run).seconds == 0
    LessonRun.objects.filter(pk=run.pk).update(touched=LessonRun.objects.get(pk=run.pk).touched - timedelta(seconds=40))
    assert 39 <= learning.hint(run).seconds <= 45
