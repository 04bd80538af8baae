"""Host ports (plugins/nodeports)."""
from ..rejection import Rejection

NAME = "NodePorts"
REJECTED = Rejection(NAME, ("node(s) didn't have free ports for the requested pod ports",), True)
EVERY = "0.0.0.0"


def filter(shape, node):
    """Every host port must be free on the node; the address 0.0.0.0 stands for all."""
    if shape.ports and node.ports and any(_taken(wanted, node.ports) for wanted in shape.ports):
        return REJECTED
    return None


def _taken(wanted, used):
    address, protocol, port = wanted
    if address != EVERY:
        return wanted in used or (EVERY, protocol, port) in used
    return any(other[1:] == (protocol, port) for other in used)


def released(info, old, new, api):
    """Hint: a Pod that had one of the ports is gone."""
    taken = dict.fromkeys(old.shape.ports)
    return any(_taken(wanted, taken) for wanted in info.shape.ports)
