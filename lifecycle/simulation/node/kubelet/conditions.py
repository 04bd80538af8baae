"""The conditions that a kubelet writes into a Pod's status (pkg/kubelet/status/generate.go)."""
from .phase import is_sidecar

ORDER = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
RESIZE = ("PodResizePending", "PodResizeInProgress")            # these go when they no longer hold
TRUE = ("True", None, None)


def conditions_of(spec, status, init_statuses, statuses, phase, has_network):
    """{type: (status, reason, message)} for what the kubelet decides. `status` is the Pod's present status (readiness gates look at its conditions)."""
    containers_ready = _containers_ready(spec, init_statuses, statuses, phase)
    return {"PodReadyToStartContainers": TRUE if has_network else ("False", None, None), "Initialized": _initialized(spec, init_statuses, statuses, phase),
            "Ready": _ready(spec, status, containers_ready), "ContainersReady": containers_ready}


def _containers_ready(spec, init_statuses, statuses, phase):
    if phase == "Succeeded":
        return "False", "PodCompleted", None
    if phase == "Failed":
        return "False", "PodFailed", None
    sidecars = [status for container, status in zip(spec.get("initContainers", ()), init_statuses) if is_sidecar(container)]
    unready = [status["name"] for status in (*sidecars, *statuses) if not status["ready"]]
    return ("False", "ContainersNotReady", f"containers with unready status: [{' '.join(unready)}]") if unready else TRUE


def _ready(spec, status, containers_ready):
    if containers_ready[0] != "True" or not spec.get("readinessGates"):
        return containers_ready
    known = {condition["type"]: condition["status"] for condition in status.get("conditions", ())}
    messages = []
    for gate in spec["readinessGates"]:
        kind = gate["conditionType"]
        if kind not in known:
            messages.append(f'corresponding condition of pod readiness gate "{kind}" does not exist.')
        elif known[kind] != "True":
            messages.append(f'the status of pod readiness gate "{kind}" is not "True", but {known[kind]}')
    return ("False", "ReadinessGatesNotReady", ", ".join(messages)) if messages else TRUE


def _initialized(spec, init_statuses, statuses, phase):
    if phase == "Succeeded":
        return "True", "PodCompleted", None
    if any("running" in status["state"] or "terminated" in status["state"] or status["lastState"] for status in statuses):
        return TRUE
    incomplete = [status["name"] for container, status in zip(spec.get("initContainers", ()), init_statuses)
                  if not status["started" if is_sidecar(container) else "ready"]]
    return ("False", "ContainersNotInitialized", f"containers with incomplete status: [{' '.join(incomplete)}]") if incomplete else TRUE


def merged(old, wanted, generation, stamp):
    """(the Pod's conditions with the wanted ones in place, what changed as the kubelet puts it into a patch).

    `old` is the present list, `wanted` {type: (status, reason, message)}.
    """
    known = {condition["type"]: condition for condition in old}
    result, changes = [], []
    for kind in dict.fromkeys((*ORDER, *wanted, *known)):
        before = known.get(kind)
        if kind in RESIZE and kind not in wanted:
            changes.append({"$patch": "delete", "type": kind})
            continue
        after = _condition(kind, before, wanted.get(kind), generation, stamp)
        if after is not before:
            changes.append(_change(before, after))
        if after:
            result.append(after)
    return result, changes


def _condition(kind, before, wanted, generation, stamp):
    """The condition as it is to be; `before` itself if nothing changes."""
    if wanted is None:
        if not before or kind not in ORDER or before.get("observedGeneration") == generation:
            return before
        return {"type": kind, "observedGeneration": generation, **{name: value for name, value in before.items() if name not in ("type", "observedGeneration")}}
    status, reason, message = wanted
    if before and (before["status"], before.get("reason"), before.get("message"), before.get("observedGeneration")) == (status, reason, message, generation):
        return before
    since = before["lastTransitionTime"] if before and before["status"] == status else stamp
    after = {"type": kind, "observedGeneration": generation, "status": status, "lastProbeTime": stamp if kind in RESIZE else None, "lastTransitionTime": since}
    if reason:
        after["reason"] = reason
    if message:
        after["message"] = message
    return after


def _change(before, after):
    """The fields in which a condition changes, with null for those that go, and its merge key."""
    if not before:
        return after
    change = {name: value for name, value in after.items() if before.get(name) != value}
    change.update({name: None for name in ("reason", "message") if name in before and name not in after})
    return {**change, "type": after["type"]}
