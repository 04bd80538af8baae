"""The only bridge between rows and simulation.

    with open_cluster(pk) as cluster:
        cluster.simulation.kubectl("kubectl get pods")

One transaction: the cluster's row is locked, the simulation is taken from the cache if it is as new as the row (else loaded), the body runs, all that
changed is written, and after the commit those who look are told. So nothing that anyone saw is ever lost, whoever dies when.
"""
from contextlib import contextmanager
from time import time

from django.conf import settings
from django.db import transaction

from . import announcing, pace, writer
from .cache import Cache
from .history import OpenPacks, archive_of, cut_off, read_open_packs
from .models import Cluster, DiskEntry, Node, Pod, Resource
from .models.fields import packed
from .models.objects import table_of
from .simulation import state
from .simulation.cluster import Cluster as Simulation
from .simulation.objects import condition, is_deleting

COLUMNS = ("cluster", "key", "namespace", "name", "uid", "created_revision", "resource_version", "manifest")
EXTRA = {Node: ("ready", "unschedulable"), Pod: ("phase", "node", "deleting"), Resource: ("group", "kind")}
STANDING = ("version", "now", "draws", "serial", "messages", "forgotten", "revision", "compacted", "next_virtual", "queue",
            "next_due", "told", "pace", "stops", "anchor_wall", "anchor_virtual", "minute", "commands")
UNCHANGED = ("version", "pace", "speed", "anchor_wall", "anchor_virtual")


class OpenCluster:
    """What the body of `open_cluster` works on: the locked `row` and its `simulation`. `packs` are the open ends of its history."""

    def __init__(self, row, simulation, packs):
        self.row, self.simulation, self.packs = row, simulation, packs


@contextmanager
def open_cluster(pk):
    """Begin, lock, load, run the body, write, commit, announce. Gives an OpenCluster; raises Cluster.DoesNotExist.

    When the body raises, nothing is written.
    """
    with transaction.atomic(), opened(Cluster.objects.locked(pk)) as cluster:
        yield cluster


@contextmanager
def opened(row):
    """The OpenCluster of a row that this transaction has locked; what the body changed is written in the end."""
    try:
        cluster = _taken(row)
        yield cluster
        write(cluster)
    except BaseException:
        forget(row.pk)
        raise
    transaction.on_commit(lambda: _committed(cluster))


def run_ahead(row, advance):
    """Run a kept simulation on before the transaction begins, so that nobody waits for the lock meanwhile, and write what came of it.

    `row` was read without a lock; `advance(simulation)` does the work. Returns the row as written; None if no simulation as new as the row is kept here, or if
    somebody has changed the row meanwhile: then the work was for nothing.
    """
    cluster = _cache.take(row.pk, row.version)
    if cluster is None:
        return None
    advance(cluster.simulation)
    with transaction.atomic():
        cluster.row = Cluster.objects.locked(row.pk)
        if any(getattr(cluster.row, name) != getattr(row, name) for name in UNCHANGED):
            return None
        write(cluster)
        transaction.on_commit(lambda: _committed(cluster))
    return cluster.row


def begin(row, fill):
    """Give a saved row its simulation, inside a transaction; `fill(simulation)` makes what it begins with, silently."""
    simulation = Simulation(row.seed, row.epoch)
    simulation.log.seq = row.messages
    cluster = _connected(OpenCluster(row, simulation, OpenPacks()))
    fill(simulation)
    cluster.packs.revision = simulation.etcd.revision
    write(cluster)
    transaction.on_commit(lambda: _committed(cluster))


# -- the cache -------------------------------------------------------------------------------------------------------------
_cache = Cache()


def _taken(row):
    """An OpenCluster for a row just locked."""
    known = _cache.take(row.pk, row.version)
    if known is None:
        return load(row)
    known.row = row
    return known


def _committed(cluster):
    _cache.keep(cluster.row.pk, cluster.row.version, cluster, len(cluster.simulation.etcd.created))
    announcing.announce(cluster.row)


def forget(pk):
    """Drop a simulation from this process's memory."""
    _cache.forget(pk)


def forget_unused():
    """Drop the simulations that nobody has used for a while."""
    _cache.forget_unused()


