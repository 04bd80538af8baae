"""What the API server gives out: cluster IPs from 10.96.0.0/16 and node ports from 30000-32767, never one twice.

The stored Services are the record of what is taken. Sources: pkg/registry/core/service/ipallocator and portallocator.
"""
from ...resources import resource
from ..etcd import Manager

NETWORK = "10.96."
SIZE = 65536
IP_ADDRESSES = "ipaddresses.networking.k8s.io"
WRITER = Manager("kube-apiserver", "Update", "", "", "networking.k8s.io/v1")
RESERVED = 256            # the lower band of the range is left to addresses that people choose
FIRST_PORT, LAST_PORT = 30000, 32767
FIXED_PORTS = 86          # likewise, 30000-30085


def _services(call):
    return call.etcd.range(resource("services").prefix())


def _addresses(call):
    return {address for service in _services(call) for address in service["spec"].get("clusterIPs") or ()}


def _node_ports(call):
    found = {port["nodePort"] for service in _services(call) for port in service["spec"].get("ports") or () if port.get("nodePort")}
    return found | {service["spec"]["healthCheckNodePort"] for service in _services(call) if service["spec"].get("healthCheckNodePort")}


def record(call, service):
    """Write down whose an address is: an IPAddress object per cluster IP (networking.k8s.io/v1)."""
    for address in _own(service):
        key = resource(IP_ADDRESSES).key("", address)
        if not call.etcd.get(key) and not call.dry_run:
            meta = service["metadata"]
            parent = {"group": "", "resource": "services", "namespace": meta["namespace"], "name": meta["name"]}
            call.put(key, {"kind": "IPAddress", "apiVersion": "networking.k8s.io/v1", "metadata": _metadata(call, address),
                           "spec": {"parentRef": parent}}, WRITER)


def _metadata(call, address):
    return {"name": address, "uid": call.server.random.uid(), "creationTimestamp": call.clock.timestamp(),
            "labels": {"ipaddress.kubernetes.io/ip-family": "IPv4", "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io"}}


def release(call, service):
    """Give the addresses of a removed Service back."""
    for address in _own(service):
        key = resource(IP_ADDRESSES).key("", address)
        if call.etcd.get(key):
            call.etcd.delete(key)
            call.narrator.written("DELETED", key, call.etcd.revision)


def _own(service):
    return [address for address in service["spec"].get("clusterIPs") or () if address != "None"]


def cluster_ip(call):
    """A free address, "10.96.141.7"."""
    taken, random = _addresses(call), call.server.random
    while True:
        number = RESERVED + random.below(SIZE - RESERVED - 1)
        address = f"{NETWORK}{number // 256}.{number % 256}"
        if address not in taken:
            return address


def problem_with_ip(call, address):
    """Why an address that was asked for cannot be given, or None."""
    parts = address.split(".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        return None                                                     # validation says it better
    if not address.startswith(NETWORK):
        return f"failed to allocate IP {address}: the provided network does not match the current range"
    if address in (f"{NETWORK}0.0", f"{NETWORK}255.255"):
        return f"failed to allocate IP {address}: the provided IP ({address}) is not in the valid range. The range of valid IPs is {NETWORK}0.0/16"
    if address in _addresses(call):
        return f"failed to allocate IP {address}: provided IP is already allocated"
    return None


def node_port(call, taken=()):
    """A free node port, apart from those in `taken`."""
    used, random = _node_ports(call) | set(taken), call.server.random
    while True:
        port = FIRST_PORT + FIXED_PORTS + random.below(LAST_PORT - FIRST_PORT - FIXED_PORTS + 1)
        if port not in used:
            return port


def problem_with_port(call, port):
    """Why a node port that was asked for cannot be given, or None."""
    if not FIRST_PORT <= port <= LAST_PORT:
        return f"provided port is not in the valid range. The range of valid ports is {FIRST_PORT}-{LAST_PORT}"
    return "provided port is already allocated" if port in _node_ports(call) else None
