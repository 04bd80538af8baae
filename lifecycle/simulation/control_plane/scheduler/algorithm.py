"""From a Pod to the node it goes to: filter, score, choose (pkg/scheduler/schedule_one.go)."""
from itertools import chain, islice
from operator import add
from typing import NamedTuple

from . import framework
from .node_info import NodeInfo
from .plugins import image_locality, inter_pod_affinity, node_affinity, node_resources, taint_toleration, topology_spread
from .rejection import HIGHEST, Rejection
from .view import Trial

LEAST_FEASIBLE = 100           # so many feasible nodes are looked for at least
SHOWN = 10                     # scores of so many nodes at most are put into a message


class Verdict(NamedTuple):
    """What is remembered about a shape and a node of some generation: `rejection` or None; `scores` {plugin: weighted score} of the plugins that look
    at this node alone and `total` their sum; `taints` and `affinity` are raw scores that have yet to be normalized over the feasible nodes."""

    generation: int
    rejection: Rejection | None
    node: NodeInfo
    scores: dict
    total: int
    taints: int
    affinity: int


class Diagnosis(NamedTuple):
    """Why no node will do. `whole` is a Rejection of the Pod before any node was looked at; `nodes` {node name: Rejection} for those looked at."""

    whole: Rejection | None
    nodes: dict

    @property
    def plugins(self):
        """The names of the plugins that rejected."""
        return sorted({rejection.plugin for rejection in self.nodes.values()} | ({self.whole.plugin} if self.whole else set()))


class Choice(NamedTuple):
    """The `node` chosen out of so many `feasible` ones, those `rejected` {node name: Rejection}, and {node name: {plugin: score, "total": sum}} of those shown (empty if there was nothing to choose)."""

    node: NodeInfo
    feasible: int
    rejected: dict
    scores: dict
    start: int


# -- filter ------------------------------------------------------------------------------------------------------------
def judge(shape, node, image_spread):
    """The Verdict about a node, from memory if nothing has changed there."""
    verdict = shape.verdicts.get(node.name)
    if verdict is None or verdict.generation != node.generation:
        verdict = shape.verdicts[node.name] = _judged(shape, node, image_spread)
    return verdict


def _judged(shape, node, image_spread):
    for filter in framework.NODE_FILTERS:
        rejection = filter(shape, node)
        if rejection is not None:
            return Verdict(node.generation, rejection, node, {}, 0, 0, 0)
    scores = {node_resources.NAME: node_resources.least_allocated(shape, node)}
    if shape.requests.cpu or shape.requests.memory:
        scores[node_resources.BALANCED] = node_resources.balanced(shape, node)
    scores[image_locality.NAME] = image_locality.score(shape, node, image_spread)
    return Verdict(node.generation, None, node, scores, sum(scores.values()), taint_toleration.score(shape, node) if node.taints else 0,
                   node_affinity.score(shape, node) if shape.preferred_nodes else 0)


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


# -- score -------------------------------------------------------------------------------------------------------------
def scores_of(info, verdicts, view):
    """([total per node], {plugin: [weighted score per node]} of the plugins that compare nodes); a plugin's list is one number if it is the same for all."""
    nodes = [verdict.node for verdict in verdicts]
    compared = {taint_toleration.NAME: HIGHEST}
    if view.cache.with_soft_taint:
        compared[taint_toleration.NAME] = _normalized([verdict.taints for verdict in verdicts], True)
    if info.shape.preferred_nodes:
        compared[node_affinity.NAME] = _normalized([verdict.affinity for verdict in verdicts], False)
    compared[topology_spread.NAME] = topology_spread.score(info, nodes, view)
    if info.shape.has_affinity or view.groups:
        compared[inter_pod_affinity.NAME] = inter_pod_affinity.score(info, nodes, view)
    totals, weighted = [verdict.total for verdict in verdicts], {}
    for plugin, scores in compared.items():
        if scores is None:
            continue
        weight = framework.WEIGHTS[plugin]
        if isinstance(scores, int):
            weighted[plugin] = weight * scores
        else:
            weighted[plugin] = scores = [weight * score for score in scores]
            totals = list(map(add, totals, scores))
    return totals, weighted


def _normalized(raw, reverse):
    """Raw scores brought to 0..100 by the highest of them (plugins/helper/normalize_score.go)."""
    most = max(raw)
    if most == 0:
        return HIGHEST if reverse else 0
    return [HIGHEST - HIGHEST * score // most if reverse else HIGHEST * score // most for score in raw]


def _shown(verdicts, totals, weighted):
    """{node name: {plugin: weighted score, "total": sum}}: of all nodes, or of the best ones where there are many."""
    numbers = range(len(verdicts)) if len(verdicts) <= SHOWN else _best(totals)
    same = {plugin: score for plugin, score in weighted.items() if isinstance(score, int)}
    shown = {}
    for number in numbers:
        scores = {**verdicts[number].scores, **{plugin: score if plugin in same else score[number] for plugin, score in weighted.items()}}
        shown[verdicts[number].node.name] = {**scores, "total": sum(scores.values())}
    return shown


def _best(totals):
    """The places of about `SHOWN` // 2 of the highest totals."""
    numbers = []
    for total in sorted(dict.fromkeys(totals), reverse=True):
        numbers += [number for number, other in enumerate(totals) if other == total][:SHOWN // 2 - len(numbers)]
        if len(numbers) == SHOWN // 2:
            break
    return numbers


# -- choose ------------------------------------------------------------------------------------------------------------
def schedule(info, view, start, random):
    """The Choice of a node for a Pod, or the Diagnosis why there is none. Equal scores are decided by `random`."""
    states = prepared(info, view)
    if isinstance(states, Rejection):
        return Diagnosis(states, {})
    feasible, rejected, start = _candidates(info, view, states, start)
    if not feasible:
        return Diagnosis(None, rejected)
    if len(feasible) == 1:
        return Choice(feasible[0].node, 1, rejected, {}, start)
    totals, weighted = scores_of(info, feasible, view)
    best = max(totals)
    winners = [verdict.node for verdict, total in zip(feasible, totals, strict=True) if total == best]
    node = winners[0] if len(winners) == 1 else random.choice(winners)
    return Choice(node, len(feasible), rejected, _shown(feasible, totals, weighted), start)


def _candidates(info, view, states, start):
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