# -- from rows -------------------------------------------------------------------------------------------------------------
def load(row):
    """The OpenCluster as the rows have it."""
    things = [each for model in EXTRA for each in model.objects.filter(cluster=row.pk).order_by().values_list("key", "created_revision", "manifest")]
    disk = {}
    for space, key, value in DiskEntry.objects.filter(cluster=row.pk).values_list("space", "key", "value"):
        disk.setdefault(space, {})[key] = value
    simulation = state.loaded({
        **{name: getattr(row, name) for name in ("seed", "draws", "epoch", "now", "messages", "revision", "compacted", "serial")}, **row.queue,
        "objects": sorted(things, key=lambda each: each[1]), "history": [], "disk": disk})
    return _connected(OpenCluster(row, simulation, read_open_packs(row)))


def glimpse(row):
    """The simulation of a row that was read without a lock, to be asked and then thrown away; None if the cluster was moved on meanwhile."""
    simulation = load(row).simulation
    return simulation if Cluster.objects.row(row.pk).version == row.version else None


def _connected(cluster):
    """The same, with its store connected to the rows."""
    etcd = cluster.simulation.etcd
    etcd.archive, etcd.dirty_disk = archive_of(cluster.row.pk, etcd), {}
    etcd.quota = {"/registry/": settings.LIFECYCLE_OBJECTS, "/registry/pods/": settings.LIFECYCLE_PODS}
    return cluster


# -- to rows ---------------------------------------------------------------------------------------------------------------
def write(cluster):
    """Write everything that changed since the last time, with a few statements."""
    row, simulation = cluster.row, cluster.simulation
    etcd, log = simulation.etcd, simulation.log
    changes = etcd.history
    cluster.packs.add(row.pk, log.steps, changes)
    _write_objects(row, etcd, {change.key for change in changes})
    _write_disk(row, etcd)
    if log.seq - row.forgotten > 2 * row.keep:
        compact(cluster, row.keep)
    _write_row(row, simulation)
    log.steps.clear()
    etcd.trim(etcd.revision)


def compact(cluster, keep):
    """Cut off the history before the last `keep` messages, or a few more."""
    cut = cut_off(cluster.row.pk, cluster.simulation.log.seq - keep, cluster.simulation.etcd.created)
    if cut:
        cluster.row.forgotten, revision = cut
        cluster.simulation.etcd.compact(revision)


def _write_row(row, simulation):
    etcd, queue = simulation.etcd, simulation.queue
    row.now, row.draws, row.serial, row.messages = simulation.clock.now, simulation.random.draws, queue.serial, simulation.log.seq
    row.revision, row.compacted, row.next_virtual = etcd.revision, etcd.compacted, queue.due()
    row.queue = {"waiting": [[*name, *place] for name, place in queue.waiting.items()],
                 "deliveries": [[*name, events] for name, events in queue.deliveries.items()]}
    row.version += 1
    row.next_due = pace.due_at(row, time())
    writer.update(row, STANDING)


def _write_objects(row, etcd, keys):
    """Bring the live tables up to the store for the keys that changed."""
    found = {model: ([], []) for model in EXTRA}
    for key in sorted(keys):
        model = table_of(key)
        thing = etcd.get(key)
        there, gone = found[model]
        if thing is None:
            gone.append((row.pk, key))
        else:
            there.append(_object_row(row, etcd, model, key, thing))
    for model, (there, gone) in found.items():
        writer.upsert(model, COLUMNS + EXTRA[model], ("cluster", "key"), there)
        writer.delete(model, ("cluster", "key"), gone)


def _object_row(row, etcd, model, key, thing):
    meta = thing["metadata"]
    columns = (row.pk, key, meta.get("namespace", ""), meta["name"], meta["uid"], etcd.created[key], int(meta["resourceVersion"]), packed(thing))
    if model is Node:
        ready = condition(thing, "Ready")
        return (*columns, ready["status"] if ready else "", bool(thing["spec"].get("unschedulable")))
    if model is Pod:
        return (*columns, thing["status"].get("phase", ""), thing["spec"].get("nodeName", ""), is_deleting(thing))
    return (*columns, thing["apiVersion"].rpartition("/")[0], thing["kind"])


def _write_disk(row, etcd):
    """Write the disk's new values. What was removed meanwhile and is there again goes to the end, as in memory."""
    removed = [(row.pk, *name) for name, was_removed in etcd.dirty_disk.items() if was_removed]
    there = [(row.pk, *name, packed(value)) for name in etcd.dirty_disk if (value := etcd.read(*name)) is not None]
    writer.delete(DiskEntry, ("cluster", "space", "key"), removed)
    writer.upsert(DiskEntry, ("cluster", "space", "key", "value"), ("cluster", "space", "key"), there)
    etcd.dirty_disk = {}
