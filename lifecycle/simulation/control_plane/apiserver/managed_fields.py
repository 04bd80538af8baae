"""`metadata.managedFields`, reckoned from who wrote which revision of an object
(apimachinery/pkg/util/managedfields, structured-merge-diff/merge/update.go)."""
import re
from typing import NamedTuple

from lifecycle.simulation.apimachinery.schema import schema_of
from lifecycle.simulation.control_plane.apiserver import zeros
from lifecycle.simulation.control_plane.apiserver.field_paths import difference
from lifecycle.simulation.control_plane.apiserver.field_sets import from_fields_v1, path_text, to_fields_v1
from lifecycle.simulation.control_plane.etcd import REPLACE

UNTRACKED_METADATA = ("name", "namespace", "creationTimestamp", "selfLink", "uid", "generation", "managedFields", "resourceVersion")
UNTRACKED = frozenset([("f:apiVersion",), ("f:kind",), ("f:metadata",), *(("f:metadata", f"f:{name}") for name in UNTRACKED_METADATA)])
UNTRACKED_WRITERS = ("binding",)        # subresources whose writes are registered for nobody
LAST_APPLIED = ("f:metadata", "f:annotations", "f:kubectl.kubernetes.io/last-applied-configuration")

# What admission and the registry put into a new object after its fields were given to their manager.
SET_BY_THE_SERVER = {
    "Pod": re.compile(r"""\.spec\.(serviceAccount(Name)?|priority|preemptionPolicy|tolerations)$|\.spec\.volumes\[name="kube-api-access-"""
                      r"""|.*\.volumeMounts\[mountPath="/var/run/secrets/kubernetes\.io/serviceaccount"\]"""),
    "Service": re.compile(r"\.spec\.(clusterIPs?|ipFamilies|ipFamilyPolicy|healthCheckNodePort|ports\[.*\]\.nodePort)$"),
    "Namespace": re.compile(r"\.spec"),
    "Node": re.compile(r"\.spec\.taints"),
    "Job": re.compile(r"\.spec\.(selector|template\.metadata\.labels\.(batch\.kubernetes\.io/)?(controller-uid|job-name))$"),
    "PersistentVolume": re.compile(r"\.metadata\.finalizers"),
    "PersistentVolumeClaim": re.compile(r"\.metadata\.finalizers"),
}


class Owner(NamedTuple):
    """One entry's identity: what a manager did in another way is another entry."""

    manager: str
    operation: str
    api_version: str
    subresource: str


class Share(NamedTuple):
    """What an Owner has: a set of paths, and when it last took one (text, "" if it never changed anything)."""

    paths: frozenset
    time: str


def shares_after(revisions, type=None, previous=None, shares=None):
    """{Owner: Share} of an object after a chain of (object, Manager) revisions, oldest first; `encoded` makes `managedFields` of it.

    `previous` and `shares` are the object before them and what was owned then; `type` is the schema's Type for custom resources.
    A Manager of None (deletion marks, the system's own repairs) changes objects but owns nothing.
    """
    shares = {} if shares is None else shares
    for thing, manager in revisions:
        shares = fold(shares, previous, thing, manager, type)
        previous = thing
    return shares


def fold(shares, previous, thing, manager, type=None):
    """{Owner: Share} after one more revision; `previous` is None for the first."""
    shares = decoded(thing["metadata"]["managedFields"]) if "managedFields" in thing["metadata"] else shares
    type = type or schema_of(thing)
    if manager is not None and manager.operation == REPLACE:
        return decoded(manager.applied)
    if manager is None or manager.subresource in UNTRACKED_WRITERS or type is None:
        return shares
    changes = difference(_plain(previous) if previous is not None else zeros.fresh(type), _plain(thing), type)
    if manager.applied is not None:
        return _applied(shares, owner_of(manager), changes, from_fields_v1(manager.applied), manager.time)
    taken = tracked(changes.added | changes.modified, manager.subresource)
    if previous is None:
        taken = _sent(taken, thing["kind"])
    return _updated(shares, owner_of(manager), taken, changes.removed, manager.time)


