"""The boxes of the control plane: what waits in their queues, what is stopped, and how the scheduler chose."""
from collections import Counter
from typing import NamedTuple

from ..simulation.cluster import COMPONENTS
from .actors import ACTORS, actor_name

CONTROL_PLANE = ("apiserver", "etcd", "scheduler", "controller-manager", "csi")
ON_NODES = ("kubelet", "cri", "cni", "kube-proxy")
PARTS = {actor: [component.name for component in COMPONENTS if component.actor == actor] for actor in ACTORS}
HIDDEN = ("kubectl", "recorder")


class Part(NamedTuple):
    """One loop of a box; `waiting` is the length of its work queue."""

    name: str
    waiting: int
    stopped: bool


class Box(NamedTuple):
    actor: str
    name: str
    stopped: bool
    waiting: int
    parts: list


class Placement(NamedTuple):
    """How the scheduler looked at one Pod. `nodes` are rows (node, why it is excluded or "", [score per plugin], total, chosen)."""

    pod: str
    attempt: int
    plugins: list
    nodes: list
    chosen: str


def boxes(waiting, stopped):
    """Boxes of the control plane and of the nodes' agents. `waiting` are the queue's rows [component, key, due, serial]; `stopped` names of what is stopped."""
    counts = Counter(row[0] for row in waiting)
    return [box(actor, counts, stopped) for actor in (*CONTROL_PLANE, *ON_NODES)]


def box(actor, counts, stopped):
    parts = [Part(name, counts[name], name in stopped or actor in stopped) for name in PARTS[actor] if name not in HIDDEN]
    return Box(actor, actor_name(actor), actor in stopped, sum(part.waiting for part in parts), parts)


def placement(steps):
    """The last Pod that the scheduler looked at in these messages, or None."""
    last = next((step for step in reversed(steps) if step.reason == "FilterNodes"), None)
    if last is None:
        return None
    pod = last.facts["pod"]
    after = [step for step in steps if step.seq > last.seq and step.facts.get("pod") == pod and step.source == "scheduler"]
    scores = next((step.facts["scores"] for step in after if step.reason == "ScoreNodes"), {})
    chosen = next((step.facts["node"] for step in after if step.reason == "ReserveNode"), "")
    before = [step for step in steps if step.seq < last.seq and step.reason == "TakePod" and step.facts.get("pod") == pod]
    plugins = [name for name in next(iter(scores.values()), {}) if name != "total"]
    return Placement(pod, before[-1].facts.get("attempt", 1) if before else 1, plugins,
                     list(candidates(last.facts.get("excluded", {}), scores, plugins, chosen)), chosen)


def candidates(excluded, scores, plugins, chosen):
    for node in sorted({*excluded, *scores, *([chosen] if chosen else [])}):
        of_node = scores.get(node, {})
        yield node, "; ".join(excluded.get(node, ())), [of_node.get(plugin, "") for plugin in plugins], of_node.get("total", ""), node == chosen
