"""From a Pod to the node it goes to (pkg/scheduler/schedule_one.go schedulePod)."""
from typing import NamedTuple

from .filtering import candidates, prepared
from .node_info import NodeInfo
from .rejection import Rejection
from .scoring import scores_of, shown


class Diagnosis(NamedTuple):
    """Why no node will do. `whole` is a Rejection of the Pod before any node was looked at; `nodes` {node name: Rejection} for those looked at."""

    whole: Rejection | None
    nodes: dict

    @property
    def plugins(self):
        """The names of the plugins that rejected."""
        return sorted({rejection.plugin for rejection in self.nodes.values()} | ({self.whole.plugin} if self.whole else set()))


class Choice(NamedTuple):
    """The `node` chosen out of so many `feasible` ones, those `rejected` {node name: Rejection}, {node name: {plugin: score, "total": sum}} of the nodes
    shown (empty if there was nothing to choose), and where the next search starts."""

    node: NodeInfo
    feasible: int
    rejected: dict
    scores: dict
    start: int


def schedule(info, view, start, random):
    """The Choice of a node for a Pod, or the Diagnosis why there is none. Equal scores are decided by `random`."""
    states = prepared(info, view)
    if isinstance(states, Rejection):
        return Diagnosis(states, {})
    feasible, rejected, start = candidates(info, view, states, start)
    if not feasible:
        return Diagnosis(None, rejected)
    if len(feasible) == 1:
        return Choice(feasible[0].node, 1, rejected, {}, start)
    totals, weighted = scores_of(info, feasible, view)
    best = max(totals)
    winners = [verdict.node for verdict, total in zip(feasible, totals, strict=True) if total == best]
    node = winners[0] if len(winners) == 1 else random.choice(winners)
    return Choice(node, len(feasible), rejected, shown(feasible, totals, weighted), start)
