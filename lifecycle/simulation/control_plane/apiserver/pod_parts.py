"""What pods/ephemeralcontainers and pods/resize may change: one part of the spec, and only there (pkg/registry/core/pod/strategy.go)."""
from ...quantities import milli
from ...quota_usage import totals
from ...resources import resource
from .errors import forbidden

RESIZED = ("resources", "resizePolicy")


def with_ephemeral_containers(new, old):
    """The old Pod with the new ephemeral containers."""
    return {**old, "metadata": new["metadata"], "spec": {**old["spec"], "ephemeralContainers": new["spec"].get("ephemeralContainers") or []}}


def with_resources(new, old):
    """The old Pod with the new resources of its containers."""
    spec = old["spec"]
    parts = {part: _resized(spec[part], new["spec"].get(part) or ()) for part in ("containers", "initContainers") if spec.get(part)}
    return {**old, "metadata": new["metadata"], "spec": {**spec, **parts}}


def _resized(containers, wanted):
    by_name = {container["name"]: container for container in wanted}
    return [{**container, **{key: by_name[container["name"]][key] for key in RESIZED if key in by_name[container["name"]]}}
            if container["name"] in by_name else container for container in containers]


def check_capacity(call, pod):
    """403 for a resize that its node could never hold (pkg/registry/core/pod/storage)."""
    node = call.stored(resource("nodes"), "", pod["spec"].get("nodeName", ""))
    if call.request.subresource != "resize" or node is None:
        return
    allocatable = node["status"].get("allocatable") or {}
    for name, amount in totals(pod["spec"], "requests").items():
        if name in allocatable and milli(amount) > milli(allocatable[name]):
            unit = 1 if name == "cpu" else 1000
            numbers = f"requested: {milli(amount) // unit}, allocatable: {milli(allocatable[name]) // unit}"
            raise forbidden(call.resource, call.name, f"node didn't have enough allocatable resources: {name}, {numbers}", [{"reason": "NodeCapacity"}])


POD_PARTS = {"ephemeralcontainers": with_ephemeral_containers, "resize": with_resources}
