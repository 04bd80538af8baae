"""Small additions to new Pods: tolerations, priority, overhead.

Sources: plugin/pkg/admission/{podtolerationrestriction,defaulttolerationseconds,priority}, plugin/pkg/admission/runtimeclass.
"""
from ....resources import resource
from ..errors import forbidden
from .namespaces import name_said

SECONDS = 300
NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"
WAITS = {key: {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": SECONDS} for key in (NOT_READY, UNREACHABLE)}


def tolerate_for_a_while(call, pod, old):
    """DefaultTolerationSeconds: a lost node keeps its Pods for five minutes."""
    spec = pod["spec"]
    tolerations = spec.get("tolerations") or []
    missing = [toleration for key, toleration in WAITS.items() if not any(_covers(one, key) for one in tolerations)]
    return {**pod, "spec": {**spec, "tolerations": [*tolerations, *missing]}} if missing else pod


def _covers(toleration, key):
    return (not toleration.get("key") or toleration["key"] == key) and toleration.get("effect") in (None, "", "NoExecute")


def set_priority(call, pod, old):
    """Priority: the number behind the class name, and whether it may preempt."""
    spec = pod["spec"]
    name = spec.get("priorityClassName")
    found = _class(call, pod, name) if name else _global_default(call)
    number, policy = (found["value"], found.get("preemptionPolicy") or "PreemptLowerPriority") if found else (0, "PreemptLowerPriority")
    if spec.get("priority") is not None and spec["priority"] != number:
        raise forbidden(call.resource, name_said(pod), f"the integer value of priority ({spec['priority']}) must not be provided in pod spec; "
                        f"priority admission controller computed {number} from the given PriorityClass name")
    added = {"priority": number}
    if found and not name:
        added["priorityClassName"] = found["metadata"]["name"]
    return {**pod, "spec": {**spec, **added, "preemptionPolicy": spec.get("preemptionPolicy") or policy}}


def keep_priority(call, pod, old):
    """Priority, of an update: what was computed for the Pod stays if it is left out."""
    kept = {key: old["spec"][key] for key in ("priority", "preemptionPolicy") if key in old["spec"] and pod["spec"].get(key) is None}
    return {**pod, "spec": {**pod["spec"], **kept}} if kept else pod


def _class(call, pod, name):
    found = call.stored(resource("priorityclasses.scheduling.k8s.io"), "", name)
    if found is None:
        raise forbidden(call.resource, name_said(pod), f"no PriorityClass with name {name} was found")
    return found


def _global_default(call):
    classes = call.etcd.unsorted(resource("priorityclasses.scheduling.k8s.io").prefix()).values()
    return min((one for one in classes if one.get("globalDefault")), key=lambda one: one["value"], default=None)


def add_overhead(call, pod, old):
    """RuntimeClass: what the sandbox itself needs, and where it can run."""
    name = pod["spec"].get("runtimeClassName")
    if not name:
        return pod
    found = call.stored(resource("runtimeclasses.node.k8s.io"), "", name)
    if found is None:
        raise forbidden(call.resource, name_said(pod), f"pod rejected: RuntimeClass \"{name}\" not found")
    spec, scheduling = pod["spec"], found.get("scheduling") or {}
    overhead = (found.get("overhead") or {}).get("podFixed")
    added = {"overhead": overhead} if overhead else {}
    if scheduling.get("nodeSelector"):
        added["nodeSelector"] = {**(spec.get("nodeSelector") or {}), **scheduling["nodeSelector"]}
    if scheduling.get("tolerations"):
        known = spec.get("tolerations") or []
        added["tolerations"] = [*known, *(one for one in scheduling["tolerations"] if one not in known)]
    return {**pod, "spec": {**spec, **added}} if added else pod
