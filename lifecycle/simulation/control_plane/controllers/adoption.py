"""How a controller claims what its selector matches and lets go of what it no longer matches (pkg/controller/controller_ref_manager.go)."""
from ...objects import controller_of, is_deleting, owner_reference
from ...selectors import matches


def adoptable(indexes, index, owner):
    """The objects of an index "... without controller" that `owner` (with a `spec.selector`) may adopt, by name."""
    selector, namespace = owner["spec"]["selector"], owner["metadata"]["namespace"]
    labels = selector.get("matchLabels")
    key = (namespace, *next(iter(labels.items()))) if labels else namespace
    found = [thing for thing in indexes.find(index, key).values() if not is_deleting(thing) and matches(selector, thing["metadata"].get("labels"))]
    return sorted(found, key=lambda thing: thing["metadata"]["name"])


def is_controlled_by(thing, owner):
    """Whether `owner` is the controller of `thing`."""
    reference = controller_of(thing)
    return reference is not None and reference["uid"] == owner["metadata"]["uid"]


def adoption(thing, owner):
    """The strategic merge patch that makes `owner` the controller of `thing`."""
    return {"metadata": {"ownerReferences": [owner_reference(owner)], "uid": thing["metadata"]["uid"]}}


def release(thing, *owners):
    """The strategic merge patch that takes the owner references with the given uids from `thing`."""
    return {"metadata": {"uid": thing["metadata"]["uid"], "ownerReferences": [{"$patch": "delete", "uid": uid} for uid in owners]}}


def would_adopt(api, qualified, thing):
    """The controllers of a kind whose selector matches an object without controller, in its namespace."""
    labels = thing["metadata"].get("labels")
    if not labels:
        return []
    return [owner for owner in api.list(qualified, thing["metadata"]["namespace"]) if matches(owner["spec"]["selector"], labels)]
