"""Whose a run through a lesson is: kept at sign-up, resumed elsewhere, nobody else's."""
import pytest
from django.urls import reverse

from lifecycle.models import LessonRun
from lifecycle.permissions import GUEST, take_over

from .cast import PASSWORD, a_browser, an_account, an_instructor
from .lessons import followed, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_course")]


def test_what_a_guest_did_is_kept_at_sign_up():
    browser = a_browser()
    browser.post(reverse("lesson_start", args=["small"]))
    guest = LessonRun.objects.get()
    assert guest.owner is None and guest.guest == browser.session[GUEST]
    browser.post(reverse("signup"), {"username": "eva", "password1": PASSWORD, "password2": PASSWORD})
    run = LessonRun.objects.get()
    assert (run.pk, run.owner.username, run.guest, run.cluster.owner) == (guest.pk, "eva", "", run.owner)


def test_of_two_runs_the_one_that_came_further_is_kept(ben, run):
    browser = a_browser()
    browser.post(reverse("lesson_start", args=["small"]))
    guest = LessonRun.objects.get(owner=None)
    work(guest, 10, "kubectl apply -f web.yaml")
    followed(guest)
    take_over(ben, browser.session)
    assert LessonRun.objects.get().pk == guest.pk
    assert LessonRun.objects.get().owner == ben


def test_a_run_goes_on_in_another_browser_of_the_same_account(run, ben):
    page = a_browser(ben, headers={"accept-language": "en"}).get(reverse("lesson", args=["small"])).content.decode()
    assert 'id="lesson-task-create" class="lesson-task open"' in page and f'data-cluster="{run.cluster_id}"' in page


@pytest.mark.parametrize("name", ["lesson_hint", "lesson_act", "lesson_predict", "lesson_question", "lesson_restart", "lesson_finish"])
def test_strangers_have_no_part_in_it(run, name):
    stranger = a_browser(an_account("eve"))
    assert stranger.post(reverse(name, args=["small"]), {"line": "kubectl get nodes", "prediction": "first", "answer": "binding"}).status_code == 404
    assert stranger.get(run.cluster.get_absolute_url()).status_code == 404
    assert LessonRun.objects.get().state["hints"] == {}


def test_an_instructor_looks_on(run):
    page = a_browser(an_instructor()).get(run.cluster.get_absolute_url()).content.decode()
    assert "looking-on" in page and reverse("lesson_restart", args=["small"]) not in page
