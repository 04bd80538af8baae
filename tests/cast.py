"""Who appears in the tests of the web: learners, an instructor, their browsers and clusters."""
from django.contrib.auth.models import Group, User
from django.test import Client

from lifecycle.models import Cluster
from lifecycle.permissions import INSTRUCTORS

PASSWORD = "correct horse 9"


def an_account(name="ben", **fields):
    """A learner, who logs in with PASSWORD."""
    return User.objects.create_user(name, password=PASSWORD, **fields)


def an_instructor(name="ada"):
    user = an_account(name, is_staff=True)
    user.groups.add(Group.objects.get(name=INSTRUCTORS))
    return user


def a_superuser(name="root"):
    return User.objects.create_superuser(name, password=PASSWORD)


def a_browser(user=None, **options):
    """A browser, logged in if there is a user."""
    browser = Client(**options)
    if user:
        browser.force_login(user)
    return browser


def a_row(name="web", **fields):
    """A cluster's row without a simulation: enough to ask whose it is."""
    return Cluster.objects.create(name=name, **fields)
