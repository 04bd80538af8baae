"""Taints and tolerations (plugins/tainttoleration)."""
from lifecycle.simulation.tolerations import covering, untolerated

from ..rejection import Rejection

NAME = "TaintToleration"
REJECTED = Rejection(NAME, ("node(s) had untolerated taint(s)",))


def filter(shape, node):
    """A taint NoSchedule or NoExecute without a toleration keeps the Pod away."""
    return REJECTED if node.taints and untolerated(shape.tolerations, node.taints) else None


def score(shape, node):
    """How many PreferNoSchedule taints the Pod does not tolerate: the fewer, the better."""
    return sum(taint["effect"] == "PreferNoSchedule" and covering(shape.tolerations, taint) is None for taint in node.taints)


def retainted(info, old, new, api):
    """Hint: a node's taints changed. A v1.36.2 scheduler tries again then, even if the node has more of them than before."""
    return old is None or (old["spec"].get("taints") or []) != (new["spec"].get("taints") or [])
