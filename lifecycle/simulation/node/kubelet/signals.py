"""What a kubelet observes of its node's memory and disk, and what it says and does about new Pods while that is too little.

Sources: pkg/kubelet/eviction (helpers.go, Admit), pkg/kubelet/nodestatus/setters.go. The thresholds are the defaults of KubeletConfiguration, and one for
process ids, for which there is no default.
"""
from typing import NamedTuple

from ...objects import at
from ...quantities import value
from ...tolerations import covering
from ..disk import node_space
from ..registration import HEALTHY

CRITICAL = 2_000_000_000                  # the priority from which on Pods are admitted and kept whatever the pressure
MEMORY_TAINT = {"key": "node.kubernetes.io/memory-pressure", "effect": "NoSchedule"}


class Signal(NamedTuple):
    """A hard threshold: `least` bytes, or that `share` of the capacity, must be available."""

    name: str
    resource: str
    condition: str
    least: int
    share: float

    def threshold(self, capacity):
        return self.least + int(self.share * capacity)


class Observation(NamedTuple):
    """Bytes."""

    signal: Signal
    threshold: int
    available: int


SIGNALS = (
    Signal("memory.available", "memory", "MemoryPressure", 100 << 20, 0),
    Signal("nodefs.available", "ephemeral-storage", "DiskPressure", 0, 0.10),
    Signal("imagefs.available", "ephemeral-storage", "DiskPressure", 0, 0.15),
    Signal("pid.available", "pids", "PIDPressure", 0, 0.10),
)
PRESSED = (
    ("MemoryPressure", "True", "KubeletHasInsufficientMemory", "kubelet has insufficient memory available"),
    ("DiskPressure", "True", "KubeletHasDiskPressure", "kubelet has disk pressure"),
    ("PIDPressure", "True", "KubeletHasInsufficientPID", "kubelet has insufficient PID available"),
)
SHUTTING_DOWN = ("Ready", "False", "KubeletNotReady", "node is shutting down")
NOT_ADMITTED = ("NodeShutdown", "Pod was rejected as the node is shutting down.")
PIDS = 32_768                            # kernel.pid_max of a node


def capacity_of(node, resource):
    """What a node has of a resource: bytes, or process ids."""
    return PIDS if resource == "pids" else value(node["status"]["capacity"][resource])


def short(node, used):
    """The Observations below their thresholds, memory first; `used` is {resource: bytes}."""
    found = []
    for signal in SIGNALS:
        capacity = capacity_of(node, signal.resource)
        one = Observation(signal, signal.threshold(capacity), capacity - used[signal.resource])
        if one.available < one.threshold:
            found.append(one)
    return found


def room(node, used):
    """{resource: bytes that may still be used before a threshold is met}"""
    left = {}
    for signal in SIGNALS:
        capacity = capacity_of(node, signal.resource)
        more = capacity - used[signal.resource] - signal.threshold(capacity)
        left[signal.resource] = min(more, left.get(signal.resource, more))
    return left


def conditions(etcd, node):
    """The pressure conditions of a node, {type: ms at which it was last observed}: they outlast what caused them."""
    return etcd.read(node_space(node), "pressure", {})


def is_shutting_down(etcd, node):
    """Whether the node's machine is about to switch off."""
    return etcd.read(node_space(node), "shutdown") is not None


def rows(etcd, node):
    """The conditions that the kubelet of a node reports, as (type, status, reason, message)."""
    pressed = conditions(etcd, node)
    told = {row[0]: row for row in (*HEALTHY, *(row for row in PRESSED if row[0] in pressed), *((SHUTTING_DOWN,) if is_shutting_down(etcd, node) else ()))}
    return tuple(told.values())


def refusal(worker):
    """(reason, message) if the node takes no such Pod while it is under pressure or shuts down, else None."""
    if is_shutting_down(worker.kubelet.etcd, worker.key.node):
        return NOT_ADMITTED
    pressed = conditions(worker.kubelet.etcd, worker.key.node)
    if not pressed or is_critical(worker.pod):
        return None
    if list(pressed) == ["MemoryPressure"] and (
            at(worker.pod, "status", "qosClass") != "BestEffort" or covering(worker.spec.get("tolerations", ()), MEMORY_TAINT)):
        return None
    return "Evicted", f"The node had condition: [{' '.join(pressed)}]. "


def is_critical(pod):
    return (pod["spec"].get("priority") or 0) >= CRITICAL
