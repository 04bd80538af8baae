"""A machine that starts anew: its processes and the kubelet's memory are gone, what lay on the disk is still there.

Sources: containerd's recovery of its state (internal/cri/server/restart.go), pkg/kubelet/nodestatus (Rebooted), kuberuntime (computePodActions).
"""
from zlib import crc32

from .. import mishaps
from ..disk import PodKey, node_space
from .worker import NEW

BOOT = 30_000                                # ms from the loss of power until the kubelet runs again
FORGOTTEN = ("probes ", "pulls", "staged ", "passed ", "evicting", "shutdown")          # what a kubelet only remembers, or what is mounted
STARTED = (
    ("Normal", "Starting", "Starting kubelet."),
    ("Normal", "NodeHasSufficientMemory", "Node {node} status is now: NodeHasSufficientMemory"),
    ("Normal", "NodeHasNoDiskPressure", "Node {node} status is now: NodeHasNoDiskPressure"),
    ("Normal", "NodeHasSufficientPID", "Node {node} status is now: NodeHasSufficientPID"),
    ("Normal", "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods"),
    ("Warning", "Rebooted", "Node {node} has been rebooted, boot id: {boot}"),
)


def recover(kubelet, node, since):
    """What the runtime and the new kubelet find on the disk; the power failed at `since` (ms)."""
    space = node_space(node)
    for what, record in list(kubelet.etcd.disk(space).items()):
        if what.startswith("pod "):
            mishaps.recover(kubelet.runtime, PodKey.parse(record["key"]), since)
            if record["work"] == "sync":
                kubelet.etcd.write(space, what, {**NEW, "key": record["key"], "since": kubelet.clock.now})
        elif what.startswith(FORGOTTEN):
            kubelet.etcd.write(space, what, None)


def boot_id(node, at):
    """The id of the start of a machine at a time (ms): the same for the same start."""
    parts = [f"{crc32(f'{node}/{at}/{part}'.encode()):08x}" for part in range(4)]
    return f"{parts[0]}-{parts[1][:4]}-4{parts[1][5:]}-a{parts[2][:3]}-{parts[2][4:]}{parts[3]}"


def events(node, boot):
    """(type, reason, message) of what a kubelet says when it starts on a machine with a new boot id."""
    for kind, reason, message in STARTED:
        yield kind, reason, message.format(node=node, boot=boot)
