"""Kinds of messages that a lesson names lead to the messages themselves."""
import pytest
from django.urls import reverse

from lifecycle.lessons.kinds import is_kind
from lifecycle.lessons.markup import block
from lifecycle.models import LessonRun

from .cast import a_browser
from .lessons import work

BUTTON = '<button type="button" class="plainly kind" data-kind="CNIAdd" aria-describedby="kind-help"><code>CNIAdd</code></button>'


@pytest.mark.parametrize("name", ["CNIAdd", "CreatePodBinding", "EtcdUpdate", "UpdateReplicaSetStatus", "PatchPod", "ProbeResult"])
def test_names_of_messages_are_known(name):
    assert is_kind(name)


@pytest.mark.parametrize("name", ["Running", "CreateContainerConfigError", "Delete", "Create*", "kubectl get pods", "nodeName", "PodScheduled", ""])
def test_other_code_is_not_taken_for_a_message(name):
    assert not is_kind(name)


def test_a_kind_is_a_button_where_there_is_a_diagram_and_code_elsewhere():
    assert block("Look at `CNIAdd` and `Ready`.", kinds=True) == f"<p>Look at {BUTTON} and <code>Ready</code>.</p>\n"
    assert block("Look at `CNIAdd`.") == "<p>Look at <code>CNIAdd</code>.</p>\n"


def test_no_line_breaks_between_a_kind_and_its_brackets():
    assert block("网络（`CNIAdd`）", kinds=True) == f"<p>网络（\u2060{BUTTON}\u2060）</p>\n"


def test_an_option_is_not_broken_at_its_hyphens():
    assert block("`--force`, `kubectl delete pods -l app=web`") == '<p><code class="whole">--force</code>, <code>kubectl delete pods -l app=web</code></p>\n'


def test_a_link_has_no_button_in_it():
    link = '<a href="/components/#cni" class="term"><code>CNIAdd</code></a>'
    assert block("[`CNIAdd`](component:cni) and `CNIAdd`", kinds=True) == f"<p>{link} and {BUTTON}</p>\n"


# -- the page --------------------------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_course")
def test_the_newest_message_of_a_kind_is_found_and_the_one_before_it():
    guest = a_browser(headers={"accept-language": "en"})
    guest.post(reverse("lesson_start", args=["small"]))
    run = LessonRun.objects.get()

    def newest(reason, before=""):
        return guest.get(reverse("newest", args=[run.cluster_id, reason]), {"before": before} if before else {}).content.decode()
    assert newest("CreatePodBinding") == ""
    work(run, 10, "kubectl create deployment web --image=nginx --replicas=2")
    last = newest("CreatePodBinding")
    first = newest("CreatePodBinding", last)
    assert 0 < int(first) < int(last) and newest("CreatePodBinding", first) == ""
    assert newest("CreatePod")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_course")
def test_nobody_else_may_ask_for_them():
    a_browser().post(reverse("lesson_start", args=["small"]))
    assert a_browser().get(reverse("newest", args=[LessonRun.objects.get().cluster_id, "CreatePod"])).status_code in (302, 403, 404)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_course")
def test_a_paused_cluster_goes_on_at_the_pace_of_its_lesson_when_the_page_is_loaded_anew():
    guest = a_browser()
    guest.post(reverse("lesson_start", args=["small"]))
    guest.post(reverse("pace", args=[LessonRun.objects.get().cluster_id]), {"choice": "paused"})
    assert '<option value="real:60" selected>' in guest.get(reverse("lesson", args=["small"])).content.decode()
