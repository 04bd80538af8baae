"""Which Pods a ReplicaSet gives up first (pkg/controller/controller_utils.go ActivePodsWithRanks)."""
from functools import cmp_to_key
from math import log2

from ....objects import condition, is_active, is_ready

DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
PHASES = {"Pending": 0, "Unknown": 1, "Running": 2}


def victims(pods, count, related, clock):
    """The `count` Pods to delete, in order; `related` are all Pods of the same owner's ReplicaSets, by which crowded nodes are found."""
    if count >= len(pods):
        return list(pods)
    crowd = {}
    for pod in related:
        if is_active(pod):
            node = pod["spec"].get("nodeName", "")
            crowd[node] = crowd.get(node, 0) + 1
    return sorted(pods, key=cmp_to_key(lambda one, other: _compare(one, other, crowd, clock)))[:count]


def _compare(one, other, crowd, clock):
    """Negative if `one` is to go before `other`."""
    first, second = _standing(one, crowd), _standing(other, crowd)
    if first != second:
        return -1 if first < second else 1
    if is_ready(one) and is_ready(other):
        ready = [condition(pod, "Ready")["lastTransitionTime"] for pod in (one, other)]
        if ready[0] != ready[1]:
            return _compare_ages(one, other, *ready, clock)
    restarts = [_restarts(pod) for pod in (one, other)]
    if restarts[0] != restarts[1]:
        return restarts[1] - restarts[0]
    created = [pod["metadata"]["creationTimestamp"] for pod in (one, other)]
    return _compare_ages(one, other, *created, clock) if created[0] != created[1] else 0


def _standing(pod, crowd):
    """What decides before any age does: without node, not running, not ready, cheap, on a crowded node first."""
    node = pod["spec"].get("nodeName", "")
    phase = PHASES.get(pod.get("status", {}).get("phase"), 0)
    return bool(node), phase, is_ready(pod), _cost(pod), -crowd.get(node, 0)


def _cost(pod):
    try:
        return int((pod["metadata"].get("annotations") or {}).get(DELETION_COST, "0"))
    except ValueError:
        return 0


def _compare_ages(one, other, time, other_time, clock):
    """Younger first, but ages of one order of magnitude (powers of two) count as equal, and then the uid decides."""
    difference = _magnitude(clock.since(time)) - _magnitude(clock.since(other_time))
    return difference or (-1 if one["metadata"]["uid"] < other["metadata"]["uid"] else 1)


def _magnitude(age):
    return int(log2(age * 1_000_000)) if age > 0 else -1


def _restarts(pod):
    return max((status.get("restartCount", 0) for status in (pod.get("status") or {}).get("containerStatuses") or ()), default=0)
