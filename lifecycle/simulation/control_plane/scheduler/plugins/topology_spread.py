"""Spreading Pods over zones and hosts (plugins/podtopologyspread)."""
from math import log

from lifecycle.simulation.objects import controller_of
from lifecycle.simulation.selectors import LabelSelector, compiled
from lifecycle.simulation.tolerations import untolerated

from ..rejection import HIGHEST, Rejection
from . import node_affinity
from .selecting import selector_of, value_of

NAME = "PodTopologySpread"
MESSAGE = "node(s) didn't match pod topology spread constraints"
SKEWED = Rejection(NAME, (MESSAGE,), True)
UNLABELLED = Rejection(NAME, (f"{MESSAGE} (missing required label)",))
HOST = "kubernetes.io/hostname"
DEFAULT = ({"topologyKey": HOST, "maxSkew": 3}, {"topologyKey": "topology.kubernetes.io/zone", "maxSkew": 5})
OWNERS = {"ReplicaSet": "replicasets.apps", "ReplicationController": "replicationcontrollers", "StatefulSet": "statefulsets.apps"}


class Constraint:
    """One constraint of one Pod: `counts` is {node name: Pods that count}."""

    __slots__ = ("counts", "includes", "key", "least", "selects", "skew")

    def __init__(self, constraint, info, view, selects):
        self.key, self.skew, self.least = constraint["topologyKey"], constraint["maxSkew"], constraint.get("minDomains") or 1
        self.selects = selects
        self.counts = view.count((info.namespace,), selects, True)
        by_affinity, by_taints = constraint.get("nodeAffinityPolicy") != "Ignore", constraint.get("nodeTaintsPolicy") == "Honor"
        shape = info.shape
        self.includes = lambda node: (not by_affinity or node_affinity.matches(shape, node.node)) and (
            not by_taints or not untolerated(shape.tolerations, node.taints))

    def fewest(self, totals):
        """The Pods in the topology that has the fewest; none, while there are not as many topologies as there should be."""
        return min(totals.values()) if totals and len(totals) >= self.least else 0


def constraints_of(info, view, when):
    """The Pod's own constraints of a kind ("DoNotSchedule", "ScheduleAnyway")."""
    return [Constraint(one, info, view, selector_of(one)) for one in info.shape.spread if one["whenUnsatisfiable"] == when]


def default_constraints(info, view):
    """For a Pod without constraints of its own: spread what its Services and its owner select over hosts and zones."""
    selects = remembered_selector(info, view)
    return [Constraint(one, info, view, selects) for one in DEFAULT] if selects else []


def remembered_selector(info, view):
    """`default_selector`, looked up once for all Pods with the same labels and owner."""
    owner = controller_of(info.pod)
    key = info.namespace, owner and owner["uid"], tuple(info.labels.items())
    known = view.cache.default_selectors
    if key not in known:
        if len(known) > 4096:
            known.clear()
        known[key] = default_selector(info, view.api)
    return known[key]


_merged = {}                    # value -> LabelSelector: equal selectors are one object


def default_selector(info, api):
    """What the Services that select the Pod and its owner select together (plugins/helper/spread.go), or None."""
    requirements = {}
    for service in api.list("services", info.namespace):
        wanted = service["spec"].get("selector")
        if wanted and all(info.labels.get(key) == value for key, value in wanted.items()):
            requirements.update({(key, "In", (value,)): True for key, value in wanted.items()})
    owner = controller_of(info.pod)
    if owner and owner["kind"] in OWNERS:
        thing = api.get(OWNERS[owner["kind"]], info.namespace, owner["name"])
        requirements.update(dict.fromkeys(_requirements(thing)))
    if not requirements:
        return None
    value = tuple(requirements)
    if value not in _merged and len(_merged) > 4096:
        _merged.clear()
    return _merged.setdefault(value, LabelSelector(value))


def _requirements(owner):
    selector = owner["spec"].get("selector") if owner else None
    if not selector:
        return ()
    if owner["kind"] == "ReplicationController":
        return [(key, "In", (value,)) for key, value in selector.items()]
    return value_of(compiled(selector))


