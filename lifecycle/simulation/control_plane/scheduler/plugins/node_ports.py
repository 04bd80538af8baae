"""Host ports (plugins/nodeports)."""
from ....host_ports import TAKEN, is_taken
from ..rejection import Rejection

NAME = "NodePorts"
REJECTED = Rejection(NAME, (TAKEN,), True)


def filter(shape, node):
    """Every host port must be free on the node; the address 0.0.0.0 stands for all."""
    if shape.ports and node.ports and any(is_taken(wanted, node.ports) for wanted in shape.ports):
        return REJECTED
    return None


def released(info, old, new, api):
    """Hint: a Pod that had one of the ports is gone."""
    taken = dict.fromkeys(old.shape.ports)
    return any(is_taken(wanted, taken) for wanted in info.shape.ports)
