"""The only bridge between rows and simulation.

    with open_cluster(id) as cluster:
        cluster.simulation.kubectl("kubectl get pods")

One transaction: the cluster's row is locked, the simulation is taken from the cache if it is as new as the row (else loaded), the body runs, all that
changed is written, and after the commit those who look are told. So nothing that anyone saw is ever lost, whoever dies when.
"""
from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock

import orjson
from django.db import transaction

from . import writer
from .announcing import announce
from .models import Cluster, DiskEntry, Node, Pod, Resource, Revision, Steps
from .models.fields import packed
from .simulation import state
from .simulation.cluster import Cluster as Simulation
from .simulation.control_plane.etcd import Change, Manager
from .simulation.objects import condition, is_deleting

CACHED = 200                   # simulations kept in memory by a process
TABLES = {"minions": Node, "pods": Pod}
COLUMNS = ("cluster", "key", "namespace", "name", "uid", "created_revision", "resource_version", "manifest")
EXTRA = {Node: ("ready", "unschedulable"), Pod: ("phase", "node", "deleting"), Resource: ("group", "kind")}
_cache, _lock = OrderedDict(), Lock()


class OpenCluster:
    """What the body of `open_cluster` works on: the locked `row` and its `simulation`."""

    def __init__(self, row, simulation):
        self.row, self.simulation = row, simulation


@contextmanager
def open_cluster(pk):
    """Begin, lock, load, run the body, write, commit, announce. Raises Cluster.DoesNotExist."""
    try:
        with transaction.atomic():
            row = Cluster.objects.select_for_update().get(pk=pk)
            simulation = _take(row)
            opened = OpenCluster(row, simulation)
            yield opened
            _write(row, simulation)
            transaction.on_commit(lambda: announce(row))
    except BaseException:
        forget(pk)
        raise
    _keep(row, simulation)


def new_simulation(row, fill):
    """Give a fresh row its simulation; `fill(simulation)` makes what it begins with, silently."""
    simulation = Simulation(row.seed, row.epoch)
    fill(simulation)
    _write(row, simulation)
    return simulation


# -- the cache -------------------------------------------------------------------------------------------------------------
def _take(row):
    with _lock:
        version, simulation = _cache.pop(row.pk, (None, None))
    return simulation if version == row.version and simulation is not None else load(row)


def _keep(row, simulation):
    with _lock:
        _cache[row.pk] = (row.version, simulation)
        while len(_cache) > CACHED:
            _cache.popitem(last=False)


def forget(pk):
    """Drop a simulation from this process's memory; the rows are the truth."""
    with _lock:
        _cache.pop(pk, None)


# -- from rows -------------------------------------------------------------------------------------------------------------
def load(row):
    """The simulation as the rows have it."""
    things = [each for model in (Node, Pod, Resource) for each in model.objects.filter(cluster=row).values_list("created_revision", "key", "manifest")]
    disk = {}
    for space, key, value in DiskEntry.objects.filter(cluster=row).values_list("space", "key", "value"):
        disk.setdefault(space, {})[key] = value
    simulation = state.loaded({
        "seed": row.seed, "draws": row.draws, "epoch": row.epoch, "now": row.now, "messages": row.messages, "revision": row.revision, "compacted": row.compacted,
        "objects": [[key, created, thing] for created, key, thing in sorted(things, key=lambda each: each[0])], "history": [], "disk": disk,
        "serial": row.serial, "waiting": row.queue.get("waiting", []), "deliveries": row.queue.get("deliveries", [])})
    simulation.etcd.archive = archive_of(row.pk)
    return simulation


def archive_of(pk):
    """The function by which a store reads its older changes back."""
    def archive(after, upto, prefix):
        rows = Revision.objects.filter(cluster=pk, revision__gt=after, revision__lte=upto, key__startswith=prefix)
        return [Change(row.revision, row.at, row.type, row.key, row.manifest, None, Manager(*row.manager) if row.manager else None) for row in rows]
    return archive


# -- to rows ---------------------------------------------------------------------------------------------------------------
def _write(row, simulation):
    """Write everything that changed since the last time, with a few statements."""
    etcd, queue, log = simulation.etcd, simulation.queue, simulation.log
    changes = etcd.since(row.revision) if row.pk and etcd.revision > row.revision else []
    _write_history(row, changes, log)
    _write_objects(row, etcd, {change.key for change in changes})
    _write_disk(row, etcd)
    due = queue.due()
    row.now, row.draws, row.serial, row.messages = simulation.clock.now, simulation.random.draws, queue.serial, log.seq
    row.revision, row.compacted, row.next_virtual = etcd.revision, etcd.compacted, due
    row.queue = {"waiting": [[*name, *place] for name, place in queue.waiting.items()],
                 "deliveries": [[*name, events] for name, events in queue.deliveries.items()]}
    row.version += 1
    row.schedule()
    row.save()
    log.steps.clear()
    etcd.trim(etcd.revision)
    etcd.archive = archive_of(row.pk)


def _write_history(row, changes, log):
    writer.append(Revision, ("cluster", "revision", "at", "type", "key", "manifest", "manager"), [
        (row.pk, change.revision, change.at, change.type, change.key, packed(change.object), _manager(change))
        for change in changes])
    if log.steps:
        steps = log.steps
        writer.append(Steps, ("cluster", "first", "last", "first_at", "last_at", "data"), [
            (row.pk, steps[0].seq, steps[-1].seq, steps[0].at, steps[-1].at, packed([list(step) for step in steps]))])


def _manager(change):
    return orjson.dumps(list(change.manager)).decode() if change.manager else None


def _write_objects(row, etcd, keys):
    """Bring the live tables up to the store for the keys that changed."""
    found = {model: ([], []) for model in EXTRA}
    for key in sorted(keys):
        model = TABLES.get(key.split("/")[2], Resource)
        thing = etcd.get(key)
        if thing is None:
            found[model][1].append((row.pk, key))
        else:
            found[model][0].append(_object_row(row, etcd, model, key, thing))
    for model, (there, gone) in found.items():
        writer.upsert(model, COLUMNS + EXTRA[model], ("cluster", "key"), there)
        writer.delete(model, ("cluster", "key"), gone)


def _object_row(row, etcd, model, key, thing):
    meta = thing["metadata"]
    columns = (row.pk, key, meta.get("namespace", ""), meta["name"], meta["uid"], etcd.created[key], int(meta["resourceVersion"]), orjson.dumps(thing).decode())
    if model is Node:
        ready = condition(thing, "Ready")
        return (*columns, ready["status"] if ready else "", bool(thing["spec"].get("unschedulable")))
    if model is Pod:
        return (*columns, thing["status"].get("phase", ""), thing["spec"].get("nodeName", ""), is_deleting(thing))
    return (*columns, thing["apiVersion"].rpartition("/")[0], thing["kind"])


def _write_disk(row, etcd):
    there, gone = [], []
    for space, key in sorted(etcd.dirty_disk):
        value = etcd.read(space, key)
        (gone if value is None else there).append((row.pk, space, key) if value is None else (row.pk, space, key, orjson.dumps(value).decode()))
    writer.upsert(DiskEntry, ("cluster", "space", "key", "value"), ("cluster", "space", "key"), there)
    writer.delete(DiskEntry, ("cluster", "space", "key"), gone)
    etcd.dirty_disk.clear()
