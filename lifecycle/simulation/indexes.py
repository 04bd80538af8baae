"""Indexes over the stored objects, kept up to date with every change: caches that can be thrown away and built again."""
from .pod_standing import standing, without_controller
from .resources import resource_of_key
from .storage import claims_of


def _node(pod):
    node = pod["spec"].get("nodeName")
    return (node,) if node else ()


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
        for key in sorted(etcd.created, key=etcd.created.get):
            self._place(key, None, etcd.get(key))
        etcd.on_change.append(self.update)

    def find(self, name, key):
        return self._found[name].get(key) or {}

    def update(self, change):
        """Follow one change of the store."""
        self._place(change.key, change.previous, None if change.type == "DELETED" else change.object)

    def _definitions(self, key):
        qualified = resource_of_key(key).qualified
        if qualified not in self._for:
            self._for[qualified] = [(self._found[name], function) for name, (kind, function) in DEFINITIONS.items() if kind in (None, qualified)]
        return self._for[qualified]

    def _place(self, key, old, new):
        for index, function in self._definitions(key):
            before = function(old) if old else ()
            after = function(new) if new else ()
            for value in before:
                if value not in after:
                    del index[value][key]
                    if not index[value]:
                        del index[value]
            for value in after:
                index.setdefault(value, {})[key] = new
