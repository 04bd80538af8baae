"""scale: spec.replicas of a workload through one small kind, autoscaling/v1 Scale (pkg/registry/apps/*/storage/storage.go)."""
from ....apimachinery import json_patch, merge_patch
from ....objects import at
from .. import patching, updating
from ..errors import bad_request, conflict, invalid, kind_conflict, not_found
from ..validation.errors import INVALID, FieldError

METADATA = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
OPERATORS = {"In": "in", "NotIn": "notin"}


def get(call):
    return 200, scale_of(_found(call))


def update(call):
    """PUT of a Scale: its resourceVersion and uid, if given, must be current."""
    old = _found(call)
    body = call.request.body
    if not isinstance(body, dict) or body.get("kind") not in (None, "Scale"):
        raise bad_request("expected input object type to be Scale, but")
    return 200, _scaled(call, old, body)


def patch(call):
    old = _found(call)
    apply = json_patch.apply if call.request.patch_type == "json" else merge_patch.apply
    return 200, _scaled(call, old, patching.tried(apply, scale_of(old), call.request.body))


def _found(call):
    thing = call.etcd.get(call.key)
    if thing is None:
        raise not_found(call.resource, call.name)
    return thing


def _scaled(call, old, scale):
    meta, replicas = scale.get("metadata") or {}, at(scale, "spec", "replicas", default=0)
    if meta.get("name") and meta["name"] != call.name:
        raise bad_request(f"the name of the object ({meta['name']}) does not match the name on the URL ({call.name})")
    if replicas < 0:
        error = FieldError(INVALID, "spec.replicas", replicas, "must be greater than or equal to 0")
        raise invalid(_Scale(), call.name, [error])
    if meta.get("uid") and meta["uid"] != old["metadata"]["uid"]:
        raise kind_conflict(call.resource, call.name, f"Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {old['metadata']['uid']}")
    if meta.get("resourceVersion") and meta["resourceVersion"] != old["metadata"]["resourceVersion"]:
        raise conflict(call.resource, call.name)
    return scale_of(updating.save(call, {**old, "spec": {**old["spec"], "replicas": replicas}}, old))


class _Scale:
    """Enough of a Resource for an error about a Scale."""

    kind, group, plural = "Scale", "autoscaling", "scales"


def scale_of(thing):
    """The Scale that stands for a workload."""
    meta, spec, status = thing["metadata"], thing["spec"], thing.get("status") or {}
    selector = spec.get("selector") or {}
    text = _selector_text(selector if thing["kind"] != "ReplicationController" else {"matchLabels": selector})
    found = {"replicas": status.get("replicas", 0), **({"selector": text} if text else {})}
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {key: meta[key] for key in METADATA if key in meta},
            "spec": {"replicas": spec["replicas"]} if spec.get("replicas") else {}, "status": found}


def _selector_text(selector):
    """A LabelSelector as labels.Selector prints it: sorted by key."""
    parts = [(key, f"{key}={value}") for key, value in (selector.get("matchLabels") or {}).items()]
    for one in selector.get("matchExpressions") or ():
        key, operator = one["key"], one["operator"]
        listed = f"{key} {OPERATORS.get(operator)} ({','.join(sorted(one.get('values') or ()))})"
        parts.append((key, {"Exists": key, "DoesNotExist": f"!{key}"}.get(operator, listed)))
    return ",".join(text for _, text in sorted(parts))
