"""Indexes over the stored objects, kept up to date with every change: caches that can be thrown away and built again."""
from .pod_standing import standing, without_controller
from .resources import resource_of_key
from .storage import claims_of


def _node(pod):
    node = pod["spec"].get("nodeName")
    return (node,) if node else ()


def _unscheduled_terminating(pod):
    return ("",) if "deletionTimestamp" in pod["metadata"] and not pod["spec"].get("nodeName") else ()


def _owners(thing):
    return [owner["uid"] for owner in thing["metadata"].get("ownerReferences") or ()]


def _claims(pod):
    return [f"{pod['metadata'].get('namespace')}/{claim}" for claim in claims_of(pod)]


def _labels(pod):
    namespace = pod["metadata"].get("namespace")
    return [(namespace, *label) for label in (pod["metadata"].get("labels") or {}).items()]


def _service(endpoint_slice):
    meta = endpoint_slice["metadata"]
    service = (meta.get("labels") or {}).get("kubernetes.io/service-name")
    return (f"{meta['namespace']}/{service}",) if service else ()


def _about(event):
    return (event["involvedObject"].get("uid", ""),)


# name: (qualified resource, or None for every kind; object -> index keys)
DEFINITIONS = {
    "pods by node": ("pods", _node),
    "unscheduled terminating pods": ("pods", _unscheduled_terminating),
    "pods by owner": ("pods", _owners),
    "pods by claim": ("pods", _claims),
    "pods by label": ("pods", _labels),
    "pods by standing": ("pods", standing),
    "pods without controller": ("pods", without_controller),
    "replicasets by owner": ("replicasets.apps", _owners),
    "replicasets without controller": ("replicasets.apps", without_controller),
    "jobs by owner": ("jobs.batch", _owners),
    "controllerrevisions by owner": ("controllerrevisions.apps", _owners),
    "controllerrevisions without controller": ("controllerrevisions.apps", without_controller),
    "endpointslices by service": ("endpointslices.discovery.k8s.io", _service),
    "dependents": (None, _owners),
    "events by object": ("events", _about),
}


class Indexes:
    """What stands under a key of an index is in order of creation, whenever it came there: so it is the same after a load."""

    def __init__(self, etcd):
        self._created = etcd.created
        self._found = {name: {} for name in DEFINITIONS}
        self._unordered = set()     # (index, key) under which something came late; put in order when somebody looks
        self._for = {}              # qualified resource -> [(name, index, function)]
        self._placed = {}           # store key -> [index keys] for each of its definitions, so that no old state is looked at twice
        for key in sorted(etcd.created, key=etcd.created.get):
            self._place(key, etcd.get(key))
        etcd.on_change.append(self.update)

    def find(self, name, key):
        """{store key: object} under a key of an index, not to be changed."""
        if (name, key) in self._unordered:
            self._unordered.remove((name, key))
            found = self._found[name]
            found[key] = {place: found[key][place] for place in sorted(found[key], key=self._created.get)}
        return self._found[name].get(key) or {}

    def count(self, name, key):
        """How many there are, whatever their order."""
        return len(self._found[name].get(key) or ())

    def update(self, change):
        """Follow one change of the store."""
        if change.type == "DELETED":
            self._remove(change.key)
        else:
            self._place(change.key, change.object)

    def _definitions(self, key):
        qualified = resource_of_key(key).qualified
        if qualified not in self._for:
            self._for[qualified] = [(name, self._found[name], function) for name, (kind, function) in DEFINITIONS.items() if kind in (None, qualified)]
        return self._for[qualified]

    def _place(self, key, thing):
        definitions = self._definitions(key)
        after = [function(thing) for _, _, function in definitions]
        for (name, index, _), old, new in zip(definitions, self._placed.get(key) or [()] * len(after), after):
            for value in old:
                if value not in new:
                    self._drop(name, index, value, key)
            for value in new:
                self._put(name, index, value, key, thing)
        self._placed[key] = after

    def _put(self, name, index, value, key, thing):
        there = index.setdefault(value, {})
        if there and key not in there and self._created[next(reversed(there))] > self._created[key]:
            self._unordered.add((name, value))
        there[key] = thing

    def _remove(self, key):
        for (name, index, _), values in zip(self._definitions(key), self._placed.pop(key)):
            for value in values:
                self._drop(name, index, value, key)

    def _drop(self, name, index, value, key):
        del index[value][key]
        if not index[value]:
            del index[value]
            self._unordered.discard((name, value))
