"""Who owns which field of a stored object: reckoned from the store's history whenever it is asked for."""
from typing import NamedTuple

from ..etcd import Compacted
from .managed_fields import encoded, shares_after

KEPT = 1000                     # objects of which is remembered what was reckoned last


class Known(NamedTuple):
    """{Owner: Share} of an object as it was at a revision, since it was created at another one."""

    created: int
    revision: int
    thing: dict
    shares: dict


class Ownership:
    """`metadata.managedFields` of what is stored. What was reckoned is a cache: of an object that is asked for again, only later changes are looked at."""

    def __init__(self, etcd):
        self.etcd, self._known = etcd, {}

    def owned(self, key, type=None):
        """The managedFields of what is stored at a key; `type` is the schema's Type of the kind. What was compacted away is owned by nobody."""
        thing, created = self.etcd.get(key), self.etcd.created.get(key)
        if thing is None:
            return []
        known = self._known.pop(key, None)
        if known is None or known.created != created or (found := self._brought_up(known, key, type)) is None:
            found = self._reckoned(key, created, thing, type)
        self._known[key] = found
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return encoded(found.shares)

    def shown(self, resource, body, type):
        """An object, or the items of a list, with metadata.managedFields."""
        if "items" in body:
            return {**body, "items": [self._one(resource, thing, type) for thing in body["items"]]}
        return self._one(resource, body, type)

    def _one(self, resource, thing, type):
        meta = thing["metadata"]
        found = self.owned(resource.key(meta.get("namespace", ""), meta["name"]), type)
        return {**thing, "metadata": {**meta, "managedFields": found}} if found else thing

    def _reckoned(self, key, created, thing, type):
        changes = self.etcd.changes_of(key)
        before = changes[0].previous if changes else thing
        return _folded(Known(created, 0, before, {}), changes, type)

    def _brought_up(self, known, key, type):
        """The Known with later changes; None if they are forgotten."""
        try:
            return _folded(known, [change for change in self.etcd.since(known.revision, key) if change.key == key], type)
        except Compacted:
            return None


def _folded(known, changes, type):
    if not changes:
        return known
    shares = shares_after([(change.object, change.manager) for change in changes], type, known.thing, known.shares)
    return Known(known.created, changes[-1].revision, changes[-1].object, shares)
