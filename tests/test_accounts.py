"""Guests become learners without losing anything; the first start makes an instructor."""
import io

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.urls import reverse

from lifecycle.models import Cluster
from lifecycle.permissions import INSTRUCTORS

from .cast import PASSWORD, a_browser, a_row, an_account

pytestmark = pytest.mark.django_db


def a_guest_with_a_cluster():
    browser = a_browser()
    session = browser.session
    session["guest"] = "a-guest"
    session.save()
    return browser, a_row(guest="a-guest")


def sign_up(browser, name="ben", password=PASSWORD, again=PASSWORD, **more):
    return browser.post(reverse("signup"), {"username": name, "password1": password, "password2": again, **more})


def test_who_signs_up_is_logged_in_and_keeps_the_guests_clusters():
    browser, cluster = a_guest_with_a_cluster()
    answer = sign_up(browser)
    assert answer.status_code == 302 and answer["Location"] == reverse("home")
    cluster.refresh_from_db()
    assert (cluster.owner.username, cluster.guest) == ("ben", "")
    assert int(browser.session["_auth_user_id"]) == cluster.owner.pk


def test_who_logs_in_keeps_the_guests_clusters_beside_the_older_ones():
    ben = an_account()
    older = a_row(owner=ben)
    browser, cluster = a_guest_with_a_cluster()
    browser.post(reverse("login"), {"username": "ben", "password": PASSWORD})
    assert set(Cluster.objects.filter(owner=ben)) == {older, cluster}


def test_after_logging_out_the_browser_is_a_strangers():
    browser, cluster = a_guest_with_a_cluster()
    sign_up(browser)
    assert browser.get(reverse("logout")).status_code == 405
    browser.post(reverse("logout"))
    assert "guest" not in browser.session
    assert browser.get(cluster.get_absolute_url()).status_code == 404


def test_errors_stand_beside_their_fields():
    an_account("ben")
    page = sign_up(a_browser(), "ben", "12345678", "12345679")
    assert page.status_code == 200
    assert set(page.context["form"].errors) == {"username", "password2"}
    assert 'id="id_username_error"' in page.content.decode()


@pytest.mark.parametrize("target, place", [("/clusters/1/", "/clusters/1/"), ("https://evil.example/", "/"), ("//evil.example", "/")])
def test_the_way_back_after_signing_up_leads_to_our_own_pages_only(target, place):
    assert sign_up(a_browser(), next=target)["Location"] == place


def test_a_password_is_changed_by_whoever_knows_the_old_one():
    ben = an_account()
    browser = a_browser(ben)
    new = "another horse 7"
    browser.post(reverse("password_change"), {"old_password": "a guess", "new_password1": new, "new_password2": new})
    ben.refresh_from_db()
    assert ben.check_password(PASSWORD)
    answer = browser.post(reverse("password_change"), {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    ben.refresh_from_db()
    assert answer.status_code == 302 and ben.check_password(new)


def test_only_who_is_logged_in_is_asked_for_a_new_password():
    assert a_browser().get(reverse("password_change"))["Location"].startswith(reverse("login"))


def test_the_first_start_makes_an_instructor_and_says_the_password_once():
    said = io.StringIO()
    call_command("make_demo_instructor", stdout=said)
    password = said.getvalue().split("password ")[1].split(" ")[0]
    user = User.objects.get(username="instructor")
    assert user.check_password(password) and user.is_staff and not user.is_superuser
    # It should say nothing the second time, and leave the password as it is
    again = io.StringIO()
    call_command("make_demo_instructor", stdout=again)
    user.refresh_from_db()
    assert again.getvalue() == "" and user.check_password(password)


def test_instructors_may_look_at_everything_of_clusters_and_make_nothing_but_groups_of_learners():
    found = Group.objects.get(name=INSTRUCTORS).permissions
    names = set(found.values_list("codename", flat=True))
    assert {"view_cluster", "view_node", "view_pod", "view_resource", "view_steps", "view_lessonrun"} <= names
    assert {name for name in names if name.startswith("add_")} == {"add_learnergroup", "add_grouplesson"}
    assert set(found.filter(content_type__app_label="auth").values_list("codename", flat=True)) == {"view_user", "change_user"}
