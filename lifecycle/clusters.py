"""Everything that can be done to a cluster from outside: the one door for views, admin and commands.

Each function is a transaction of its own and wakes a worker afterwards. They raise Cluster.DoesNotExist, LimitReached with a sentence for what is too much, and
ValueError with a sentence for what is not known.
"""
from contextlib import contextmanager, suppress
from secrets import randbelow
from time import monotonic, time

from django.db import transaction

from . import announcing, limits, pace, sessions
from .lessons import acting
from .lessons.catalog import find
from .limits import LimitReached
from .models import Cluster, DiskEntry, Node, Pod, Resource, Revisions, Steps
from .models.cluster import new_secret
from .simulation.bootstrap import bootstrap
from .simulation.timings import MINUTE

__all__ = ["LimitReached", "act", "command", "compact", "create", "delete", "fault", "interrupt", "make_address", "next_message", "request", "reset",
           "revoke_address", "set_pace", "watch"]

CPU, MEMORY = "2", "4Gi"       # of each node
TABLES = (Node, Pod, Resource, Revisions, Steps, DiskEntry)
ANSWERED = 5 * MINUTE          # virtual ms for which an answer is waited for when nobody looks,
PATIENCE = 2                   # and seconds of work


# -- the cluster itself ----------------------------------------------------------------------------------------------------
def create(name, nodes, owner=None, guest="", seed=None, lesson=""):
    """A new Cluster of 1 to 10 nodes for a user or for a guest's session; that of a lesson begins as the lesson says."""
    limits.check_nodes(nodes)
    with transaction.atomic():
        if not lesson:
            limits.check_clusters(owner, guest)
        seed = randbelow(2 ** 31) if seed is None else seed
        row = Cluster.objects.create(name=name, node_count=nodes, owner=owner, guest=guest, seed=seed, lesson=lesson)
        _begin(row)
    return row


def _begin(row):
    sessions.begin(row, lambda simulation: _furnish(row, simulation))


def _furnish(row, simulation):
    """What a cluster begins with."""
    bootstrap(simulation, row.node_count, CPU, MEMORY)
    if lesson := find(row.lesson):
        acting.begin(simulation, lesson.start, lesson.files)


def reset(pk):
    """Begin the cluster anew, with the same seed and so the same names. Messages are numbered on, so that nobody takes new ones for old."""
    with _locked(pk) as row:
        for table in TABLES:
            table.objects.filter(cluster=row).delete()
        row.forgotten = row.messages = row.messages + 1
        row.now = row.draws = row.serial = row.revision = row.compacted = 0
        _begin(row)


def delete(pk):
    """Remove the cluster and all that it was."""
    with _locked(pk) as row:
        Cluster.objects.filter(pk=pk).delete()
        transaction.on_commit(lambda: announcing.announce(row))
    sessions.forget(pk)


def compact(pk):
    """Cut off all history but the last messages."""
    with act(pk) as cluster:
        sessions.compact(cluster, 0)


def make_address(pk):
    """Give the cluster an address for kubectl and other programs, unless it has one. Returns its row."""
    with _locked(pk) as row:
        if not row.api_secret:
            row.api_secret = new_secret()
            row.save(update_fields=["api_secret"])
    return row


def revoke_address(pk):
    """Take the address back; who uses it is told at once. Returns the cluster's row."""
    with _locked(pk) as row:
        row.api_secret = ""
        row.save(update_fields=["api_secret"])
        transaction.on_commit(lambda: announcing.announce(row))
    return row


# -- time ------------------------------------------------------------------------------------------------------------------
def set_pace(pk, kind, speed=None):
    """Let virtual time follow the wall in another way (pace.py); without a speed, as fast as that way was last."""
    pace.check(kind, speed)
    with _locked(pk) as row:
        row.pace, row.speed = kind, pace.speed_of(row, kind, speed)
        pace.anchor(row, time())
        row.next_due = pace.due_at(row, time())
        row.save(update_fields=["pace", "speed", "anchor_wall", "anchor_virtual", "next_due"])
        transaction.on_commit(lambda: announcing.announce(row))


def next_message(pk):
    """Do work items until something is said. Returns whether something was."""
    with act(pk) as cluster:
        return pace.tell(cluster.simulation)


def watch(pks):
    """Say that somebody looks at some clusters; to be said again within pace.WATCHED seconds."""
    now = time()
    until = now + pace.WATCHED
    known = set(Cluster.objects.filter(pk__in=pks, watched_until__gt=now).values_list("pk", flat=True))
    Cluster.objects.filter(pk__in=known).update(watched_until=until)
    for pk in set(pks) - known:
        with suppress(Cluster.DoesNotExist), _locked(pk) as row:
            pace.anchor(row, now)
            row.watched_until = until
            row.next_due = pace.due_at(row, now)
            row.save(update_fields=["watched_until", "anchor_wall", "anchor_virtual", "next_due"])


# -- what happens in it ----------------------------------------------------------------------------------------------------
def command(pk, line, files=None, stdin=None):
    """Type a kubectl command; `files` are the texts that it may read, by name, besides those of the cluster's lesson. Returns its id
    (simulation.console.command).

    While nobody looks at the cluster, it runs until the command has ended.
    """
    limits.check_command(line, {**(files or {}), "-": stdin or ""})
    with act(pk) as cluster:
        limits.count_command(cluster.row)
        lesson = find(cluster.row.lesson)
        id = cluster.simulation.kubectl(line, {**(acting.files_in(line, lesson.files) if lesson else {}), **(files or {})}, stdin)
        if not pace.is_watched(cluster.row, time()):
            _finish(cluster.simulation, id)
    return id


def _finish(simulation, id):
    """Do work until a command has ended, within reason."""
    latest, end, queue = simulation.clock.now + ANSWERED, monotonic() + PATIENCE, simulation.queue
    while simulation.console.command(id)["exit"] is None and monotonic() < end and (due := queue.due()) is not None and due <= latest:
        simulation.step()


def request(pk, answer):
    """What `answer(simulation)` returns: a request to the Kubernetes API of the cluster, carried out while nobody else moves it."""
    with act(pk) as cluster:
        return answer(cluster.simulation)


def interrupt(pk, id):
    """Control-C for a command that runs."""
    with act(pk) as cluster:
        cluster.simulation.console.interrupt(id)


def fault(pk, words):
    """Break or mend something: "node n3 down", "component scheduler stop"."""
    with act(pk) as cluster:
        limits.count_command(cluster.row)
        before = cluster.simulation.clock.now
        cluster.simulation.fault(words)
        if cluster.simulation.clock.now != before:          # the clock has jumped, and real time goes on from there
            cluster.row.now = cluster.simulation.clock.now
            pace.anchor(cluster.row, time())


@contextmanager
def act(pk):
    """An open cluster, brought up to the present of its pace."""
    with sessions.open_cluster(pk) as cluster:
        now = time()
        if cluster.row.pace == Cluster.Pace.REAL and pace.is_watched(cluster.row, now):
            pace.advance(cluster.row, cluster.simulation, now)
        yield cluster
    announcing.wake(pk)


@contextmanager
def _locked(pk):
    """The cluster's row, locked."""
    with transaction.atomic():
        yield Cluster.objects.locked(pk)
    announcing.wake(pk)
