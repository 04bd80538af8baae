"""The network plugin of a node: one address per Pod, from the node's own range.

Like flannel with the host-local IPAM plugin: addresses go round, the next after the last one given, and are free again after DEL. Texts: flannel
(cni-plugin/flannel.go), containernetworking/plugins (plugins/ipam/host-local).
"""
from ..broken import read
from .disk import node_space

PLUGIN = 'plugin type="flannel" failed (add): '
UNCONFIGURED = f"{PLUGIN}loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory"
NO_ADDRESS = (f"{PLUGIN}failed to delegate add: failed to allocate for range 0: no IP addresses available in range set: {{stem}}.1-{{stem}}.254")


class AddFailed(Exception):
    """CNI ADD failed: no address, no network. The text is what the plugin says."""


def connect(runtime, pod, pod_cidr, sandbox):
    """The runtime calls CNI ADD for a Pod (a PodKey): (address, ""), or (None, what the plugin says)."""
    request, facts = f"ADD {pod.namespace}/{pod.name} eth0", {**pod.facts, "sandbox": sandbox[:12]}
    try:
        address = add(runtime.etcd, pod.node, pod_cidr, sandbox)
    except AddFailed as failure:
        runtime.say("cni", "CNIAddFailed", request, pod.object, {**facts, "error": str(failure)})
        return None, str(failure)
    runtime.say("cni", "CNIAdd", request, pod.object, {**facts, "ip": address})
    return address, ""


def add(etcd, node, pod_cidr, sandbox):
    """CNI ADD: reserve an address for a sandbox, and return it. Raises AddFailed."""
    space, broken = node_space(node), read(etcd, f"network {node}")
    if broken == "failing":
        raise AddFailed(UNCONFIGURED)
    stem = pod_cidr.partition("/")[0].rpartition(".")[0]
    last = etcd.read(space, "network", 1)
    for step in range(1, 254):
        number = 2 + (last - 1 + step - 1) % 253
        address = f"{stem}.{number}"
        if broken != "exhausted" and etcd.read(space, f"address {address}") is None:
            etcd.write(space, "network", number)
            etcd.write(space, f"address {address}", sandbox)
            return address
    raise AddFailed(NO_ADDRESS.format(stem=stem))


def delete(etcd, space, address):
    """CNI DEL: idempotent."""
    if address:
        etcd.write(space, f"address {address}", None)
