"""Which of the nodes that would do is best (pkg/scheduler/schedule_one.go prioritizeNodes)."""
from operator import add

from . import framework
from .plugins import inter_pod_affinity, node_affinity, taint_toleration, topology_spread
from .rejection import HIGHEST

SHOWN = 10                     # scores of so many nodes at most are put into a message


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


def shown(verdicts, totals, weighted):
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
