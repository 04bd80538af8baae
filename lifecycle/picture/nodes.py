"""The cluster as a picture: nodes, what is on them, how full they are, and the Pods that are on none."""
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from ..simulation.objects import at, condition, is_terminal
from ..simulation.quantities import milli, value
from .pods import pod_view

NODES, PODS = "/registry/minions/", "/registry/pods/"
SHOWN = 40                       # Pods of a node that are drawn; the rest is counted


class Bar(NamedTuple):
    """How much of a resource the Pods of a node have asked for. `used` and `total` are as people write them."""

    used: str
    total: str
    share: float


class Node(NamedTuple):
    """`ready` is "True", "False" or "Unknown"."""

    name: str
    slug: str
    ready: str
    cordoned: bool
    address: str
    taints: list
    cpu: Bar
    memory: Bar
    pods: list
    more: int
    images: list


class Nodes(NamedTuple):
    nodes: list
    homeless: list               # Pods on no node
    more: int


def nodes_view(objects, only=None):
    """Nodes of a snapshot's objects ({key: manifest}); `only` names the nodes to draw, None for all. "" in `only` stands for the Pods on no node."""
    placed = defaultdict(list)
    for key, pod in objects.items():
        if key.startswith(PODS):
            placed[pod["spec"].get("nodeName", "")].append((key, pod))
    found = [(natural(key), node) for key, node in objects.items() if key.startswith(NODES) and (only is None or node["metadata"]["name"] in only)]
    nodes = [node_view(node, placed[node["metadata"]["name"]]) for _, node in sorted(found, key=lambda each: each[0])]
    return Nodes(nodes, [pod_view(*each) for each in placed[""][:SHOWN]], max(len(placed[""]) - SHOWN, 0))


def natural(key):
    """n2 comes before n10."""
    head = key.rstrip("0123456789")
    return head, int(key[len(head):] or 0)


def node_view(node, pods):
    name, status = node["metadata"]["name"], node.get("status", {})
    ready = condition(node, "Ready")
    counted = [pod for _, pod in pods if not is_terminal(pod)]
    images = [shortest(image["names"]) for image in status.get("images") or () if image.get("names")]
    return Node(name, slug(name), ready["status"] if ready else "Unknown", bool(node["spec"].get("unschedulable")), address(status),
                [taint_text(taint) for taint in node["spec"].get("taints") or ()], cpu_bar(status, counted), memory_bar(status, counted),
                [pod_view(*each) for each in pods[:SHOWN]], max(len(pods) - SHOWN, 0), images)


def slug(name):
    """A node's name as part of an HTML id."""
    return name.replace(".", "_")


def address(status):
    return next((each["address"] for each in status.get("addresses") or () if each["type"] == "InternalIP"), "")


def taint_text(taint):
    return f"{taint['key']}{'=' + taint['value'] if taint.get('value') else ''}:{taint['effect']}"


def shortest(names):
    return min((name for name in names if "@" not in name), key=len, default=names[0])


def requested(pod, resource, amount):
    """What the scheduler counts for a Pod's own containers: the sum of the requests, or the largest of an init container."""
    of = lambda each: amount(at(each, "resources", "requests", resource, default="0"))      # noqa: E731
    running = sum(map(of, pod["spec"].get("containers") or ()))
    return max([running, *map(of, pod["spec"].get("initContainers") or ())])


@lru_cache(4096)
def _milli(text):
    return milli(text)


@lru_cache(4096)
def _value(text):
    return value(text)


def cpu_bar(status, pods):
    total, used = _milli(at(status, "allocatable", "cpu", default="0")), sum(requested(pod, "cpu", _milli) for pod in pods)
    return Bar(f"{used}m", f"{total}m", share(used, total))


def memory_bar(status, pods):
    total, used = _value(at(status, "allocatable", "memory", default="0")), sum(requested(pod, "memory", _value) for pod in pods)
    return Bar(f"{used >> 20}Mi", f"{total >> 20}Mi", share(used, total))


def share(used, total):
    return min(used / total, 1) if total else 0
