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


def adoption(thing, owner, finalizer=None):
    """The strategic merge patch that makes `owner` the controller of `thing`, and gives it a finalizer."""
    return {"metadata": {"ownerReferences": [owner_reference(owner)], "uid": thing["metadata"]["uid"], **({"finalizers": [finalizer]} if finalizer else {})}}


def release(thing, *owners):
    """The strategic merge patch that takes the owner references with the given uids from `thing`."""
    return {"metadata": {"uid": thing["metadata"]["uid"], "ownerReferences": [{"$patch": "delete", "uid": uid} for uid in owners]}}


def would_adopt(api, qualified, thing):
    """The controllers of a kind whose selector matches an object without controller, in its namespace."""
    labels = thing["metadata"].get("labels")
    if not labels:
        return []
    return [owner for owner in api.list(qualified, thing["metadata"]["namespace"]) if matches(owner["spec"]["selector"], labels)]


def next_claim(component, kind, things, owner_kind, owner, wanted=None, finalizer=None):
    """Release or adopt one object of `kind` ("pods") for `owner`, which is an `owner_kind` ("jobs.batch"); whether there was one to claim.

    `things` are those that it controls. Of those without controller that its selector matches, only the `wanted` ones are adopted, and given a `finalizer`.
    """
    namespace, name, uid = (owner["metadata"][field] for field in ("namespace", "name", "uid"))
    for thing in things:
        if not matches(owner["spec"]["selector"], thing["metadata"].get("labels")):
            return component.api.patch(kind, namespace, thing["metadata"]["name"], release(thing, uid)).ok
    for thing in adoptable(component.indexes, f"{kind.partition('.')[0]} without controller", owner):
        if wanted is None or wanted(thing):
            component.api.fetch(owner_kind, namespace, name)
            return component.api.patch(kind, namespace, thing["metadata"]["name"], adoption(thing, owner, finalizer)).ok
    return False


def concerns(change, kind):
    """Whether a changed object belongs to a controller of a kind ("Job"), did before, or belongs to nobody: quick, as every controller asks for every Pod."""
    owner = controller_of(change.object)
    if owner is None or owner["kind"] == kind:
        return True
    before = controller_of(change.previous) if change.previous is not None else None
    return before is not None and before["kind"] == kind
