"""Rules for the subresource pods/resize: cpu and memory of running containers may change (pkg/apis/core/validation: ValidatePodResize)."""

from ....objects import at
from ..strategies.pods import qos_class
from . import metadata
from .errors import forbidden, invalid
from .podspec import validate_pod_spec

CONTAINERS = ("containers", "initContainers")


def resize(new, old):
    """Errors in a resize of `old` to `new`."""
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from validate_pod_spec(new["spec"])
    if qos_class(new["spec"]) != qos_class(old["spec"]):
        yield invalid("spec", at(new, "status", "qosClass", default=""), "Pod QOS Class may not change as a result of resizing")
    wrong = [*_sizes(new["spec"], old["spec"]), *_other_changes(new["spec"], old["spec"])]
    yield from wrong
    if not wrong and _without_sizes(new["spec"]) != _without_sizes(old["spec"]):
        yield forbidden("spec", "only cpu and memory resources are mutable")


def _pairs(new, old, kind):
    return enumerate(zip(new.get(kind) or (), old.get(kind) or ()))


def _sizes(new, old):
    for kind in reversed(CONTAINERS):
        for index, (after, before) in _pairs(new, old, kind):
            if kind == "containers" or before.get("restartPolicy") == "Always":
                yield from _removed(after, before, f"spec.{kind}[{index}].resources")


def _removed(after, before, path):
    for key in ("requests", "limits"):
        if set(at(before, "resources", key, default={})) - set(at(after, "resources", key, default={})):
            yield forbidden(f"{path}.{key}", f"resource {key} cannot be removed")


def _other_changes(new, old):
    for _, (after, before) in _pairs(new, old, "containers"):
        if _without_size(after) != _without_size(before):
            yield forbidden("spec", "only cpu and memory resources are mutable")
    for _, (after, before) in _pairs(new, old, "initContainers"):
        if before.get("restartPolicy") != "Always":
            if after != before:
                yield forbidden("spec", "resources for non-sidecar init containers are immutable")
        elif _without_size(after) != _without_size(before):
            yield forbidden("spec", "only cpu and memory resources for sidecar containers are mutable")


def _without_size(container):
    resources = container.get("resources") or {}
    kept = {key: {name: text for name, text in (resources.get(key) or {}).items() if name not in ("cpu", "memory")} for key in ("limits", "requests")}
    return {**container, "resources": kept}


def _without_sizes(spec):
    return {**spec, **{kind: [_without_size(container) for container in spec.get(kind) or ()] for kind in CONTAINERS}}
