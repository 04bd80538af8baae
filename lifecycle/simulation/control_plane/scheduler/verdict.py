"""What one node looks like to Pods of one shape: remembered until the node changes."""
from typing import NamedTuple

from . import framework
from .node_info import NodeInfo
from .plugins import image_locality, node_affinity, node_resources, taint_toleration
from .rejection import Rejection


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
    scores = {plugin: framework.WEIGHTS[plugin] * score for plugin, score in scores.items()}
    return Verdict(node.generation, None, node, scores, sum(scores.values()), taint_toleration.score(shape, node) if node.taints else 0,
                   node_affinity.score(shape, node) if shape.preferred_nodes else 0)
