"""Pods: what the server decides before a new one is stored (pkg/registry/core/pod/strategy.go, component-helpers qos)."""
from ....quantities import value
from ..defaulting.remembering import remembers
from . import label_keys

COMPUTE = ("cpu", "memory")
GATED = "Scheduling is blocked due to non-empty scheduling gates"


def creating(call, pod):
    """The Pod with the status every Pod starts with."""
    status = {"phase": "Pending"}
    if pod["spec"].get("schedulingGates"):
        status["conditions"] = [{"type": "PodScheduled", "status": "False", "lastProbeTime": None, "lastTransitionTime": call.clock.timestamp(),
                                 "reason": "SchedulingGated", "message": GATED}]
    status["qosClass"] = qos_class(pod["spec"])
    return {**label_keys.merged(pod), "status": status}


def qos_class(spec):
    """"Guaranteed", "Burstable" or "BestEffort"."""
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    asked = [_resources(container.get("resources") or {}) for container in containers]
    if not any(requests or limits for requests, limits in asked):
        return "BestEffort"
    guaranteed = all(len(limits) == len(COMPUTE) and requests == limits for requests, limits in asked)
    return "Guaranteed" if guaranteed else "Burstable"


@remembers(2000)
def _resources(resources):
    """The non-zero compute requests and limits of a container, as comparable amounts."""
    return tuple({name: found[name] for name in COMPUTE if name in found and value_of(found[name])}
                 for found in (resources.get("requests") or {}, resources.get("limits") or {}))


def value_of(quantity):
    return value(str(quantity))
