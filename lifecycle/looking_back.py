"""What was: messages, and the cluster as it was when one of them was said. Reads rows only, without locks, beside whoever moves the cluster."""
from typing import NamedTuple

from .history import back, newest_first, steps_of, told
from .models import Cluster, Node, Pod, Resource, Steps

MODELS = (Node, Pod, Resource)
MOMENT = ("messages", "now", "revision", "compacted")


class Snapshot(NamedTuple):
    """The stored objects when message `seq` was said, at virtual ms `at`; `revision` is the store's.

    `changed` are the keys that differ from the Snapshot it was made from (all, if from none).
    """

    seq: int
    at: int
    revision: int
    objects: dict                   # {store key: manifest}
    changed: frozenset


# -- messages --------------------------------------------------------------------------------------------------------------
def messages(pk, after=0, before=None, limit=200):
    """At most `limit` simulation.messages.Steps with a `seq` above `after`, oldest first; with `before`, the last ones below it."""
    packs = Steps.objects.filter(cluster=pk, last__gt=after)
    found = []
    for pack in packs.order_by("first") if before is None else packs.filter(first__lt=before).order_by("-first"):
        some = [step for step in steps_of(pack) if step.seq > after and (before is None or step.seq < before)]
        found = found + some if before is None else some + found
        if len(found) >= limit:
            break
    return found[:limit] if before is None else found[-limit:]


def message(pk, seq):
    """The Step with a number, or None."""
    return next(iter(messages(pk, seq - 1, seq + 1)), None)


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
    changed = _changed(row.pk, earlier.revision, row.revision)
    kept = {key: thing for key, thing in earlier.objects.items() if key not in changed}
    fresh = _undone(row.pk, row.revision, dict(_live(row.pk, changed)), changed)
    return Snapshot(row.messages, row.now, row.revision, {**kept, **fresh}, changed)


def changed_since(row, snapshot, seq):
    """A row's Snapshot with what changed since message `seq`."""
    if not seq or seq <= row.forgotten:
        return snapshot._replace(changed=frozenset(snapshot.objects))
    return snapshot._replace(changed=_changed(row.pk, _moment(row.pk, seq)[2], snapshot.revision))


def _whole(pk, seq, at, revision):
    objects = _undone(pk, revision, dict(_live(pk)))
    return Snapshot(seq, at, revision, objects, frozenset(objects))


def _changed(pk, after, upto):
    return frozenset(record.key for record in newest_first(pk, after, upto))


def change_of(pk, step):
    """(before, after): the object that a message stored, as it was and as it became; None where there is none, or where it is not known any more."""
    if step.revision is None or not isinstance(step.object, str):
        return None, None
    objects = dict(_live(pk, {step.object}))
    for record in newest_first(pk, step.revision - 1):
        if record.key == step.object:
            change = back(record, objects)
            if record.revision == step.revision:
                return (change.previous, None if change.type == "DELETED" else change.object) if change else (None, None)
    return None, None


def _moment(pk, seq):
    """(seq, virtual ms, revision of the store) of a message."""
    pack = Steps.objects.filter(cluster=pk, first__lte=seq, last__gte=seq).first()
    if pack is None:
        raise LookupError(seq)
    until = [step for step in steps_of(pack) if step.seq <= seq]
    return seq, until[-1].at, told(until, pack.revision)


def _live(pk, keys=None):
    """(key, manifest) of the live objects, or of some."""
    for model in MODELS if keys is None or keys else ():
        things = model.objects.filter(cluster=pk).order_by()
        yield from (things if keys is None else things.filter(key__in=keys)).values_list("key", "manifest")


def _undone(pk, revision, objects, keys=None):
    """Objects as they were at a revision; all changes after it are undone, also those that came while the objects were read."""
    for record in newest_first(pk, revision):
        if keys is None or record.key in keys:
            back(record, objects)
    return {key: thing for key, thing in objects.items() if thing is not None}
