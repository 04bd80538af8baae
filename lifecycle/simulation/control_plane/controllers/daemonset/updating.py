"""A DaemonSet's rolling update: which old Pods go, and where new ones come first (pkg/controller/daemon/update.go)."""
from ....objects import is_deleting
from ..availability import is_available
from .daemons import is_updated
from .managing import limits


def rolled(daemons):
    """(nodes to create a Pod on, Pods to delete) of the next step of an update."""
    surge, unavailable = limits(daemons)
    return _surging(daemons, surge) if surge else ([], _replacing(daemons, unavailable))


def _on_nodes(daemons):
    """(node, its new Pod or None, its old one or None) of every node with Pods; (node, ..., ...) instead if it has several of a kind."""
    for node, pods in daemons.pods.items():
        new, old = [], []
        for pod in pods:
            if not is_deleting(pod):
                (new if is_updated(pod, daemons.daemon_set, daemons.hash) else old).append(pod)
        if len(new) > 1 or len(old) > 1:
            yield node, ..., ...
        else:
            yield node, new[0] if new else None, old[0] if old else None


def _replacing(daemons, most):
    """Old Pods that are of no use go at once, the others as long as not too many nodes are without an available Pod."""
    missing, useless, candidates = 0, [], []
    for _, new, old in _on_nodes(daemons):
        if new is ... or (new is None) == (old is None):
            missing += 1
        elif new is not None:
            missing += not is_available(new, daemons.least, daemons.clock)
        elif not is_available(old, daemons.least, daemons.clock):
            useless.append(old)
            missing += 1
        elif missing < most:
            candidates.append(old)
    return useless + candidates[:max(most - missing, 0)]


def _surging(daemons, most):
    """New Pods come beside old ones, and take their places when they are available."""
    surging = available = 0
    done, unwanted, needed, candidates = [], [], [], []
    for node, new, old in _on_nodes(daemons):
        if new is ...:
            surging += 1
            continue
        works = {id(pod): pod is not None and is_available(pod, daemons.least, daemons.clock) for pod in (new, old)}
        available += works[id(old if old is not None else new)]
        if old is None:
            continue
        if new is not None:
            surging += not works[id(new)]
            done += [old] if works[id(new)] else []
        elif not daemons.nodes.get(node, (False, False))[0]:
            (unwanted if works[id(old)] else done).append(old)
        elif not works[id(old)]:
            needed.append(node)
        elif surging < most:
            candidates.append(node)
    return needed + candidates[:max(most - surging, 0)], done + unwanted[:max(available - daemons.wanted, 0)]
