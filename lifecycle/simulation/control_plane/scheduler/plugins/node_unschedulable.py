"""Cordoned nodes (plugins/nodeunschedulable)."""
from lifecycle.simulation.tolerations import covering

from ..rejection import Rejection

NAME = "NodeUnschedulable"
REJECTED = Rejection(NAME, ("node(s) were unschedulable",))
TAINT = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


def filter(shape, node):
    """No new Pods on a node with `spec.unschedulable`, but for those that tolerate the taint that goes with it."""
    if node.node["spec"].get("unschedulable") and covering(shape.tolerations, TAINT) is None:
        return REJECTED
    return None


def uncordoned(info, old, new, api):
    """Hint: a node takes Pods again."""
    return not new["spec"].get("unschedulable") and (old is None or bool(old["spec"].get("unschedulable")))
