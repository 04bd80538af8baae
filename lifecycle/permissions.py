"""Who may see and who may change a cluster: the one place that every view, socket and admin action asks.

A cluster belongs to its owner (an account, or a guest's browser session), may be seen and changed by instructors, and may be seen by whoever
opened its read-only link. Everybody else is told that it does not exist. Functions take a request or a Channels scope, and query the
database: from a consumer call them through `database_sync_to_async`.
"""
import secrets

from django.core.exceptions import PermissionDenied
from django.http import Http404

from .models import Cluster, LessonRun

INSTRUCTORS = "Instructor"      # the name of the instructors' group
GUEST = "guest"                 # session: the random name that a guest's clusters carry
SHARED = "shared"               # session: the secrets of the read-only links that were opened
MOST_SHARED = 50                # links that a session remembers


def cluster_for(request_or_scope, pk, write=False):
    """The Cluster with this pk. Raises Http404 for whoever may not see it; with `write`, PermissionDenied for whoever may only see it."""
    cluster = Cluster.objects.select_related("owner").filter(pk=pk).first()
    if cluster is None or not may_see(request_or_scope, cluster):
        raise Http404
    if write and not may_change(request_or_scope, cluster):
        raise PermissionDenied
    return cluster


def may_see(request_or_scope, cluster):
    """Whether the cluster may be looked at."""
    opened = _session(request_or_scope).get(SHARED, ())
    return bool(cluster.view_secret and cluster.view_secret in opened) or may_change(request_or_scope, cluster)


def may_change(request_or_scope, cluster):
    """Whether commands, faults, pace and settings of the cluster are this visitor's to give."""
    return is_own(request_or_scope, cluster) or is_teacher_of(_user(request_or_scope), cluster)


def is_own(request_or_scope, cluster):
    """Whether the cluster belongs to this account or, without an account, to this browser session."""
    if cluster.owner_id is not None:
        return cluster.owner_id == getattr(_user(request_or_scope), "pk", None)
    return bool(cluster.guest) and cluster.guest == _session(request_or_scope).get(GUEST)


def is_teacher_of(user, cluster):
    """Whether an account may help with a cluster that is not its own: superusers always, instructors unless a superuser owns it."""
    if user is None or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return is_instructor(user) and not (cluster.owner and cluster.owner.is_superuser)


def is_instructor(user):
    """Whether an account is in the instructors' group; asked once for each loaded account."""
    if not user.is_authenticated:
        return False
    if not hasattr(user, "in_instructors"):
        user.in_instructors = user.groups.filter(name=INSTRUCTORS).exists()
    return user.in_instructors


def taught_clusters(user):
    """The clusters that an account may help with: the rule of is_teacher_of as a query."""
    if not user.is_active or not (user.is_superuser or is_instructor(user)):
        return Cluster.objects.none()
    return Cluster.objects.all() if user.is_superuser else Cluster.objects.exclude(owner__is_superuser=True)


def in_taught_clusters(rows, user):
    """Those of some rows (a queryset of a model with `cluster`) that lie in taught clusters; names the few others, so that indexes stay of use."""
    if not user.is_active or not (user.is_superuser or is_instructor(user)):
        return rows.none()
    return rows if user.is_superuser else rows.exclude(cluster__in=Cluster.objects.filter(owner__is_superuser=True).values("pk"))


# -- owning ----------------------------------------------------------------------------------------------------------------
def owner_of_new(request):
    """Whom a new cluster belongs to: {"owner": account or None, "guest": name of the session or ""}, as clusters.create takes it."""
    if request.user.is_authenticated:
        return {"owner": request.user, "guest": ""}
    return {"owner": None, "guest": request.session.setdefault(GUEST, secrets.token_urlsafe(24))}


def learner(request):
    """(account or None, name of the guest's session or ""): whose the progress in the lessons is."""
    return (request.user, "") if request.user.is_authenticated else (None, request.session.get(GUEST, ""))


def own_clusters(request_or_scope):
    """The visitor's own clusters, newest first."""
    user = _user(request_or_scope)
    if user is not None and user.is_authenticated:
        return Cluster.objects.filter(owner=user)
    guest = _session(request_or_scope).get(GUEST)
    return Cluster.objects.filter(owner=None, guest=guest) if guest else Cluster.objects.none()


def take_over(user, session):
    """Give an account the clusters that its browser session made as a guest, and the progress in the lessons. Returns how many clusters."""
    guest = session.pop(GUEST, None)
    if guest:
        LessonRun.objects.take_over(user, guest)
    return Cluster.objects.filter(owner=None, guest=guest).update(owner=user, guest="") if guest else 0


# -- sharing ---------------------------------------------------------------------------------------------------------------
def open_link(request, secret):
    """Remember in the session that a read-only link was opened, and return its Cluster. Raises Http404 for a link that is not, or no longer, valid."""
    cluster = Cluster.objects.filter(view_secret=secret).exclude(view_secret="").first()
    if cluster is None:
        raise Http404
    others = [each for each in request.session.get(SHARED, ()) if each != secret]
    request.session[SHARED] = [*others, secret][-MOST_SHARED:]
    return cluster


def _user(request_or_scope):
    return request_or_scope.get("user") if isinstance(request_or_scope, dict) else getattr(request_or_scope, "user", None)


def _session(request_or_scope):
    session = request_or_scope.get("session") if isinstance(request_or_scope, dict) else getattr(request_or_scope, "session", None)
    return {} if session is None else session
