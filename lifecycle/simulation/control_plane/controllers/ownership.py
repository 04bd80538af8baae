"""Who owns an object, as the garbage collector sees it (pkg/controller/garbagecollector/graph.go, graph_builder.go)."""
from ...objects import is_deleting
from ...resources import by_kind

ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"


def owner_references(thing):
    return thing["metadata"].get("ownerReferences") or ()


def finalizers_of(thing):
    return thing["metadata"].get("finalizers") or ()


def is_waiting(thing):
    """Whether an object is being deleted in the foreground: it stays until its dependents are gone."""
    return is_deleting(thing) and FOREGROUND in finalizers_of(thing)


def blocks(thing, uid):
    """Whether a dependent holds up the foreground deletion of the owner with this uid."""
    return any(reference["uid"] == uid and reference.get("blockOwnerDeletion") for reference in owner_references(thing))


class Owners:
    """Looks owners up in the store. An owner is looked for in the namespace of its dependent, or without one if its kind has none."""

    def __init__(self, etcd, server):
        self.etcd, self.server = etcd, server

    def _resource(self, kind):
        """The Resource of an (apiVersion, kind), built in or custom, or None."""
        return by_kind().get(kind) or next((row for row in self.server.custom_resources() if (row.api_version, row.kind) == kind), None)

    def key_of(self, thing, reference):
        """The owner's store key; None if there is no such kind, or if nothing without a namespace could name one."""
        row, namespace = self._resource((reference["apiVersion"], reference["kind"])), thing["metadata"].get("namespace")
        return row.key(namespace, reference["name"]) if row is not None and (namespace or not row.namespaced) else None

    def find(self, thing, reference):
        """The owner itself, or None; another object of the same name is not the owner."""
        owner = self.etcd.get(self.key_of(thing, reference))
        return owner if owner is not None and owner["metadata"]["uid"] == reference["uid"] else None

    def misplaced(self, thing):
        """The references of an object without a namespace to kinds that have one: such an owner is never found, and never missed."""
        return [reference for reference in owner_references(thing) if self.key_of(thing, reference) is None]

    def waiting(self, thing):
        """The store keys of those owners that wait for their dependents."""
        found = [(self.key_of(thing, reference), self.find(thing, reference)) for reference in owner_references(thing)]
        return [key for key, owner in found if owner is not None and is_waiting(owner)]

    def is_elsewhere(self, uid, key):
        """Whether an object with this uid is stored under another key; looks at everything, so only for what is not at its place."""
        return any(self.etcd.get(other)["metadata"].get("uid") == uid for other in self.etcd.created if other != key)

    def classified(self, thing):
        """The owner references in three lists: owners that stay, owners that are not there, owners that wait for their dependents."""
        solid, dangling, waiting = [], [], []
        for reference in owner_references(thing):
            owner = self.find(thing, reference)
            if owner is None:
                (solid if self.key_of(thing, reference) is None else dangling).append(reference)
            else:
                (waiting if is_waiting(owner) else solid).append(reference)
        return solid, dangling, waiting
