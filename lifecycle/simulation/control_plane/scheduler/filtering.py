"""Which nodes would do for a Pod (pkg/scheduler/schedule_one.go findNodesThatFitPod)."""
from itertools import chain, islice

from . import framework
from .plugins import node_affinity
from .rejection import Rejection
from .verdict import judge
from .view import Trial

LEAST_FEASIBLE = 100           # so many feasible nodes are looked for at least


def prepared(info, view):
    """The states of the plugins that look at more than one node: [(filter, state)], or a Rejection of the Pod."""
    states = []
    if info.claims or info.shape.spread or info.shape.has_affinity or view.groups:
        for prepare, filter in framework.CLUSTER_FILTERS:
            state = prepare(info, view)
            if isinstance(state, Rejection):
                return state
            if state is not None:
                states.append((filter, state))
    return states


def rejection_of(info, verdict, states, view):
    """Why a node will not do, or None. Pods that made room there count as if they were there already."""
    node = verdict.node
    waiting = view.cache.nominated.get(node.name)
    if waiting:
        rivals = [other for key, other in waiting.items() if key != info.key and other.priority >= info.priority]
        if rivals:
            rejection = fits_with(info, node, rivals, view)
            if rejection is not None:
                return rejection
    return verdict.rejection or _looked_further(info, node, states, view)


def _looked_further(info, node, states, view):
    for filter, state in states:
        rejection = filter(state, info, node, view)
        if rejection is not None:
            return rejection
    return None


def fits_with(info, node, others, view):
    """Why a node with other Pods added will not do, or None."""
    crowded = node.copy()
    for other in others:
        crowded.add(other)
    return tried(info, crowded, view)


def tried(info, node, view):
    """Why a NodeInfo made up for a trial will not do, or None."""
    for filter in framework.NODE_FILTERS:
        rejection = filter(info.shape, node)
        if rejection is not None:
            return rejection
    trial = Trial(view, node)
    states = prepared(info, trial)
    return states if isinstance(states, Rejection) else _looked_further(info, node, states, trial)


def how_many(nodes):
    """How many feasible nodes are enough (numFeasibleNodesToFind): all below 100 nodes, a falling share of more."""
    if nodes < LEAST_FEASIBLE:
        return nodes
    return max(nodes * max(50 - nodes // 125, 5) // 100, LEAST_FEASIBLE)


def find(info, view, states, start):
    """([Verdict] of the feasible nodes, {node name: Rejection}, where the next search starts)."""
    nodes, feasible, rejected = view.nodes, [], {}
    enough, nominated, image_spread = how_many(len(nodes)), view.cache.nominated, view.cache.image_spread
    shape, verdicts = info.shape, info.shape.verdicts
    start = start % len(nodes) if nodes else 0
    for node in chain(islice(nodes, start, None), islice(nodes, start)):
        verdict = verdicts.get(node.name)
        if verdict is None or verdict.generation != node.generation:
            verdict = judge(shape, node, image_spread)
        rejection = rejection_of(info, verdict, states, view) if states or node.name in nominated else verdict.rejection
        if rejection is None:
            feasible.append(verdict)
            if len(feasible) == enough:
                break
        else:
            rejected[node.name] = rejection
    return feasible, rejected, (start + len(feasible) + len(rejected)) % len(nodes) if nodes else 0


def candidates(info, view, states, start):
    """The node where the Pod has made room, if it fits there now; else whatever the search finds."""
    image_spread = view.cache.image_spread
    nominated = (info.pod.get("status") or {}).get("nominatedNodeName")
    node = view.node(nominated) if nominated else None
    if node is not None and node.node is not None:
        verdict = judge(info.shape, node, image_spread)
        if rejection_of(info, verdict, states, view) is None:
            return [verdict], {}, start
    only = node_affinity.only_nodes(info.shape) if info.shape.node_terms is not None else None
    if only is None:
        return find(info, view, states, start)
    feasible, rejected = [], {node.name: node_affinity.ELSEWHERE for node in view.nodes if node.name not in only}
    for verdict in [judge(info.shape, node, image_spread) for node in view.nodes if node.name in only]:
        rejection = rejection_of(info, verdict, states, view)
        if rejection is None:
            feasible.append(verdict)
        else:
            rejected[verdict.node.name] = rejection
    return feasible, rejected, start
