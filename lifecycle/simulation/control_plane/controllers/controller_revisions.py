"""ControllerRevisions: the Pod templates that a StatefulSet or a DaemonSet has had, with a name and a number each (pkg/controller/history)."""
from json import dumps

from ...objects import owner_reference
from .adoption import is_controlled_by
from .pod_template.hash import safe_encoded

REVISIONS = "controllerrevisions.apps"
LONGEST_PREFIX = 223


def patch_of(owner):
    """The strategic merge patch that gives an object this owner's Pod template: what a revision keeps as its `data`."""
    return {"spec": {"template": {"$patch": "replace", **owner["spec"]["template"]}}}


def template_of(revision):
    """The Pod template that a revision keeps."""
    return {field: value for field, value in revision["data"]["spec"]["template"].items() if field != "$patch"}


def revisions_of(indexes, owner):
    """The revisions that `owner` controls, from the lowest number to the highest."""
    found = [each for each in indexes.find("controllerrevisions by owner", owner["metadata"]["uid"]).values() if is_controlled_by(each, owner)]
    return sorted(found, key=lambda each: (each["revision"], each["metadata"]["creationTimestamp"], each["metadata"]["name"]))


def next_number(revisions):
    """One more than the highest number of the revisions."""
    return max((each["revision"] for each in revisions), default=0) + 1


def content_hash(data, collisions=0):
    """The short name of a revision's data: FNV-32 of its JSON text and of the number of collisions so far (history.HashControllerRevision)."""
    value = 0x811C9DC5
    for byte in _go_json(data).encode() + str(collisions).encode():
        value = value * 0x01000193 & 0xFFFFFFFF ^ byte
    return safe_encoded(str(value))


def _go_json(data):
    """JSON as Go's encoder writes it: keys sorted, and the signs that mean something in HTML escaped."""
    text = dumps(data, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    for sign, escaped in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        text = text.replace(sign, escaped)
    return text


def new_revision(owner, number, hash, label):
    """The ControllerRevision of an owner's present template; `label` is where it carries its hash."""
    meta, annotations = owner["metadata"], owner["metadata"].get("annotations")
    labels = owner["spec"]["template"]["metadata"].get("labels") or {}
    return {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {
        "name": f"{meta['name'][:LONGEST_PREFIX]}-{hash}", "namespace": meta["namespace"], "labels": dict(sorted({**labels, label: hash}.items())),
        **({"annotations": annotations} if annotations else {}), "ownerReferences": [owner_reference(owner)]}, "data": patch_of(owner), "revision": number}
