"""Small questions about API objects, and changes that leave the original as it was.

Objects are plain JSON-shaped dicts, exactly as the API returns them. Nobody changes one in place: a change makes a new dict
that shares everything that did not change.
"""


def name_of(thing):
    """"namespace/name", or "name" for cluster-scoped objects: the key that controllers pass around."""
    meta = thing["metadata"]
    namespace = meta.get("namespace")
    return f"{namespace}/{meta['name']}" if namespace else meta["name"]


def split_key(key):
    """"namespace/name" -> (namespace, name); ("", name) for cluster-scoped objects."""
    namespace, _, name = key.rpartition("/")
    return namespace, name


def replaced(thing, value, *path):
    """A copy of `thing` with `value` at `path`; intermediate dicts are made where they are missing."""
    first, *rest = path
    copy = dict(thing)
    copy[first] = replaced(copy.get(first) or {}, value, *rest) if rest else value
    return copy


def removed(thing, *path):
    """A copy of `thing` without what is at `path`; `thing` itself if nothing is there."""
    first, *rest = path
    if first not in thing:
        return thing
    copy = dict(thing)
    if not rest:
        del copy[first]
    elif isinstance(thing[first], dict):
        copy[first] = removed(thing[first], *rest)
    return copy


def at(thing, *path, default=None):
    """What is at `path`, or `default` if some step of it is missing or null."""
    for step in path:
        if not isinstance(thing, dict) or thing.get(step) is None:
            return default
        thing = thing[step]
    return thing


def is_deleting(thing):
    return "deletionTimestamp" in thing["metadata"]


def condition(thing, kind):
    """The status condition of a type, or None."""
    for found in thing.get("status", {}).get("conditions") or ():
        if found.get("type") == kind:
            return found
    return None


def is_ready(pod):
    """Whether the Pod's Ready condition is True."""
    ready = condition(pod, "Ready")
    return ready is not None and ready["status"] == "True"


def is_terminal(pod):
    """Whether the Pod's phase is final: its containers have ended and none will be started again."""
    return pod.get("status", {}).get("phase") in ("Succeeded", "Failed")


def is_active(pod):
    """Kubernetes' IsPodActive: counts for its controller (pkg/controller/controller_utils.go)."""
    return not is_terminal(pod) and not is_deleting(pod)


def controller_of(thing):
    """The ownerReference with `controller: true`, or None."""
    for owner in thing["metadata"].get("ownerReferences") or ():
        if owner.get("controller"):
            return owner
    return None


def owner_reference(owner):
    """The controller reference that Kubernetes' controllers put on what they create."""
    meta = owner["metadata"]
    return {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": meta["name"], "uid": meta["uid"], "controller": True, "blockOwnerDeletion": True}


def set_condition(conditions, new):
    """`conditions` with `new` in place of the one of its type, or at the end."""
    kept = [new if old["type"] == new["type"] else old for old in conditions or ()]
    return kept if any(old["type"] == new["type"] for old in conditions or ()) else [*kept, new]
