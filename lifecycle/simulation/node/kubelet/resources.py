"""What Pods ask a node for, and how a kubelet reports it (component-helpers/resource/helpers.go, pkg/kubelet/kubelet_pods.go)."""
from ... import quantities
from .phase import is_sidecar

UNITS = {"cpu": quantities.milli, "memory": quantities.value, "ephemeral-storage": quantities.value}
_known = {}                      # id of a Pod spec -> (the spec, its requests); specs do not change


def requests(spec):
    """{"cpu": millicores, "memory": bytes, "ephemeral-storage": bytes} of a Pod spec; what is not asked for is left out."""
    found = _known.get(id(spec))
    if found is None or found[0] is not spec:
        if len(_known) > 10_000:
            _known.clear()
        found = _known[id(spec)] = spec, {name: UNITS[name](text) for name, text in aggregated(spec, "requests").items() if name in UNITS}
    return found[1]


def aggregated(spec, which):
    """The quantities of a whole Pod: `which` is "requests" or "limits". Main containers and sidecars together, or what one init container needs beside
    the sidecars before it, if that is more.
    """
    total, greatest, sidecars = {}, {}, {}
    for container in spec.get("initContainers", ()):
        asked = _of(container, which)
        if is_sidecar(container):
            sidecars = _added(sidecars, asked)
            greatest = _most(greatest, sidecars)
        else:
            greatest = _most(greatest, _added(sidecars, asked))
    total = sidecars
    for container in spec["containers"]:
        total = _added(total, _of(container, which))
    result = _most(total, greatest)
    return _added(result, spec["overhead"]) if spec.get("overhead") and which == "requests" else {**result, **_of(spec, which)}


def _of(thing, which):
    return (thing.get("resources") or {}).get(which) or {}


def _added(first, second):
    both = {name: quantities.add(first[name], second[name]) for name in first if name in second}
    return {**first, **second, **both}


def _most(first, second):
    return {name: max((side[name] for side in (first, second) if name in side), key=lambda text: quantities.parse(text).nano) for name in {**first, **second}}


def container_resources(container, actual=None):
    """`allocatedResources` and `resources` of a container status: what the spec asks for, and what the container has."""
    asked, has = container.get("resources") or {}, actual or container.get("resources") or {}
    told = {"resources": {name: has[name] for name in ("limits", "requests") if has.get(name)}}
    return {"allocatedResources": asked["requests"], **told} if asked.get("requests") else told


def pod_resources(worker):
    """`allocatedResources` and `resources` of a Pod status."""
    spec = worker.spec
    if not any(container.get("resources") for container in spec["containers"]) and not spec.get("initContainers"):
        return {"resources": {}}
    actual = {**spec, "containers": [{**container, "resources": _actual(worker, container)} for container in spec["containers"]]}
    told = {name: amounts for name in ("limits", "requests") if (amounts := aggregated(actual, name))}
    allocated = aggregated(spec, "requests")
    return {"allocatedResources": allocated, "resources": told} if allocated else {"resources": told}


def _actual(worker, container):
    """The resources that a container has, or is to get when it is made."""
    return (worker.container(container["name"]) or {}).get("asked") or container.get("resources")
