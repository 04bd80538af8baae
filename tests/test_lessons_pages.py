"""The pages of the lessons, as a guest sees them."""
from dataclasses import replace

import pytest
from django.urls import reverse

from lifecycle.lessons import catalog, learning
from lifecycle.lessons.syllabus import entry
from lifecycle.models import LessonRun

from .cast import a_browser
from .lessons import WEB, followed, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_course")]


@pytest.fixture
def guest():
    return a_browser(headers={"accept-language": "en"})


def text(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_lesson_says_what_it_is_about_and_starts_by_a_press(guest):
    page = text(guest.get(reverse("lesson", args=["small"])))
    assert "A small lesson" in page and '<a href="/components/#kubelet" class="term">kubelet</a>' in page and "Without a scheduler" in page
    answer = guest.post(reverse("lesson_start", args=["small"]), follow=True)
    assert answer.redirect_chain == [(reverse("lesson", args=["small"]), 302)]
    assert 'id="lesson-card-first"' in text(answer) and "kind: Deployment" in text(answer)


def test_home_leads_to_the_lesson_to_go_on_with(guest):
    assert "Begin with a lesson" in text(guest.get("/")) and "A small lesson" in text(guest.get("/"))
    guest.post(reverse("lesson_start", args=["other"]))
    page = text(guest.get("/"))
    assert "Go on with your lesson" in page and "Another lesson" in page and "No clusters yet" in page


def test_the_list_and_the_progress_say_how_far_one_is(guest):
    assert "not started a lesson" in text(guest.get(reverse("lesson_progress")))
    guest.post(reverse("lesson_start", args=["small"]))
    assert "0 of 2" in text(guest.get(reverse("lessons")))
    assert "0 / 2" in text(guest.get(reverse("lesson_progress")))


def test_the_list_counts_statements_and_not_the_points_that_sum_them_up():
    lesson = replace(catalog.find("small"), statements=("C1", "K4a", "H1"))
    assert entry(lesson, None, True, "en").statements == 2


def test_hints_come_one_after_the_other_and_then_say_what_is_missing(guest):
    guest.post(reverse("lesson_start", args=["small"]))
    run = LessonRun.objects.get()
    work(run, 1, "kubectl create deployment web --image=nginx --replicas=3")
    page = text(guest.post(reverse("lesson_hint", args=["small"])))
    assert "Look around." in page and "Use kubectl." not in page
    assert "Deployment “web”: spec.replicas is 3 and should be 2." in page
    for _ in range(3):
        page = text(guest.post(reverse("lesson_hint", args=["small"])))
    assert "Use kubectl." in page and "lesson-more-hints" not in page


def test_a_wrong_turn_is_explained(guest):
    guest.post(reverse("lesson_start", args=["small"]))
    work(LessonRun.objects.get(), 1, "kubectl run bare --image=nginx")
    assert "That is a bare Pod." in text(guest.get(reverse("lesson", args=["small"])))


def test_an_answer_that_is_no_option_is_none(guest):
    guest.post(reverse("lesson_start", args=["small"]))
    for answer in ("nobody", "", "<b>"):
        assert guest.post(reverse("lesson_predict", args=["small"]), {"prediction": "first", "answer": answer}).status_code == 404
    assert "Change my prediction" in text(guest.post(reverse("lesson_predict", args=["small"]), {"prediction": "first", "answer": "binding"}))
    assert LessonRun.objects.get().state["predictions"]["first"]["answer"] == "binding"


def test_an_act_that_is_not_offered_is_refused_in_words(guest):
    guest.post(reverse("lesson_start", args=["small"]))
    answer = guest.post(reverse("lesson_act", args=["small"]), {"line": "node n1 down"})
    assert answer.status_code == 422 and "does not offer" in answer.content.decode()


def test_at_the_end_one_sees_what_one_saw_and_answers_questions(guest):
    guest.post(reverse("lesson_start", args=["small"]))
    run = LessonRun.objects.get()
    assert guest.get(reverse("lesson_end", args=["small"])).status_code == 302
    work(run, 10, "kubectl apply -f web.yaml")
    followed(run)
    work(run, 5, "kubectl run once --image=nginx")
    learning.act(followed(run), catalog.find("small"), "component scheduler start")
    work(run, 30)
    page = text(guest.get(reverse("lesson_end", args=["small"])))
    for step in ("C1", "C6", "C11", "C16", "C22"):
        assert f">{step}</span>" in page or f" {step}" in page
    assert page.count('class="lesson-card question"') == 3
    wrong = text(guest.post(reverse("lesson_question", args=["small"]), {"question": "plain", "place": 1}))
    assert "Not this time." in wrong and "SIGTERM, then SIGKILL." in wrong
    anew = text(guest.post(reverse("lesson_question", args=["small"]), {"question": "plain", "again": 1}))
    assert "Not this time." not in anew
    assert "Right." in text(guest.post(reverse("lesson_question", args=["small"]), {"question": "plain", "place": 0}))
    assert guest.post(reverse("lesson_finish", args=["small"])).headers["location"] == reverse("lesson", args=["other"])
    assert "finished" in text(guest.get(reverse("lessons")))


def test_a_lessons_manifest_is_a_page_and_others_are_not(guest):
    assert guest.get(reverse("lesson_file", args=["small", "web.yaml"])).content.decode() == WEB
    assert guest.get(reverse("lesson", args=["nothing"])).status_code == 404
