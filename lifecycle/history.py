"""History in packs: how messages and changes of the store become rows of some dozens each, and how what was is found again.

The last pack of a cluster stays open: it is written anew, longer, by every transaction until it is full.
Each change is kept with what leads back: nothing for an object that was made, the difference for one that changed, the last state of one that was removed.
So every earlier state follows from the live objects, what is not asked for costs nothing, and old history can be cut off anywhere.
"""
from math import inf
from typing import NamedTuple

from .differences import difference, patched
from .models import Revisions, Steps
from .models.fields import QUICK, SMALL, packed
from .reader import rows
from .simulation.control_plane.etcd import Change, Manager
from .simulation.messages import Step
from .writer import upsert

PACK = 64                      # things in a full pack
LAST = 2 ** 62                 # a revision beyond all
NUMBERS = ("cluster", "first", "last", "first_at", "last_at", "data")
ADDED, MODIFIED, DELETED = "ADDED", "MODIFIED", "DELETED"


class Record(NamedTuple):
    """One change as it is kept. `before` leads back from the state after it: None for ADDED, differences for MODIFIED, the last state for DELETED.
    `manager` is a list like etcd.Manager, or None."""

    revision: int
    at: int
    type: str
    key: str
    manager: list | None
    before: object


def record_of(change):
    """The Record of an etcd.Change."""
    before = change.previous if change.type == DELETED else difference(change.object, change.previous) if change.type == MODIFIED else None
    return Record(change.revision, change.at, change.type, change.key, list(change.manager) if change.manager else None, before)


def back(record, objects):
    """Undo a Record in a dict {key: object or None}, and give the Change that it was.

    What is not there, or is of another revision, was read before this change or after a later one: then there is nothing to undo, and None is given.
    """
    current = objects.get(record.key)
    if record.type == DELETED:
        if current is None:
            objects[record.key] = record.before
        return _change(record, removed_at(record.before, record.revision), record.before)
    if current is None or int(current["metadata"]["resourceVersion"]) != record.revision:
        return None
    if record.type == ADDED:
        objects[record.key] = None
        return _change(record, current, None)
    objects[record.key] = previous = patched(current, record.before)
    return _change(record, current, previous)


def removed_at(thing, revision):
    """The last state of an object with the revision of its removal, as watchers see it."""
    return {**thing, "metadata": {**thing["metadata"], "resourceVersion": str(revision)}}


def _change(record, thing, previous):
    return Change(record.revision, record.at, record.type, record.key, thing, previous, Manager(*record.manager) if record.manager else None)


# -- open packs ------------------------------------------------------------------------------------------------------------
class OpenPacks:
    """The ends of a cluster's history that later transactions will add to: `steps` and `records`, each shorter than PACK.

    `revision` is that of the store before the first of `steps`.
    """

    def __init__(self, revision=0, steps=(), records=()):
        self.revision, self.steps, self.records = revision, list(steps), list(records)

    def add(self, pk, steps, changes):
        """Write a transaction's messages and changes."""
        if changes:
            records = self.records + [record_of(change) for change in changes]
            self.records = write_packs(Revisions, NUMBERS, records, lambda part: numbers(pk, part, "revision"))
        if steps:
            self.steps = write_packs(Steps, (*NUMBERS, "revision", "actors", "reasons"), self.steps + steps, lambda part: self._steps_row(pk, part))

    def _steps_row(self, pk, part):
        before = self.revision
        if len(part) == PACK:
            self.revision = told(part, before)
        actors = words(actor for step in part for actor in (step.source, step.target))
        return (*numbers(pk, part, "seq"), before, actors, words(step.reason for step in part))


def write_packs(model, names, things, row_of):
    """Write `things` in packs; returns those of the last one if it is not full."""
    parts = [things[start:start + PACK] for start in range(0, len(things), PACK)]
    upsert(model, names, ("cluster", "first"), [row_of(part) for part in parts])
    return parts[-1] if parts and len(parts[-1]) < PACK else []


def numbers(pk, part, number):
    """The columns NUMBERS of a pack."""
    first, last = part[0], part[-1]
    return pk, getattr(first, number), getattr(last, number), first.at, last.at, packed([list(each) for each in part], SMALL if len(part) == PACK else QUICK)


def told(steps, revision):
    """The revision of the store after some messages, if it was `revision` before."""
    return max([revision, *(step.revision for step in steps if step.target == "etcd" and step.revision)])


def words(found):
    """Distinct words as a text to search in: " one two "."""
    return f" {' '.join(sorted(set(found)))} "


def read_open_packs(row):
    """The OpenPacks of a cluster's row as its last packs leave them."""
    last_steps, last_records = (model.objects.filter(cluster=row.pk).order_by("-first").first() for model in (Steps, Revisions))
    steps = steps_of(last_steps) if last_steps else []
    records = records_in(last_records.data) if last_records else []
    revision = last_steps.revision if last_steps else row.revision
    if len(steps) == PACK:
        steps, revision = [], told(steps, revision)
    return OpenPacks(revision, steps, records if len(records) < PACK else [])


# -- reading ---------------------------------------------------------------------------------------------------------------
def steps_of(pack):
    """The simulation.messages.Steps of a row of Steps."""
    return steps_in(pack.data)


def steps_in(data):
    """The simulation.messages.Steps in a pack's data."""
    return [Step(*each) for each in data]


def records_in(data):
    """The Records in a pack's data."""
    return [Record(*each) for each in data]


def newest_first(pk, after, upto=None):
    """The Records with revisions after `after`, up to and including `upto`, backwards."""
    upto = LAST if upto is None else upto
    for data, in rows(Revisions, ("data",), "cluster_id = %s AND last > %s AND first <= %s ORDER BY first DESC", [pk, after, upto]):
        for each in reversed(data):
            if after < each[0] <= upto:
                yield Record(*each)


def archive_of(pk, etcd):
    """The function by which a store reads its older changes back (Etcd.archive)."""
    def archive(after, upto, prefix):
        records = [record for record in newest_first(pk, after, upto) if record.key.startswith(prefix)]
        objects = {record.key: etcd.get(record.key) for record in records} | {change.key: change.previous for change in reversed(etcd.history)}
        changes = [back(record, objects) for record in records]
        return [change for change in reversed(changes) if change]
    return archive


def cut_off(pk, seq, created):
    """Delete the history before message `seq`, in whole packs. Returns (messages, revisions) up to which it is gone, or None if there was nothing to delete.

    What is there still, {key: revision at which it was created}, keeps its own changes: who has written what is reckoned from them (managedFields).
    """
    pack = Steps.objects.filter(cluster=pk, first__lte=seq).order_by("-first").first()
    if pack is None or not Steps.objects.filter(cluster=pk, first__lt=pack.first).delete()[0]:
        return None
    newest = Revisions.objects.filter(cluster=pk).order_by("-first").values_list("first", flat=True)[:1]
    old = Revisions.objects.filter(cluster=pk, last__lte=pack.revision).exclude(first__in=list(newest))          # which may be written further
    kept = [record for part in old.order_by("first") for record in records_in(part.data) if created.get(record.key, inf) <= record.revision]
    old.delete()
    write_packs(Revisions, NUMBERS, kept, lambda part: numbers(pk, part, "revision"))
    return pack.first - 1, pack.revision
