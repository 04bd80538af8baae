"""What Pods request and may use, as sums of quantities (component-helpers/resource/helpers.go)."""
from functools import reduce

from lifecycle.simulation.objects import at
from lifecycle.simulation.quantities import add, parse

SUPPORTED_FOR_PODS = ("cpu", "memory")


def pod_resources(pod, kind, status=True):
    """{resource: quantity} of a Pod; `kind` is "requests" or "limits". With `status`, resources that a container really has count too."""
    spec = pod.get("spec", {})
    held = _held(pod, kind) if status else {}
    total = combined([_container(each, kind, held) for each in spec.get("containers") or ()])
    init, sidecars = {}, {}
    for each in spec.get("initContainers") or ():
        own = _container(each, kind, held)
        if each.get("restartPolicy") == "Always":
            total, sidecars = combined([total, own]), combined([sidecars, own])
            own = sidecars
        else:
            own = combined([own, sidecars])
        init = largest(init, own)
    total = largest(total, init)
    for name, amount in at(spec, "resources", kind, default={}).items():
        if name in SUPPORTED_FOR_PODS or name.startswith("hugepages-"):
            total = {**total, name: amount}
    overhead = spec.get("overhead") or {}
    return combined([total, overhead if kind == "requests" else {name: overhead[name] for name in overhead if name in total}])


def _container(container, kind, held):
    own = at(container, "resources", kind, default={})
    return largest(own, held[container["name"]]) if container["name"] in held else own


def _held(pod, kind):
    """{container: what its status says that it has}."""
    statuses = [*(at(pod, "status", "containerStatuses", default=())), *(at(pod, "status", "initContainerStatuses", default=()))]
    return {each["name"]: each["resources"].get(kind) or {} for each in statuses if each.get("resources")}


def combined(lists):
    """The sums of several {resource: quantity}."""
    return reduce(lambda total, own: {**total, **{name: add(total[name], own[name]) if name in total else own[name] for name in own}}, lists, {})


def largest(first, second):
    """The larger of two quantities for each resource."""
    return {**first, **{name: amount for name, amount in second.items() if name not in first or parse(amount).nano > parse(first[name]).nano}}
