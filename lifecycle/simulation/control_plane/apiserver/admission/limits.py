"""LimitRanger: defaults and bounds of a namespace (plugin/pkg/admission/limitranger)."""
from ....objects import at
from ....quantities import milli
from ....resources import resource
from ..errors import forbidden

ANNOTATION = "kubernetes.io/limit-ranger"
PARTS = ("containers", "initContainers")


def _items(call, kind):
    """The limits of a type in the namespace, in order of the ranges' names."""
    ranges = call.etcd.unsorted(resource("limitranges").prefix(call.namespace))
    return [item for _, found in sorted(ranges.items()) for item in found["spec"].get("limits") or () if item["type"] == kind]


# -- defaults --------------------------------------------------------------------------------------------------------------
def default_pod(call, pod, old):
    """Containers without requests or limits get those of the LimitRanges, and the Pod a note of it."""
    items = _items(call, "Container")
    if not items:
        return pod
    spec, notes = pod["spec"], []
    for part in PARTS:
        if spec.get(part):
            spec = {**spec, part: [_defaulted(container, items, part, notes) for container in spec[part]]}
    if not notes:
        return pod
    annotations = {**(pod["metadata"].get("annotations") or {}), ANNOTATION: "LimitRanger plugin set: " + "; ".join(notes)}
    return {**pod, "metadata": {**pod["metadata"], "annotations": annotations}, "spec": spec}


def _defaulted(container, items, part, notes):
    resources = container.get("resources") or {}
    word = "init container" if part == "initContainers" else "container"
    for item in items:
        for field, source, name in (("requests", "defaultRequest", "request"), ("limits", "default", "limit")):
            known = resources.get(field) or {}
            missing = {key: amount for key, amount in sorted((item.get(source) or {}).items()) if key not in known}
            if missing:
                resources = {**resources, field: {**known, **missing}}
                notes.append(f"{', '.join(missing)} {name} for {word} {container['name']}")
    return container if resources is container.get("resources") or not resources else {**container, "resources": resources}


# -- bounds ----------------------------------------------------------------------------------------------------------------
def check_pod(call, pod, old):
    """403 with every bound that is passed."""
    found = [problem for item in _items(call, "Container") for container in pod["spec"]["containers"]
             for problem in _problems("Container", item, container.get("resources") or {})]
    totals = None
    for item in _items(call, "Pod"):
        totals = totals or _totals(pod["spec"]["containers"])
        found += _problems("Pod", item, totals)
    _refuse(call, pod, found)


def check_claim(call, claim, old):
    size = at(claim, "spec", "resources", "requests", default={})
    kind = "PersistentVolumeClaim"
    _refuse(call, claim, [problem for item in _items(call, kind) for problem in _problems(kind, item, {"requests": size})])


def _refuse(call, thing, found):
    if found:
        name = thing["metadata"].get("name", "")
        raise forbidden(call.resource, name, found[0] if len(found) == 1 else f"[{', '.join(found)}]")


def _totals(containers):
    """The sums over a Pod's containers; what one of them leaves out is unbounded and left out."""
    totals = {}
    for field in ("requests", "limits"):
        parts = [at(container, "resources", field, default={}) for container in containers]
        names = {name for part in parts for name in part if all(name in one for one in parts)}
        totals[field] = {name: _text(name, sum(milli(part[name]) for part in parts)) for name in sorted(names)}
    return totals


def _text(name, amount):
    return f"{amount}m" if amount % 1000 else str(amount // 1000)


def _problems(kind, item, resources):
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    for name, bound in sorted((item.get("min") or {}).items()):
        yield from _below(kind, name, bound, requests.get(name), limits.get(name))
    for name, bound in sorted((item.get("max") or {}).items()):
        yield from _above(kind, name, bound, requests.get(name), limits.get(name))
    for name, bound in sorted((item.get("maxLimitRequestRatio") or {}).items()):
        yield from _steep(kind, name, bound, requests.get(name), limits.get(name))


def _below(kind, name, bound, request, limit):
    said = f"minimum {name} usage per {kind} is {bound}"
    if request is None:
        yield f"{said}.  No request is specified"
    elif milli(request) < milli(bound):
        yield f"{said}, but request is {request}"
    elif limit is not None and milli(limit) < milli(bound):
        yield f"{said}, but limit is {limit}"


def _above(kind, name, bound, request, limit):
    said = f"maximum {name} usage per {kind} is {bound}"
    if limit is None and kind != "PersistentVolumeClaim":
        yield f"{said}.  No limit is specified"
    elif limit is not None and milli(limit) > milli(bound):
        yield f"{said}, but limit is {limit}"
    elif request is not None and milli(request) > milli(bound):
        yield f"{said}, but request is {request}"


def _steep(kind, name, bound, request, limit):
    said = f"{name} max limit to request ratio per {kind} is {bound}"
    if request is None or not milli(request):
        yield f"{said}, but no request is specified or request is 0"
    elif limit is None or not milli(limit):
        yield f"{said}, but no limit is specified or limit is 0"
    elif milli(limit) > milli(request) * milli(bound) / 1000:
        yield f"{said}, but provided ratio is {milli(limit) / milli(request):f}"
