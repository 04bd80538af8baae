"""The store: keys and objects, one revision counter, compare-and-swap, and everything that ever changed.

Two key spaces. The registry holds what the API serves. The disk holds what a machine or a process keeps for itself (a node's
images and containers, a scheduler's back-off): same durability, no revisions, no watch, never served.
"""
from typing import NamedTuple

REPLACE = "Replace"


class Manager(NamedTuple):
    """Who wrote a revision, as `metadata.managedFields` names it.

    `applied` is the field set of a server-side apply, or of a REPLACE the whole managedFields that were put in the place of the others; else None.
    """

    name: str
    operation: str                  # "Update", "Apply" or REPLACE
    subresource: str
    time: str
    api_version: str
    applied: dict | list | None = None


class Change(NamedTuple):
    """One revision: `object` as stored; for DELETED the last state, with the revision of the removal. `previous` is None for ADDED."""

    revision: int
    at: int
    type: str                       # "ADDED", "MODIFIED" or "DELETED"
    key: str
    object: dict
    previous: dict | None
    manager: Manager | None


class Compacted(Exception):
    """A revision below the compaction was asked for (`410 Gone`). `oldest` is the first one still known."""

    def __init__(self, asked, oldest):
        super().__init__(f"too old resource version: {asked} ({oldest})")
        self.asked, self.oldest = asked, oldest


class CompareFailed(Exception):
    """The key's mod revision was not the expected one. `current` is what is stored now, or None."""

    def __init__(self, current):
        super().__init__("compare failed")
        self.current = current


