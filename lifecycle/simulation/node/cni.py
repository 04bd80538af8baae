"""The network plugin of a node: one address per Pod, from the node's own range.

Like the host-local IPAM plugin: addresses go round, the next after the last one given, and are free again after DEL.
"""


def add(etcd, space, pod_cidr, sandbox):
    """CNI ADD: reserve an address for a sandbox; None if the range is used up. `space` is the node's disk."""
    stem = pod_cidr.partition("/")[0].rpartition(".")[0]
    last = etcd.read(space, "network", 1)
    for step in range(1, 254):
        number = 2 + (last - 1 + step - 1) % 253
        address = f"{stem}.{number}"
        if etcd.read(space, f"address {address}") is None:
            etcd.write(space, "network", number)
            etcd.write(space, f"address {address}", sandbox)
            return address
    return None


def delete(etcd, space, address):
    """CNI DEL: idempotent."""
    if address:
        etcd.write(space, f"address {address}", None)