# -- filter ------------------------------------------------------------------------------------------------------------
def prepare(info, view):
    """[(constraint, {topology value: Pods}, the fewest)] for the hard constraints, or None."""
    if not info.shape.spread:
        return None
    constraints = constraints_of(info, view, "DoNotSchedule")
    if not constraints:
        return None
    totals = [{} for _ in constraints]
    for node in view.nodes:
        labels = node.labels
        if all(one.key in labels for one in constraints):
            for one, total in zip(constraints, totals, strict=True):
                if one.includes(node):
                    total[labels[one.key]] = total.get(labels[one.key], 0) + one.counts.get(node.name, 0)
    return [(one, total, one.fewest(total), one.selects(info.labels)) for one, total in zip(constraints, totals, strict=True)]


def filter(state, info, node):
    """No topology may have more than maxSkew Pods more than the one with the fewest."""
    for one, total, fewest, counts_itself in state:
        value = node.labels.get(one.key)
        if value is None:
            return UNLABELLED
        if total.get(value, 0) + counts_itself - fewest > one.skew:
            return SKEWED
    return None


# -- score -------------------------------------------------------------------------------------------------------------
def score(info, nodes, view):
    """[0..100] per node in `nodes`, higher where fewer of the Pod's like are; None if the plugin has nothing to say."""
    own = bool(info.shape.spread)
    constraints = constraints_of(info, view, "ScheduleAnyway") if own else default_constraints(info, view)
    if not constraints:
        return None
    required = [one.key for one in constraints] if own else []
    rated = nodes if not required else [node for node in nodes if all(key in node.labels for key in required)]
    raw = [0] * len(rated)
    for one in constraints:
        if view.cache.with_label.get(one.key):
            raw = _added(raw, one, rated, view, required)
    scores = _normalized(raw)
    if len(rated) == len(nodes):
        return scores
    known = {node.name: score for node, score in zip(rated, scores, strict=True)}
    return [known.get(node.name, 0) for node in nodes]


def _added(raw, one, nodes, view, required):
    """`raw` with what one constraint says: the number of Pods in each node's topology, weighted by how many topologies there are."""
    key, more = one.key, one.skew - 1
    if key == HOST:
        weight, get = log(len(nodes) + 2), one.counts.get
        if view.cache.with_label[key] == len(view.nodes):
            return [value + get(node.name, 0) * weight + more for value, node in zip(raw, nodes, strict=True)]
        return [value + get(node.name, 0) * weight + more if key in node.labels else value for value, node in zip(raw, nodes, strict=True)]
    totals = {node.labels.get(key, ""): 0 for node in nodes}
    for node in view.nodes:
        value = node.labels.get(key)
        if value in totals and one.includes(node) and all(other in node.labels for other in required):
            totals[value] += one.counts.get(node.name, 0)
    weight = log(len(totals) + 2)
    return [value + totals[node.labels[key]] * weight + more if key in node.labels else value for value, node in zip(raw, nodes, strict=True)]


def _normalized(raw):
    """Raw values, of which few differ, turned into 0..100; numbers are rounded as Go rounds them."""
    rounded = {value: int(value + 0.5) for value in dict.fromkeys(raw)}
    if not rounded:
        return []
    most, least = max(rounded.values()), min(rounded.values())
    if most == 0:
        return [HIGHEST] * len(raw)
    final = {value: HIGHEST * (most + least - number) // most for value, number in rounded.items()}
    return [final[value] for value in raw]


# -- hints -------------------------------------------------------------------------------------------------------------
def moved(info, old, new, api):
    """Hint: a Pod that one of the constraints counts came, went or got other labels."""
    pods = [pod for pod in (old, new) if pod is not None and pod.namespace == info.namespace]
    return any(selector_of(one)(pod.labels) for one in info.shape.spread for pod in pods)


def renamed(info, old, new, api):
    """Hint: a node appeared or got other topology labels."""
    keys = [one["topologyKey"] for one in info.shape.spread]
    before, after = ([((node or {}).get("metadata") or {}).get("labels", {}).get(key) for key in keys] for node in (old, new))
    return before != after
