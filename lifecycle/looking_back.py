"""What was: messages, and the cluster as it was when one of them was said. Reads rows only, without locks, beside whoever moves the cluster."""
from typing import NamedTuple

from .history import LAST, PACK, back, newest_first, steps_in, told
from .models import Cluster, Node, Pod, Resource, Steps
from .models.objects import table_of
from .reader import one_of, rows
from .simulation.control_plane.etcd import Compacted

MODELS = (Node, Pod, Resource)
DATA = ("data",)
MOMENT = ("messages", "now", "revision", "compacted")


class Snapshot(NamedTuple):
    """The stored objects when message `seq` was said, at virtual ms `at`; `revision` is the store's.

    `changed` are the keys that differ from the Snapshot it was made from (all, if from none), `records` what happened in between, newest first.
    """

    seq: int
    at: int
    revision: int
    objects: dict                   # {store key: manifest}
    changed: frozenset
    records: tuple = ()             # of history.Record


# -- messages --------------------------------------------------------------------------------------------------------------
def messages(pk, after=0, before=None, limit=200):
    """At most `limit` simulation.messages.Steps with a `seq` above `after`, oldest first; with `before`, the last ones below it."""
    most = limit // PACK + 2               # packs: the first and the last may be asked for in part
    if before is None:
        packs = rows(Steps, DATA, "cluster_id = %s AND last > %s ORDER BY first LIMIT %s", [pk, after, most])
        return [step for data, in packs for step in steps_in(data) if step.seq > after][:limit]
    packs = list(rows(Steps, DATA, "cluster_id = %s AND last > %s AND first < %s ORDER BY first DESC LIMIT %s", [pk, after, before, most]))
    return [step for data, in reversed(packs) for step in steps_in(data) if after < step.seq < before][-limit:]


def message(pk, seq):
    """The Step with a number, or None."""
    return next(iter(messages(pk, seq - 1, seq + 1)), None)


def newest_of(pk, reason, before=LAST):
    """The number of the newest message with a reason, below `before`; None if there is none."""
    for data, in rows(Steps, DATA, "cluster_id = %s AND first < %s AND reasons LIKE %s ORDER BY first DESC", [pk, before, f"% {reason} %"]):
        for step in reversed(steps_in(data)):
            if step.reason == reason and step.seq < before:
                return step.seq
    return None


# -- the cluster as it was -------------------------------------------------------------------------------------------------
def snapshot(pk, seq=None):
    """The Snapshot when message `seq` was said; None is now. Raises Cluster.DoesNotExist, and LookupError for a message that is not known (any more)."""
    if seq is None:
        return snapshot_of(Cluster.objects.only(*MOMENT).get(pk=pk))
    return _whole(pk, *_moment(pk, seq))


def snapshot_of(row, earlier=None):
    """The Snapshot where a cluster's row stands; made from an earlier one, only what changed is read."""
    if earlier is None or row.revision < earlier.revision or row.compacted > earlier.revision:
        return _whole(row.pk, row.messages, row.now, row.revision)
    if row.revision == earlier.revision:
        return earlier._replace(seq=row.messages, at=row.now, changed=frozenset(), records=())
    records = tuple(newest_first(row.pk, earlier.revision, row.revision))
    changed = frozenset(record.key for record in records)
    kept = {key: thing for key, thing in earlier.objects.items() if key not in changed}
    return Snapshot(row.messages, row.now, row.revision, kept | _fresh(row, records, changed), changed, records)


def changed_since(row, snapshot, seq):
    """A row's Snapshot with what changed since message `seq`."""
    if not seq or seq <= row.forgotten:
        return snapshot._replace(changed=frozenset(snapshot.objects), records=())
    records = tuple(newest_first(row.pk, _moment(row.pk, seq)[2], snapshot.revision))
    return snapshot._replace(changed=frozenset(record.key for record in records), records=records)


def change_of(pk, step, snapshot=None):
    """(before, after): the object that a message stored, as it was and as it became; None where there is none, or where it is not known any more.

    A Snapshot in whose records the change is saves asking the database.
    """
    key = step.object
    if step.revision is None or not isinstance(key, str):
        return None, None
    if snapshot and any(record.revision == step.revision for record in snapshot.records):
        objects, records = {key: snapshot.objects.get(key)}, snapshot.records
    else:
        objects, records = dict(_live(pk, {key})), newest_first(pk, step.revision - 1)
    for record in records:
        if record.key == key:
            change = back(record, objects)
            if record.revision == step.revision:
                return (change.previous, None if change.type == "DELETED" else change.object) if change else (None, None)
    return None, None


def _whole(pk, seq, at, revision):
    objects = _undone(pk, revision, dict(_live(pk)))
    return Snapshot(seq, at, revision, objects, frozenset(objects))


def _fresh(row, records, changed):
    """The changed objects that are still there, as they were at the row's revision."""
    newest = {record.key: record for record in reversed(records)}
    expected = {key: str(record.revision) for key, record in newest.items() if record.type != "DELETED"}
    found = dict(_live(row.pk, changed))
    if {key: thing["metadata"]["resourceVersion"] for key, thing in found.items()} == expected:
        return found
    return _undone(row.pk, row.revision, found, changed)          # the cluster has moved on meanwhile


def _moment(pk, seq):
    """(seq, virtual ms, revision of the store) of a message."""
    for data, revision in rows(Steps, ("data", "revision"), "cluster_id = %s AND first <= %s AND last >= %s", [pk, seq, seq]):
        until = [step for step in steps_in(data) if step.seq <= seq]
        return seq, until[-1].at, told(until, revision)
    raise LookupError(seq)


def _live(pk, keys=None):
    """(key, manifest) of the live objects, or of some."""
    if keys is None:
        for model in MODELS:
            yield from rows(model, ("key", "manifest"), "cluster_id = %s", [pk])
        return
    for model in MODELS:
        some = sorted(key for key in keys if table_of(key) is model)
        if some:
            yield from rows(model, ("key", "manifest"), f"cluster_id = %s AND key {one_of(len(some))}", [pk, *some])


def _undone(pk, revision, objects, keys=None):
    """Objects as they were at a revision; all changes after it are undone, also those that came while the objects were read."""
    for record in newest_first(pk, revision):
        if keys is None or record.key in keys:
            back(record, objects)
    return {key: thing for key, thing in objects.items() if thing is not None}


def changes(row, after):
    """The etcd.Changes after a revision up to a row's, oldest first. Raises etcd.Compacted if some of them are not known any more."""
    records = tuple(newest_first(row.pk, after, row.revision)) if row.revision > after else ()
    if len(records) != row.revision - after:             # every revision is one change
        raise Compacted(after, max(row.compacted, after + 1))
    objects = _fresh(row, records, frozenset(record.key for record in records))
    return [back(record, objects) for record in records][::-1]
