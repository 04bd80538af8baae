"""What is stored: etcd's keys, events, and objects as YAML."""
from collections import defaultdict
from typing import NamedTuple

from ..explanations.texts import identity
from ..simulation.kubectl.printing.yaml_text import to_yaml
from ..simulation.objects import at

EVENTS = "/registry/events/"
SYSTEM = ("kube-system", "kube-public", "kube-node-lease")
KINDS_FIRST = (
    "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicaSet", "Pod", "Service", "EndpointSlice", "ConfigMap", "Secret",
    "PersistentVolumeClaim", "PersistentVolume", "Node", "Namespace")
SYSTEM_NAMES = ("kubernetes", "kube-root-ca.crt", "default")


class Key(NamedTuple):
    key: str
    kind: str
    revision: int
    deleting: bool


class Event(NamedTuple):
    seen: str
    kind: str
    warning: bool
    reason: str
    about: str
    message: str
    count: int
    source: str


class Entry(NamedTuple):
    """An object in a list."""

    key: str
    namespace: str
    name: str
    deleting: bool


def keys(objects, limit=80):
    """The keys that changed last, the newest first."""
    found = [Key(key, identity(key)[0], int(thing["metadata"]["resourceVersion"]), "deletionTimestamp" in thing["metadata"]) for key, thing in objects.items()]
    return sorted(found, key=lambda each: -each.revision)[:limit]


def events(objects, limit=200):
    """Events of a snapshot, the newest last."""
    found = [(seen(thing), int(thing["metadata"]["resourceVersion"]), event(thing)) for key, thing in objects.items() if key.startswith(EVENTS)]
    return [each for _, _, each in sorted(found, key=lambda one: one[:2])][-limit:]


def seen(thing):
    return thing.get("lastTimestamp") or at(thing, "series", "lastObservedTime") or thing.get("eventTime") or thing["metadata"]["creationTimestamp"]


def event(thing):
    about = thing.get("involvedObject") or thing.get("regarding") or {}
    source = at(thing, "source", "component") or thing.get("reportingComponent") or thing.get("reportingController", "")
    return Event(seen(thing)[11:19], thing.get("type", "Normal"), thing.get("type") == "Warning", thing.get("reason", ""),
                 f"{about.get('kind', '')}/{about.get('name', '')}", thing.get("message") or thing.get("note", ""),
                 thing.get("count") or at(thing, "series", "count", default=1), source)


def grouped(objects, everything=False):
    """[(kind, [Entry])] of a snapshot: learners' own objects, or with `everything` also those that every cluster has."""
    groups = defaultdict(list)
    for key, thing in objects.items():
        kind, namespace, name = identity(key)
        if kind != "Event" and (everything or not is_system(key, kind, namespace, name)):
            groups[kind or thing["kind"]].append(Entry(key, namespace, name, "deletionTimestamp" in thing["metadata"]))
    order = {kind: number for number, kind in enumerate(KINDS_FIRST)}
    return [(kind, sorted(groups[kind])) for kind in sorted(groups, key=lambda kind: (order.get(kind, len(order)), kind))]


def is_system(key, kind, namespace, name):
    """Whether an object belongs to the cluster itself."""
    if namespace:
        return namespace in SYSTEM or name in SYSTEM_NAMES
    return kind not in ("Namespace", "PersistentVolume", "Node", "CustomResourceDefinition") or name in (*SYSTEM, "default")


def manifest_text(thing):
    """An object as `kubectl get -o yaml` prints it."""
    meta = thing.get("metadata", {})
    return to_yaml({**thing, "metadata": {name: value for name, value in meta.items() if name != "managedFields"}} if "managedFields" in meta else thing)