class Etcd:
    """`at` of a change is the virtual time of the clock given. `on_change` functions are called after each commit, in order."""

    def __init__(self, clock):
        self.clock = clock
        self.revision = 0
        self.compacted = 0
        self.history = []           # [Change], without gaps from `trimmed` + 1 on
        self.trimmed = 0            # changes up to here, and after `compacted`, are in the archive
        self.archive = None         # function(after revision, up to revision, key or prefix) -> [Change]: what is kept outside of memory
        self.created = {}           # key -> revision at which it was created
        self.quota = {}             # "/registry/" or a longer beginning of keys -> how many objects may be stored there
        self.on_change = []
        self.freeze = None          # strict mode: a function that makes what is stored read-only
        self._objects = {}          # key -> object
        self._ranges = {}           # "/registry/pods/default" -> {key: object}, in order of creation
        self._disk = {}             # space -> {key: value}
        self.journal = None         # {space: dict as it was} of what was written, while someone may want to undo it (`undo`)
        self.dirty_disk = None      # {(space, key): whether it was removed} of what was written, once someone has put a dict here

    # -- the registry ------------------------------------------------------------------------------------------------------
    def get(self, key):
        """The object at a key, or None."""
        return self._objects.get(key)

    def range(self, prefix):
        """The objects at `prefix`/NAME and `prefix`/NAMESPACE/NAME, sorted by key as etcd returns them."""
        below = prefix + "/"
        found = [item for name, part in self._ranges.items() if name == prefix or name.startswith(below) for item in part.items()]
        found.sort()
        return [thing for _, thing in found]

    def unsorted(self, prefix):
        """The dict {key: object} right below a prefix, in order of creation; not to be changed."""
        return self._ranges.get(prefix) or {}

    def has_room(self, key):
        """Whether another object may be stored at a key."""
        return all(not key.startswith(prefix) or self._count(prefix) < most for prefix, most in self.quota.items())

    def _count(self, prefix):
        if prefix == "/registry/":
            return len(self._objects)
        return sum(len(part) for place, part in self._ranges.items() if place.startswith(prefix))

    def put(self, key, thing, expected=None, manager=None):
        """Store an object; returns it with its new resourceVersion.

        `expected`: the resourceVersion that must be current ("" for "must not exist"), or None for whatever is there. Raises CompareFailed.
        """
        previous = self._objects.get(key)
        if expected is not None and expected != (previous["metadata"]["resourceVersion"] if previous else ""):
            raise CompareFailed(previous)
        self.revision += 1
        stored = {**thing, "metadata": {**thing["metadata"], "resourceVersion": str(self.revision)}}
        if self.freeze:
            stored = self.freeze(stored)
        self._objects[key] = stored
        place = key[:key.rindex("/")]
        part = self._ranges.get(place)
        if part is None:
            part = self._ranges[place] = {}
        part[key] = stored
        if previous is None:
            self.created[key] = self.revision
        self._commit(Change(self.revision, self.clock.now, "MODIFIED" if previous else "ADDED", key, stored, previous, manager))
        return stored

    def delete(self, key, expected=None):
        """Remove a key; returns its last state with the revision of the removal, or None if there was nothing."""
        previous = self._objects.get(key)
        if previous is None:
            return None
        if expected is not None and expected != previous["metadata"]["resourceVersion"]:
            raise CompareFailed(previous)
        self.revision += 1
        last = {**previous, "metadata": {**previous["metadata"], "resourceVersion": str(self.revision)}}
        if self.freeze:
            last = self.freeze(last)
        del self._objects[key], self.created[key]
        place = key[:key.rindex("/")]
        del self._ranges[place][key]
        if not self._ranges[place]:
            del self._ranges[place]
        self._commit(Change(self.revision, self.clock.now, "DELETED", key, last, previous, None))
        return last

    def _commit(self, change):
        self.history.append(change)
        for function in self.on_change:
            function(change)

    # -- history -----------------------------------------------------------------------------------------------------------
    def since(self, revision, prefix="/registry/"):
        """The changes after a revision below a prefix, oldest first. Raises Compacted."""
        if revision < self.compacted:
            raise Compacted(revision, self.compacted)
        recent = [change for change in self.history[max(revision - self.trimmed, 0):] if change.key.startswith(prefix)]
        return recent if revision >= self.trimmed else [*self.archive(revision, self.trimmed, prefix), *recent]

    def changes_of(self, key):
        """The known changes of one key since it was last created, oldest first; an archive may know them beyond the compaction."""
        since = self.created.get(key, 1) - 1
        recent = [change for change in self.history[max(since - self.trimmed, 0):] if change.key == key]
        if since >= self.trimmed or self.archive is None:
            return recent
        return [*(change for change in self.archive(since, self.trimmed, key) if change.key == key), *recent]

    def compact(self, revision):
        """Forget the changes up to and including a revision."""
        revision = min(revision, self.revision)
        self.compacted = max(self.compacted, revision)
        self.trim(revision)

    def trim(self, revision):
        """Forget the changes up to a revision in memory; the archive has them."""
        if revision > self.trimmed:
            del self.history[:revision - self.trimmed]
            self.trimmed = revision

    # -- whole ---------------------------------------------------------------------------------------------------------------
    def objects(self):
        """(key, object) of everything stored, in order of creation."""
        return sorted(self._objects.items(), key=lambda item: self.created[item[0]])

    def spaces(self):
        """{space: {key: value}}: the whole disk, spaces sorted by name."""
        return {space: dict(part) for space, part in sorted(self._disk.items()) if part}

    def restore(self, revision, compacted, objects, history, disk, freeze=None):
        """Fill an empty store with what was saved: `objects` are (key, revision of creation, object) in order of creation."""
        self.revision, self.compacted, self.history, self.freeze = revision, compacted, history, freeze
        self.trimmed = revision - len(history)
        self._disk = {space: dict(part) for space, part in disk.items()}
        for key, created, thing in objects:
            stored = freeze(thing) if freeze else thing
            self.created[key] = created
            self._objects[key] = stored
            self._ranges.setdefault(key[:key.rindex("/")], {})[key] = stored

    # -- the disk ----------------------------------------------------------------------------------------------------------
    def read(self, space, key, default=None):
        """What a component keeps under a key of its own space."""
        part = self._disk.get(space)
        return default if part is None else part.get(key, default)

    def write(self, space, key, value):
        """Keep a JSON-shaped value, which nobody changes afterwards; None removes the key."""
        part = self._disk.setdefault(space, {})
        if self.journal is not None and space not in self.journal:
            self.journal[space] = dict(part)
        if self.dirty_disk is not None:
            self._note((space, key), value is None, key in part)
        if value is None:
            part.pop(key, None)
        else:
            part[key] = value

    def _note(self, name, removed, known):
        """Note that a name is written; those that are new, or new again, are in the order in which they came."""
        dirty = self.dirty_disk
        before = dirty.get(name, False) if known and not removed else dirty.pop(name, False)
        dirty[name] = before or removed

    def undo(self, journal, dirty):
        """Put the disk back: `journal` is what was noted since, `dirty` what `dirty_disk` was before."""
        self._disk.update(journal)
        self.dirty_disk = dirty

    def disk(self, space):
        """The dict {key: value} of a space, in order of first writing; not to be changed."""
        return self._disk.get(space) or {}
