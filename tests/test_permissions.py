"""A cluster is its owner's, an instructor's to help with, and to be seen by whoever opened its read-only link; to all others it does not exist."""
import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from lifecycle import permissions
from lifecycle.models import Node

from .cast import a_row, a_superuser, an_account, an_instructor

pytestmark = pytest.mark.django_db


def a_visit(user=None, **session):
    """A Channels scope; requests are asked in the same way (test_security.py asks them)."""
    return {"user": user or AnonymousUser(), "session": session}


def outcome(visit, cluster, write=False):
    try:
        return permissions.cluster_for(visit, cluster.pk, write)
    except Http404:
        return "not found"
    except PermissionDenied:
        return "not allowed"


def outcomes(visit, cluster):
    """What comes of looking at and of changing a cluster."""
    return [found if isinstance(found, str) else "ok" for found in (outcome(visit, cluster), outcome(visit, cluster, write=True))]


def test_an_owner_sees_and_changes_a_cluster():
    ben = an_account()
    assert outcomes(a_visit(ben), a_row(owner=ben)) == ["ok", "ok"]


def test_for_another_learner_it_does_not_exist():
    cluster = a_row(owner=an_account("ben"))
    assert outcomes(a_visit(an_account("carla")), cluster) == ["not found", "not found"]
    assert outcomes(a_visit(), cluster) == ["not found", "not found"]
    # It should be no different from a cluster that was never made
    with pytest.raises(Http404):
        permissions.cluster_for(a_visit(), cluster.pk + 1)


def test_a_guest_has_what_was_made_in_the_same_browser():
    cluster = a_row(guest="a-guest")
    assert outcomes(a_visit(guest="a-guest"), cluster) == ["ok", "ok"]
    assert outcomes(a_visit(guest="another"), cluster) == ["not found", "not found"]
    assert outcomes(a_visit(), cluster) == ["not found", "not found"]


def test_a_cluster_without_owner_and_guest_is_nobodys():
    assert outcomes(a_visit(guest=""), a_row()) == ["not found", "not found"]


def test_a_guest_name_opens_nothing_that_has_an_account():
    assert outcomes(a_visit(guest="a-guest"), a_row(owner=an_account(), guest="a-guest")) == ["not found", "not found"]


def test_an_instructor_helps_learners_and_guests():
    ada = an_instructor()
    assert outcomes(a_visit(ada), a_row(owner=an_account())) == ["ok", "ok"]
    assert outcomes(a_visit(ada), a_row(guest="a-guest")) == ["ok", "ok"]


def test_a_superusers_cluster_is_no_instructors_matter():
    root = a_superuser()
    cluster = a_row(owner=root)
    assert outcomes(a_visit(an_instructor()), cluster) == ["not found", "not found"]
    assert outcomes(a_visit(root), cluster) == ["ok", "ok"]


def test_staff_alone_is_not_enough():
    assert outcomes(a_visit(an_account("sam", is_staff=True)), a_row(owner=an_account())) == ["not found", "not found"]


def test_an_account_that_was_closed_may_nothing():
    ada = an_instructor()
    ada.is_active = False
    assert outcomes(a_visit(ada), a_row(guest="a-guest")) == ["not found", "not found"]


def test_a_read_only_link_lets_see_but_not_change():
    cluster = a_row(owner=an_account(), view_secret="a-secret")
    assert outcomes(a_visit(shared=["a-secret"]), cluster) == ["ok", "not allowed"]
    assert outcomes(a_visit(shared=["another"]), cluster) == ["not found", "not found"]


def test_a_link_that_was_taken_back_opens_nothing():
    cluster = a_row(owner=an_account(), view_secret="a-secret")
    cluster.view_secret = ""
    cluster.save()
    assert outcomes(a_visit(shared=["a-secret"]), cluster) == ["not found", "not found"]
    assert outcomes(a_visit(shared=[""]), cluster) == ["not found", "not found"]


def test_the_list_of_own_clusters_holds_no_others():
    ben = an_account()
    mine, guests = a_row(owner=ben), a_row(guest="a-guest")
    a_row(owner=an_account("carla"))
    assert list(permissions.own_clusters(a_visit(ben))) == [mine]
    assert list(permissions.own_clusters(a_visit(guest="a-guest"))) == [guests]
    assert not permissions.own_clusters(a_visit())


def test_the_queries_of_taught_clusters_agree_with_the_rule():
    root, ada, ben = a_superuser(), an_instructor(), an_account()
    rows = [a_row(owner=owner) for owner in (root, ada, ben)] + [a_row(guest="a-guest"), a_row()]
    nodes = [Node.objects.create(cluster=row, key="/registry/minions/n1", name="n1", created_revision=1, resource_version=1, manifest={}) for row in rows]
    for user in (root, ada, ben, AnonymousUser()):
        taught = {row for row in rows if permissions.is_teacher_of(user, row)}
        assert set(permissions.taught_clusters(user)) == taught
        assert set(permissions.in_taught_clusters(Node.objects.all(), user)) == {node for node in nodes if node.cluster in taught}
