"""The instructors' panel: everything of learners' clusters can be looked at, acts go through the common door, and nothing leads to superusers."""
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from lifecycle import clusters
from lifecycle.models import Cluster, DiskEntry, Node, Pod, Resource, Steps

from .cast import a_browser, a_row, a_superuser, an_account, an_instructor

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def panel():
    return a_browser(an_instructor())


@pytest.fixture
def web():
    """A learner's cluster with a Deployment of two Pods that run."""
    row = clusters.create("web", 2, owner=an_account("ben"), seed=1)
    clusters.command(row.pk, "kubectl create deployment web --image=nginx --replicas=2")
    for _ in range(400):
        if not clusters.next_message(row.pk):
            break
    return row


def page_of(thing):
    return reverse(f"admin:lifecycle_{thing._meta.model_name}_change", args=[thing.pk])


def list_of(model, **filters):
    return reverse(f"admin:lifecycle_{model._meta.model_name}_changelist", query=filters)


def text(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def act(panel, name, *rows, **more):
    """Choose an action for rows; what it answers after all redirects."""
    return panel.post(list_of(type(rows[0])), {"action": name, "index": 0, "_selected_action": [row.pk for row in rows], **more}, follow=True)


def told(answer):
    return [str(message) for message in answer.context["messages"]]


# -- looking ---------------------------------------------------------------------------------------------------------------
def test_the_list_of_clusters_says_whose_they_are_and_how_large(panel, web):
    page = text(panel.get(list_of(Cluster)))
    assert "ben" in page and f'href="{web.get_absolute_url()}"' in page
    count = sum(model.objects.filter(cluster=web).count() for model in (Node, Pod, Resource))
    assert f'field-object_count">{count}<' in page
    assert re.search(r"field-size\">[1-9]\d* KiB<", page)


@pytest.mark.parametrize("model", [Cluster, Node, Pod, Resource, Steps])
def test_every_list_and_every_page_opens(panel, web, model):
    assert panel.get(list_of(model)).status_code == 200
    rows = model.objects.filter(**({} if model is Cluster else {"cluster": web}))
    assert rows
    for row in rows[:60]:
        assert panel.get(page_of(row)).status_code == 200


def test_a_pod_leads_to_its_node_its_owner_and_its_events(panel, web):
    pod = Pod.objects.filter(cluster=web, namespace="default")[0]
    page = text(panel.get(page_of(pod)))
    assert page_of(Resource.objects.get(cluster=web, kind="ReplicaSet")) in page
    assert page_of(Node.objects.get(cluster=web, name=pod.node)) in page
    assert page_of(web) in page
    assert "Successfully assigned" in page


def test_an_owner_leads_to_what_it_owns(panel, web):
    page = text(panel.get(page_of(Resource.objects.get(cluster=web, kind="ReplicaSet"))))
    for pod in Pod.objects.filter(cluster=web, namespace="default"):
        assert page_of(pod) in page


def test_manifests_are_printed_as_kubectl_prints_them(panel, web):
    page = text(panel.get(page_of(Pod.objects.filter(cluster=web, namespace="default")[0])))
    assert "<b>restartPolicy</b>:<span> Always</span>" in page
    # It should fold away who manages which field
    assert "f:containers" not in page.split("<summary>managedFields")[0]


@pytest.mark.parametrize("model, filters, kept", [
    (Pod, {"phase": "Running"}, 2), (Pod, {"phase": "Failed"}, 0), (Pod, {"q": "default web-"}, 2), (Pod, {"q": "api"}, 0),
    (Node, {"ready": "True"}, 2), (Node, {"q": "n2"}, 1), (Resource, {"kind": "Deployment"}, 1)])
def test_lists_are_filtered(panel, web, model, filters, kept):
    assert panel.get(list_of(model, **filters)).context["cl"].result_count == kept
    assert panel.get(list_of(model, cluster=web.pk, **filters)).context["cl"].result_count == kept
    assert panel.get(list_of(model, cluster=web.pk + 1, **filters)).context["cl"].result_count == 0


def test_messages_are_filtered_by_cluster_component_and_reason(panel, web):
    page = panel.get(list_of(Steps, cluster=web.pk, component="scheduler", reason="ScoreNodes"))
    shown = [step for pack in page.context["cl"].result_list for step in pack.shown]
    assert len(shown) == 2
    assert {(step.source, step.reason) for step in shown} == {("scheduler", "ScoreNodes")}
    assert panel.get(list_of(Steps, reason="NoSuchReason")).context["cl"].result_count == 0


def test_nonsense_in_a_filter_finds_nothing(panel, web):
    assert panel.get(list_of(Pod, cluster="x'--")).context["cl"].result_count == 0
    assert panel.get(list_of(Pod, nonsense="1")).status_code == 302


def test_nothing_can_be_added_edited_or_deleted_by_hand(panel, web):
    pod = Pod.objects.filter(cluster=web)[0]
    assert panel.get(reverse("admin:lifecycle_pod_add")).status_code == 403
    assert panel.post(page_of(pod), {"name": "other"}).status_code == 403
    assert panel.post(reverse("admin:lifecycle_cluster_delete", args=[web.pk]), {"post": "yes"}).status_code == 403
    assert panel.post(page_of(web), {"name": "other"}).status_code == 403


def test_the_panel_speaks_both_languages(panel, web):
    for path in (list_of(Cluster), page_of(web), list_of(Pod), list_of(Steps)):
        page = text(panel.get(path, headers={"accept-language": "zh-CN"}))
        assert '<html lang="zh-hans"' in page and "集群" in page


# -- acting ----------------------------------------------------------------------------------------------------------------
def test_clusters_are_paused_and_resumed(panel, web):
    other = clusters.create("db", 1, owner=web.owner)
    answer = act(panel, "pause", web, other)
    assert set(Cluster.objects.values_list("pace", flat=True)) == {"paused"}
    assert told(answer) == ["Pause: done (2)"]
    act(panel, "resume", web)
    web.refresh_from_db()
    assert web.pace == "story"


def test_a_pace_is_asked_for_and_checked(panel, web):
    assert "story: seconds a message" in text(act(panel, "set_pace", web))
    assert "From 0.01 to 1000" in text(act(panel, "set_pace", web, sure=1, pace="real", speed="100000"))
    act(panel, "set_pace", web, sure=1, pace="real", speed="20")
    web.refresh_from_db()
    assert (web.pace, web.speed) == ("real", 20)


def test_a_component_is_stopped_and_started(panel, web):
    act(panel, "stop_component", web, sure=1, component="scheduler")
    assert DiskEntry.objects.filter(cluster=web, space="stopped", key="scheduler").exists()
    assert "scheduler" in text(panel.get(page_of(web)))
    act(panel, "start_component", web, sure=1, component="scheduler")
    assert not DiskEntry.objects.filter(cluster=web, space="stopped").exists()


def test_a_node_is_switched_off_drained_and_made_schedulable_again(panel, web):
    node = Node.objects.get(cluster=web, name="n1")
    act(panel, "drain", node)
    node.refresh_from_db()
    assert node.unschedulable
    act(panel, "uncordon", node)
    node.refresh_from_db()
    assert not node.unschedulable
    assert told(act(panel, "down", node)) == ["Switch the node off: done (1)"]
    assert told(act(panel, "up", node)) == ["Switch the node on: done (1)"]


@pytest.mark.parametrize("name", ["reset", "compact", "remove"])
def test_what_cannot_be_undone_is_asked_about_first(panel, web, name):
    before = Cluster.objects.values().get()
    page = text(act(panel, name, web))
    assert 'name="sure"' in page and "web" in page
    assert Cluster.objects.values().get() == before


def test_a_cluster_is_reset(panel, web):
    act(panel, "reset", web, sure=1)
    assert not Resource.objects.filter(cluster=web, kind="Deployment").exists()
    assert Node.objects.filter(cluster=web).count() == 2


def test_history_is_compacted_and_the_cluster_stays(panel, web):
    act(panel, "compact", web, sure=1)
    old, new = web.forgotten, Cluster.objects.get(pk=web.pk).forgotten
    assert new > old and Pod.objects.filter(cluster=web).exists()


def test_a_cluster_is_deleted(panel, web):
    assert told(act(panel, "remove", web, sure=1)) == ["Delete: done (1)"]
    assert not Cluster.objects.exists() and not Pod.objects.exists()


def test_what_is_refused_is_said_in_words(panel, web, settings):
    settings.LIFECYCLE_COMMANDS_A_MINUTE = 0
    answer = act(panel, "down", Node.objects.get(cluster=web, name="n1"))
    assert "commands in a minute" in told(answer)[0]


def test_a_clusters_own_page_has_the_acts_and_is_returned_to(panel, web):
    page = text(panel.get(page_of(web)))
    assert 'name="action" value="pause"' in page
    answer = act(panel, "pause", web, back=page_of(web))
    assert answer.redirect_chain == [(page_of(web), 302)]
    # It should not lead away from here
    assert act(panel, "pause", web, back="https://evil.example/").redirect_chain == [(list_of(Cluster), 302)]


def test_every_act_leaves_a_line_in_the_history(panel, web):
    act(panel, "set_pace", web, sure=1, pace="real", speed="2")
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_id, entry.change_message) == ("ada", str(web.pk), "set_pace real 2.0")


