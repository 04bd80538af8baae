"""Accounts: what instructors may do, what happens when somebody logs in, and the instructor that a first start makes."""
import secrets

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db import transaction

from .permissions import INSTRUCTORS, take_over

DEMO_INSTRUCTOR = "instructor"
INSTRUCTORS_MAY = {
    "lifecycle": ("view_cluster", "change_cluster", "delete_cluster", "view_node", "view_pod", "view_resource", "view_steps", "view_lessonrun",
                  *(f"{verb}_{model}" for model in ("learnergroup", "grouplesson") for verb in ("view", "add", "change", "delete"))),
    "auth": ("view_user", "change_user"),         # admin/accounts.py says of whom, and what of them
}


def keep_clusters(request, user, **signal):
    """On log-in: what somebody made as a guest is theirs from now on."""
    take_over(user, request.session)


def make_instructors_group(**signal):
    """After every migration: the group of instructors, with exactly the permissions of the table above."""
    group, _ = Group.objects.get_or_create(name=INSTRUCTORS)
    wanted = []
    for label, names in INSTRUCTORS_MAY.items():
        create_permissions(apps.get_app_config(label), verbosity=0)         # the order of the installed applications need not matter
        wanted += Permission.objects.filter(content_type__app_label=label, codename__in=names)
    group.permissions.set(wanted)


@transaction.atomic
def make_demo_instructor():
    """Make the instructor of a first start. Returns the password, which nobody can read again, or None if there is that account already."""
    User = get_user_model()
    if User.objects.filter(username=DEMO_INSTRUCTOR).exists():
        return None
    password = secrets.token_urlsafe(9)
    user = User.objects.create_user(DEMO_INSTRUCTOR, password=password, is_staff=True)
    user.groups.add(Group.objects.get(name=INSTRUCTORS))
    return password
