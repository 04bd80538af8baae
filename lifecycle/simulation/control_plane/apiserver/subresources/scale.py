"""scale: spec.replicas of a workload through one small kind, autoscaling/v1 Scale (pkg/registry/apps/*/storage/storage.go)."""
from ....apimachinery import json_patch, merge_patch
from ....objects import at, replaced
from .. import custom, patching, updating
from ..errors import bad_request, conflict, invalid, kind_conflict, not_found
from ..validation.errors import INVALID, FieldError

PATHS = {"specReplicasPath": ["spec", "replicas"], "statusReplicasPath": ["status", "replicas"]}
METADATA = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
OPERATORS = {"In": "in", "NotIn": "notin"}


def get(call):
    return 200, scale_of(call, _found(call))


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
    return 200, _scaled(call, old, patching.tried(apply, scale_of(call, old), call.request.body))


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
    return scale_of(call, updating.save(call, replaced(old, replicas, *_paths(call)["specReplicasPath"]), old))


def _paths(call):
    """Where the numbers are: custom resources say so themselves."""
    return custom.scale_paths(call.etcd, call.resource) or PATHS


class _Scale:
    """Enough of a Resource for an error about a Scale."""

    kind, group, plural = "Scale", "autoscaling", "scales"


def scale_of(call, thing):
    """The Scale that stands for a workload."""
    meta, paths = thing["metadata"], _paths(call)
    wanted, text = at(thing, *paths["specReplicasPath"]), _selector(thing, paths)
    found = {"replicas": at(thing, *paths["statusReplicasPath"], default=0), **({"selector": text} if text else {})}
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": {key: meta[key] for key in METADATA if key in meta},
            "spec": {"replicas": wanted} if wanted else {}, "status": found}


def _selector(thing, paths):
    """The selector of the Pods as text; "" if there is none."""
    if paths is not PATHS:
        return at(thing, *paths["labelSelectorPath"], default="") if "labelSelectorPath" in paths else ""
    selector = thing["spec"].get("selector") or {}
    return _selector_text(selector if thing["kind"] != "ReplicationController" else {"matchLabels": selector})


def _selector_text(selector):
    """A LabelSelector as labels.Selector prints it: sorted by key."""
    parts = [(key, f"{key}={value}") for key, value in (selector.get("matchLabels") or {}).items()]
    for one in selector.get("matchExpressions") or ():
        key, operator = one["key"], one["operator"]
        listed = f"{key} {OPERATORS.get(operator)} ({','.join(sorted(one.get('values') or ()))})"
        parts.append((key, {"Exists": key, "DoesNotExist": f"!{key}"}.get(operator, listed)))
    return ",".join(text for _, text in sorted(parts))
