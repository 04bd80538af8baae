"""Nodes: power, the network to the API server, what their machines run short of, their network plugin, their clocks."""
from .. import broken
from .fault import Fault


def _kubelet(cluster):
    return cluster.components["kubelet"]


def _expect_silence(cluster):
    cluster.components["node-lifecycle"].expect_silence()


def down(cluster, node):
    """The machine is off the network, and nothing on it moves."""
    _kubelet(cluster).power(node, False)
    _expect_silence(cluster)


def up(cluster, node):
    _kubelet(cluster).power(node, True)


def reboot(cluster, node):
    _kubelet(cluster).reboot(node)
    _expect_silence(cluster)


def shutdown(cluster, node):
    """The machine is told to switch off: its kubelet ends the Pods first."""
    cluster.components["node-shutdown"].begin(node)


def partition(cluster, node):
    """Nothing passes between the node and the API server any more, in either direction."""
    _kubelet(cluster).cut_off(node)
    _expect_silence(cluster)


def heal(cluster, node):
    _kubelet(cluster).rejoin(node)


def _pressure(resource, on):
    def fault(cluster, node):
        pressure = cluster.components["node-pressure"]
        (pressure.press if on else pressure.release)(node, resource)
    return fault


def _network(state):
    return lambda cluster, node: broken.write(cluster.etcd, f"network {node}", state)


def clock(cluster, node, jump):
    """The node's clock jumps, against that of all others."""
    ahead = broken.skew(cluster.etcd, node) + jump
    _set_clock(cluster, node, ahead)


def _set_clock(cluster, node, ahead):
    broken.write(cluster.etcd, f"clock {node}", ahead or None)
    _kubelet(cluster).clock_jumped(node)


FAULTS = (
    Fault("node NODE down", down, "BreakNode", "kubelet"),
    Fault("node NODE up", up, "Mend", "kubelet"),
    Fault("node NODE reboot", reboot, "RebootNode", "kubelet"),
    Fault("node NODE shutdown", shutdown, "ShutDownNode", "kubelet"),
    Fault("node NODE partition", partition, "CutOffNode", "kubelet"),
    Fault("node NODE heal", heal, "Mend", "kubelet"),
    Fault("node NODE memory-pressure on", _pressure("memory", True), "PressNode", "kubelet"),
    Fault("node NODE memory-pressure off", _pressure("memory", False), "Mend", "kubelet"),
    Fault("node NODE disk-pressure on", _pressure("ephemeral-storage", True), "PressNode", "kubelet"),
    Fault("node NODE disk-pressure off", _pressure("ephemeral-storage", False), "Mend", "kubelet"),
    Fault("node NODE pid-pressure on", _pressure("pids", True), "PressNode", "kubelet"),
    Fault("node NODE pid-pressure off", _pressure("pids", False), "Mend", "kubelet"),
    Fault("node NODE cni fail", _network("failing"), "BreakCNI", "cni"),
    Fault("node NODE cni exhausted", _network("exhausted"), "ExhaustAddresses", "cni"),
    Fault("node NODE cni mend", _network(None), "Mend", "cni"),
    Fault("node NODE clock mend", lambda cluster, node: _set_clock(cluster, node, 0), "Mend", "kubelet"),
    Fault("node NODE clock DURATION", clock, "SkewClock", "kubelet"),
)
