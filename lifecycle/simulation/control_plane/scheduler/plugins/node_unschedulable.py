"""Cordoned nodes (plugins/nodeunschedulable)."""
from ..rejection import Rejection
from .taint_toleration import tolerates

NAME = "NodeUnschedulable"
REJECTED = Rejection(NAME, ("node(s) were unschedulable",))
TAINT = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


def filter(shape, node):
    """No new Pods on a node with `spec.unschedulable`, but for those that tolerate the taint that goes with it."""
    if node.node["spec"].get("unschedulable") and not tolerates(shape.tolerations, TAINT):
        return REJECTED
    return None


def uncordoned(info, old, new):
    """Hint: a node takes Pods again."""
    return not new["spec"].get("unschedulable") and (old is None or bool(old["spec"].get("unschedulable")))
