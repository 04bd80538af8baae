"""Taints and tolerations (plugins/tainttoleration)."""
from ..rejection import Rejection

NAME = "TaintToleration"
REJECTED = Rejection(NAME, ("node(s) had untolerated taint(s)",))


def tolerates(tolerations, taint):
    """Whether one of the tolerations covers a taint."""
    return any(_covers(toleration, taint) for toleration in tolerations)


def _covers(toleration, taint):
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    return toleration.get("operator") == "Exists" or (bool(toleration.get("key")) and (toleration.get("value") or "") == (taint.get("value") or ""))


def untolerated(tolerations, taints):
    """The first taint that keeps a Pod away, or None."""
    for taint in taints:
        if taint["effect"] != "PreferNoSchedule" and not tolerates(tolerations, taint):
            return taint
    return None


def filter(shape, node):
    """A taint NoSchedule or NoExecute without a toleration keeps the Pod away."""
    return REJECTED if node.taints and untolerated(shape.tolerations, node.taints) else None


def score(shape, node):
    """How many PreferNoSchedule taints the Pod does not tolerate: the fewer, the better."""
    return sum(taint["effect"] == "PreferNoSchedule" and not tolerates(_preferring(shape.tolerations), taint) for taint in node.taints)


def _preferring(tolerations):
    return [toleration for toleration in tolerations if toleration.get("effect") in (None, "", "PreferNoSchedule")]


def retainted(info, old, new):
    """Hint: a node's taints changed. A v1.36.2 scheduler tries again then, even if the node has more of them than before."""
    return old is None or (old["spec"].get("taints") or []) != (new["spec"].get("taints") or [])
