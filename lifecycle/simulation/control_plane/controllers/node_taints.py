"""Taints that say what is the matter with a node (pkg/controller/nodelifecycle, pkg/util/taints)."""

NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
NO_EXECUTE = "NoExecute"

# (condition, its status) -> the key of the NoSchedule taint that goes with it
BY_CONDITION = {
    ("Ready", "False"): NOT_READY,
    ("Ready", "Unknown"): UNREACHABLE,
    ("MemoryPressure", "True"): "node.kubernetes.io/memory-pressure",
    ("DiskPressure", "True"): "node.kubernetes.io/disk-pressure",
    ("NetworkUnavailable", "True"): "node.kubernetes.io/network-unavailable",
    ("PIDPressure", "True"): "node.kubernetes.io/pid-pressure",
}
CONDITION_TAINTS = (*BY_CONDITION.values(), UNSCHEDULABLE)


def wanted(node):
    """The keys of the NoSchedule taints that a node's conditions and `spec.unschedulable` ask for."""
    states = [(one.get("type"), one.get("status")) for one in (node.get("status") or {}).get("conditions") or ()]
    found = [BY_CONDITION[state] for state in states if state in BY_CONDITION]
    return [*found, UNSCHEDULABLE] if node["spec"].get("unschedulable") else found


def taint(key, effect, now):
    """A taint as the controller writes it."""
    return {"effect": effect, "key": key, "timeAdded": now}


def added(taints, new):
    """A list of taints with more at its end."""
    return [*(taints or ()), *new]


def without(taints, gone):
    """A list of taints without those whose (key, effect) is in `gone`."""
    return [one for one in taints or () if (one["key"], one["effect"]) not in gone]


def patch_of(node, taints):
    """The merge patch with which the controllers write a node's taints: the whole list, for exactly the version they saw."""
    return {"metadata": {"resourceVersion": node["metadata"]["resourceVersion"]}, "spec": {"taints": taints or None}}
