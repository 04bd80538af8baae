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
    """`find(name, key)` gives {store key: object} in order of arrival under that key; not to be changed."""

    def __init__(self, etcd):
        self._found = {name: {} for name in DEFINITIONS}
        self._for = {}              # qualified resource -> [(index, function)]
        self._placed = {}           # store key -> [index keys] for each of its definitions, so that no old state is looked at twice
        for key in sorted(etcd.created, key=etcd.created.get):
            self._place(key, etcd.get(key))
        etcd.on_change.append(self.update)

    def find(self, name, key):
        return self._found[name].get(key) or {}

    def update(self, change):
        """Follow one change of the store."""
        if change.type == "DELETED":
            self._remove(change.key)
        else:
            self._place(change.key, change.object)

    def _definitions(self, key):
        qualified = resource_of_key(key).qualified
        if qualified not in self._for:
            self._for[qualified] = [(self._found[name], function) for name, (kind, function) in DEFINITIONS.items() if kind in (None, qualified)]
        return self._for[qualified]

    def _place(self, key, thing):
        definitions = self._definitions(key)
        after = [function(thing) for _, function in definitions]
        for (index, _), old, new in zip(definitions, self._placed.get(key) or [()] * len(after), after):
            for value in old:
                if value not in new:
                    _drop(index, value, key)
            for value in new:
                index.setdefault(value, {})[key] = thing
        self._placed[key] = after

    def _remove(self, key):
        for (index, _), values in zip(self._definitions(key), self._placed.pop(key)):
            for value in values:
                _drop(index, value, key)


def _drop(index, value, key):
    del index[value][key]
    if not index[value]:
        del index[value]