def _sent(taken, kind):
    """What the client itself said about a new object; a list that only the server filled is not the client's either."""
    pattern = SET_BY_THE_SERVER.get(kind)
    if pattern is None:
        return taken
    kept = {path for path in taken if not pattern.match(path_text(path))}
    emptied = {path[:length] for path in taken - kept for length in range(1, len(path))} - {path[:length] for path in kept for length in range(1, len(path))}
    return kept - emptied


def owner_of(manager):
    """Appliers are the same whatever version they apply in."""
    return Owner(manager.name, manager.operation, manager.api_version, manager.subresource)


def _plain(thing):
    """The object without what nobody owns, so that writes which change nothing else are seen to change nothing."""
    metadata = {key: value for key, value in thing["metadata"].items() if key not in UNTRACKED_METADATA}
    return {**{key: value for key, value in thing.items() if key not in ("apiVersion", "kind")}, "metadata": metadata}


def _updated(shares, owner, taken, removed, time):
    """An update owns what it changed, together with all that it had; what it removed belongs to nobody."""
    rest = without(shares, taken | removed)
    if taken:
        rest[owner] = Share(shares.get(owner, _NOTHING).paths - removed | taken, time)
    return rest


def _applied(shares, owner, changes, paths, time):
    """An apply owns exactly what its configuration says, and takes from others what it changed. The annotation of client-side apply
    follows an apply by itself and stays with its owner."""
    changed = changes.added | changes.modified | changes.removed
    known = next((old for old in shares if _is_same_applier(old, owner)), None)
    before = shares.get(known, _NOTHING)
    rest = without({old: share for old, share in shares.items() if old != known}, changed - {LAST_APPLIED})
    if paths:
        rest[owner] = Share(frozenset(paths), time if changed else before.time)
    return rest


def _is_same_applier(one, other):
    return (one.manager, one.operation, one.subresource) == (other.manager, other.operation, other.subresource)


_NOTHING = Share(frozenset(), "")


def without(shares, paths):
    """The shares without some paths; who has nothing left is gone."""
    kept = {owner: Share(share.paths - paths, share.time) for owner, share in shares.items()}
    return {owner: share for owner, share in kept.items() if share.paths}


def tracked(paths, subresource):
    """The paths that can have an owner. Main resources do not write the status, and the status subresource not the spec."""
    other = "f:spec" if subresource == "status" else "f:status" if not subresource else None
    return {path for path in paths if path and path[0] != other and path not in UNTRACKED}


def encoded(shares):
    """{Owner: Share} as a `managedFields` list, in the server's order."""
    ordered = sorted(shares.items(), key=lambda item: (item[0].operation, item[1].time, item[0].manager, item[0].api_version, item[0].subresource))
    return [_entry(owner, share) for owner, share in ordered]


def _entry(owner, share):
    entry = {"manager": owner.manager, "operation": owner.operation, "apiVersion": owner.api_version}
    if share.time:
        entry["time"] = share.time
    entry |= {"fieldsType": "FieldsV1", "fieldsV1": to_fields_v1(share.paths)}
    if owner.subresource:
        entry["subresource"] = owner.subresource
    return entry


def decoded(entries):
    """A `managedFields` list as {Owner: Share}."""
    return {Owner(entry.get("manager", ""), entry["operation"], entry["apiVersion"], entry.get("subresource", "")):
            Share(frozenset(from_fields_v1(entry.get("fieldsV1") or {})), entry.get("time", "")) for entry in entries}


def owners_given(entries, before):
    """The managedFields that a client has put in the place of those before; None if they are the same, or cannot be read and so are passed over."""
    given = [entry for entry in entries or () if entry]
    try:
        return given if decoded(given) != decoded(before or ()) else None
    except (AttributeError, KeyError, TypeError):
        return None