def test_too_many_at_once_are_refused(panel, monkeypatch):
    monkeypatch.setattr("lifecycle.admin.acting.MOST_AT_ONCE", 1)
    rows = [a_row(guest="a-guest"), a_row(guest="a-guest")]
    assert told(act(panel, "remove", *rows, sure=1)) == ["Choose 1 at most."]
    assert Cluster.objects.count() == 2


# -- who -------------------------------------------------------------------------------------------------------------------
def test_learners_and_strangers_are_sent_to_the_log_in(web):
    for browser in (a_browser(web.owner), a_browser()):
        assert browser.get(list_of(Cluster)).status_code == 302
        assert "login" in act(browser, "remove", web, sure=1).redirect_chain[-1][0]
    assert Cluster.objects.exists()


def test_staff_outside_the_group_of_instructors_sees_no_cluster(web):
    sam = a_browser(an_account("sam", is_staff=True))
    assert sam.get(list_of(Cluster)).status_code == 403


def test_a_superusers_cluster_is_not_in_an_instructors_lists(panel):
    row = clusters.create("secret", 1, owner=a_superuser())
    for model in (Cluster, Node, Resource):
        assert panel.get(list_of(model)).context["cl"].result_count == 0
    assert panel.get(page_of(row)).status_code == 302
    act(panel, "remove", row, sure=1)
    assert Cluster.objects.exists()
