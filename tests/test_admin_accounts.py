"""What instructors may do with accounts: look after learners, and nothing that leads to staff or superusers."""
import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from .cast import PASSWORD, a_browser, a_superuser, an_account, an_instructor

NEW_PASSWORD = {"password1": "another horse 7", "password2": "another horse 7"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel():
    return a_browser(an_instructor())


def test_an_instructor_sees_learners_but_neither_staff_nor_groups(panel):
    ben, root = an_account("ben"), a_superuser("boss")
    page = panel.get(reverse("admin:auth_user_changelist")).content.decode()
    assert "ben" in page and "boss" not in page
    assert panel.get(reverse("admin:auth_user_change", args=[ben.pk])).status_code == 200
    for path in (reverse("admin:auth_user_change", args=[root.pk]), reverse("admin:auth_user_password_change", args=[root.pk])):
        assert panel.get(path).status_code in (302, 403, 404)
    assert panel.get(reverse("admin:auth_group_changelist")).status_code == 403
    assert panel.get(reverse("admin:auth_user_add")).status_code == 403


def test_an_instructor_gives_a_learner_a_new_password(panel):
    ben = an_account("ben")
    panel.post(reverse("admin:auth_user_password_change", args=[ben.pk]), {**NEW_PASSWORD, "usable_password": "true"})
    ben.refresh_from_db()
    assert ben.check_password(NEW_PASSWORD["password1"])


def test_an_instructor_cannot_raise_anybody(panel):
    ben = an_account("ben")
    panel.post(reverse("admin:auth_user_change", args=[ben.pk]), {
        "username": "boss", "is_superuser": "on", "is_staff": "on", "groups": ["1"], "user_permissions": ["1"]})
    ben = User.objects.get(pk=ben.pk)
    assert (ben.username, ben.is_superuser, ben.is_staff, ben.groups.count(), ben.user_permissions.count()) == ("ben", False, False, 0, 0)
    # It should take what an instructor may change
    assert not ben.is_active and ben.check_password(PASSWORD)


def test_an_instructor_has_no_way_to_passwords_of_staff(panel):
    root = a_superuser("boss")
    panel.post(reverse("admin:auth_user_password_change", args=[root.pk]), NEW_PASSWORD)
    root.refresh_from_db()
    assert root.check_password(PASSWORD)
