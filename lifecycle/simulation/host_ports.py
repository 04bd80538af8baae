"""Ports of a node that Pods ask for: which there are, and which exclude each other (component-helpers/scheduling/corev1, plugins/nodeports)."""

EVERY_ADDRESS = "0.0.0.0"
TAKEN = "node(s) didn't have free ports for the requested pod ports"


def host_ports(spec):
    """The (address, protocol, port) of every host port of a Pod spec, in order."""
    sidecars = [container for container in spec.get("initContainers") or () if container.get("restartPolicy") == "Always"]
    return tuple((port.get("hostIP") or EVERY_ADDRESS, port.get("protocol") or "TCP", port["hostPort"])
                 for container in (*spec["containers"], *sidecars) for port in container.get("ports") or () if port.get("hostPort"))


def is_taken(wanted, used):
    """Whether one of the ports in use (a set or dict of host_ports) excludes the wanted one; the address 0.0.0.0 stands for all."""
    address, protocol, port = wanted
    if address != EVERY_ADDRESS:
        return wanted in used or (EVERY_ADDRESS, protocol, port) in used
    return any(other[1:] == (protocol, port) for other in used)
