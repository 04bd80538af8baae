"""The part of an object's metadata that is the server's alone."""
from .errors import conflict, invalid
from .validation.errors import INVALID, FieldError

DROPPED = ("managedFields", "selfLink")
EMPTY = ("labels", "annotations", "ownerReferences", "finalizers")
GENERATED_NAME_BASE = 58                # apiserver/pkg/storage/names: 63 less the five random characters
ATTEMPTS = 8


def given(metadata):
    """What a client may say about an object: without empty maps and without what only the server writes."""
    return {key: value for key, value in metadata.items() if key not in DROPPED and (value or key not in EMPTY)}


def for_create(call, metadata, generation):
    """A new object's metadata, in Kubernetes' order of fields; `name` is still missing where one is to be generated."""
    known = {"name": metadata.get("name"), "generateName": metadata.get("generateName"),
             "namespace": call.namespace if call.resource.namespaced else None, "uid": call.server.random.uid(),
             "generation": 1 if generation else None, "creationTimestamp": call.clock.timestamp()}
    kept = {key: metadata[key] for key in ("labels", "annotations", "ownerReferences", "finalizers") if metadata.get(key)}
    return {**{key: value for key, value in known.items() if value}, **kept}


def generated_name(call, prefix):
    """`prefix` and five random characters."""
    return prefix[:GENERATED_NAME_BASE] + call.server.random.suffix(5)


def for_update(call, new, old):
    """The metadata of an object that takes the place of `old`. Raises Refused if it speaks of another one or of another version."""
    meta, before = given(new["metadata"]), old["metadata"]
    uid, version = meta.get("uid"), meta.get("resourceVersion")
    if uid and uid != before["uid"]:
        raise _other_uid(call, uid, before)
    if version and version != before["resourceVersion"]:
        raise conflict(call.resource, before["name"])
    for key in ("uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if key in before:
            meta[key] = before[key]
        elif key in meta:
            del meta[key]
    if "namespace" in before:
        meta["namespace"] = before["namespace"]
    meta.setdefault("name", before["name"])
    return meta


def _other_uid(call, uid, before):
    if call.request.verb == "patch":
        error = FieldError(INVALID, "metadata.uid", uid, "field is immutable")
        return invalid(call.resource, before["name"], [error, error])            # found by the strategy and again by the generic registry
    key = call.resource.key(before.get("namespace", ""), before["name"])
    return conflict(call.resource, before["name"], f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: "
                    f"Precondition failed: UID in precondition: {uid}, UID in object meta: {before['uid']}")
