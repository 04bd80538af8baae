"""Instructors: who is how far, what is missed, and which lessons a group has."""
import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from lifecycle.lessons import catalog, learning, syllabus
from lifecycle.models import GroupLesson, LessonRun

from .cast import a_browser, a_superuser, an_account, an_instructor
from .lessons import a_run, followed, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_course")]


# -- groups ----------------------------------------------------------------------------------------------------------------
@pytest.fixture
def monday(ben):
    group = Group.objects.create(name="Monday")
    ben.groups.add(group)
    return group


def titles(user):
    return [entry.title for entry in syllabus.entries(user, "", "en") if entry.open]


def test_a_group_has_its_own_order_and_may_have_a_lesson_closed(ben, monday):
    assert titles(ben) == ["A small lesson", "Another lesson"]
    GroupLesson.objects.create(group=monday, slug="other", position=0)
    assert titles(ben) == ["Another lesson", "A small lesson"]
    GroupLesson.objects.create(group=monday, slug="small", open=False)
    assert titles(ben) == ["Another lesson"] and titles(an_account("eva")) == ["A small lesson", "Another lesson"]
    browser = a_browser(ben)
    assert browser.post(reverse("lesson_start", args=["small"])).status_code == 403
    assert browser.post(reverse("lesson_start", args=["other"])).status_code == 302


def test_what_one_group_has_open_is_open(ben, monday):
    other = Group.objects.create(name="Tuesday")
    ben.groups.add(other)
    GroupLesson.objects.create(group=monday, slug="small", open=False)
    GroupLesson.objects.create(group=other, slug="small", open=True)
    assert syllabus.is_open(ben, "small")


# -- instructors -----------------------------------------------------------------------------------------------------------
def panel_page(browser, name, **query):
    answer = browser.get(reverse(f"admin:lifecycle_{name}", query=query))
    assert answer.status_code == 200
    return answer.content.decode()


def test_instructors_see_progress_and_what_is_missed_most(run, ben, monday):
    learning.predict(run, catalog.find("small"), catalog.find("small").prediction("first"), "status")
    work(run, 10, "kubectl apply -f web.yaml")
    followed(run)
    instructor = a_browser(an_instructor(), headers={"accept-language": "en"})
    page = panel_page(instructor, "lessonrun_changelist")
    assert "A small lesson" in page and "1 / 2" in page and "0 / 1" in page
    assert "Who is first?" in page and "100 %" in page and "the kubelet" in page
    assert "field-learner" in panel_page(instructor, "lessonrun_changelist", group=monday.pk, slug="small")
    assert "field-learner" not in panel_page(instructor, "lessonrun_changelist", slug="other")
    assert "field-learner" not in panel_page(instructor, "lessonrun_changelist", is_finished=1)


def test_progress_is_exported_as_csv_without_formulas(run):
    an = an_account("=cmd")
    a_run(an)
    instructor = a_browser(an_instructor())
    chosen = {"action": "export", "index": 0, "_selected_action": list(LessonRun.objects.values_list("pk", flat=True))}
    lines = instructor.post(reverse("admin:lifecycle_lessonrun_changelist"), chosen).content.decode().splitlines()
    assert lines[0].startswith("learner,slug,lesson,started")
    assert sorted(line.split(",")[0] for line in lines[1:]) == ["'=cmd", "ben"]


def test_instructors_do_not_see_what_superusers_do():
    a_run(a_superuser())
    assert "root" not in panel_page(a_browser(an_instructor()), "lessonrun_changelist")


def test_instructors_make_groups_and_say_what_is_open(ben):
    instructor = a_browser(an_instructor())
    assert "ben" in panel_page(instructor, "learnergroup_add")
    fields = {"name": "Monday", "members": [ben.pk], "lessons-TOTAL_FORMS": 1, "lessons-INITIAL_FORMS": 0, "lessons-0-slug": "small", "lessons-0-position": "3"}
    assert instructor.post(reverse("admin:lifecycle_learnergroup_add"), fields).status_code == 302
    assert ben.groups.get().name == "Monday" and not syllabus.is_open(ben, "small")


def test_the_instructors_own_group_is_none_of_learners():
    page = panel_page(a_browser(an_instructor()), "learnergroup_changelist")
    assert "Instructor</a>" not in page
    group = Group.objects.get(name="Instructor")
    assert a_browser(an_instructor("bob")).get(reverse("admin:lifecycle_learnergroup_change", args=[group.pk])).status_code == 302
