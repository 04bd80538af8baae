"""What is broken, as those who suffer from it read it. Faults (faults/) write it, mends remove it; it is as durable as everything on the disk.

On disk, in the space "faults":
"etcd" ("read-only" or "down"), "attach" ({"seconds": what an attachment takes, None for ever}), "mount" (True), "image REFERENCE" ({"how": "missing",
"denied" or "slow", "factor"}), "registry HOST" (True), "network NODE" ("failing" or "exhausted"), "clock NODE" (ms by which its clock is ahead),
"partition NODE" ({"since", "last_renewal"}, ms), "slow COMPONENT" (factor), "deaf COMPONENT" (ms until which its watches are broken),
"probes UID" ({"pod", "failing": ["CONTAINER/KIND"]}), "hung ID" ({"pod", "container"}).
"""
FAULTS = "faults"
POWER = "power"                     # {node: {"down_since", "last_renewal"}}: nodes that are switched off
STOPPED = "stopped"                 # {component: {"at"}}
NODE_USER = "system:node:"
RENEWAL = 10_000                    # a kubelet renews its Lease so often (ms)


class Unavailable(Exception):
    """A request of a component was not carried out: there is no way to the API server, or it has no store. To be tried again later."""


def any_fault(etcd):
    """Whether anything is broken at all: quick, for those who ask often."""
    return bool(etcd.disk(FAULTS))


def read(etcd, what, default=None):
    """The value noted under a name, or `default`."""
    return etcd.read(FAULTS, what, default)


def write(etcd, what, value):
    """Note that something is broken; None mends it."""
    etcd.write(FAULTS, what, value)


def is_cut_off(etcd, node):
    """Whether the network between a node and the API server is broken."""
    return read(etcd, f"partition {node}") is not None


def is_cut_off_user(etcd, user):
    """The same for the kubelet that says it is this user; False for everybody else."""
    return user.startswith(NODE_USER) and is_cut_off(etcd, user.removeprefix(NODE_USER))


def may_fail(etcd):
    """Whether requests of components may fail for want of a way or a store."""
    return any(what == "etcd" or what.startswith("partition ") for what in etcd.disk(FAULTS))


def last_renewal(now):
    """When (ms) a kubelet that falls silent now has renewed its Lease for the last time."""
    return now - now % RENEWAL


def silences(etcd, nodes):
    """{node: ms of the last renewal of its Lease} of those `nodes` (names) whose kubelets do not report: no power, no way to the API server, or stopped."""
    found = {node: power["last_renewal"] for node, power in etcd.disk(POWER).items()}
    for what, value in etcd.disk(FAULTS).items():
        kind, _, node = what.partition(" ")
        if kind == "partition":
            found[node] = min(value["last_renewal"], found.get(node, value["last_renewal"]))
    stopped = etcd.read(STOPPED, "kubelet") or etcd.read(STOPPED, "node-status")
    if stopped:
        renewed = last_renewal(stopped["at"])
        found.update({node: min(renewed, found.get(node, renewed)) for node in nodes})
    return found


def skew(etcd, node):
    """By how many ms a node's clock is ahead of the cluster's."""
    return read(etcd, f"clock {node}", 0)
