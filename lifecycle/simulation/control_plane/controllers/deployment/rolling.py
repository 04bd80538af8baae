"""The next step of a rolling update (pkg/controller/deployment/rolling.go)."""
from .fenceposts import max_surge, max_unavailable
from .replica_sets import size, total


def new_size(rollout):
    """How large the new ReplicaSet may be now: the wanted number, unless all ReplicaSets together would pass the surge."""
    present, wanted = size(rollout.new), rollout.wanted
    if present > wanted:
        return wanted
    room = wanted + max_surge(rollout.deployment) - sum(map(size, rollout.all))
    return present + max(min(room, wanted - present), 0)


def next_scale(rollout):
    """(ReplicaSet, new size) of the next change, or None: the new ReplicaSet grows first, then old ones shrink."""
    grown = new_size(rollout)
    if grown != size(rollout.new):
        return rollout.new, grown
    return next_shrink(rollout)


def _next_shrink_of_unhealthy(rollout, budget):
    """Pods that are not available anyway go first, oldest ReplicaSet first."""
    for old in rollout.old:
        unhealthy = size(old) - total([old], "availableReplicas")
        if size(old) and unhealthy > 0:
            return old, size(old) - min(budget, unhealthy)
    return None


def next_shrink(rollout):
    """(ReplicaSet, new size) of the next old one to shrink, or None: as many as may be missing, what is not available first."""
    least = rollout.wanted - max_unavailable(rollout.deployment)
    missing = size(rollout.new) - total([rollout.new], "availableReplicas")
    budget = sum(map(size, rollout.all)) - least - missing
    if budget <= 0 or not any(map(size, rollout.old)):
        return None
    return _next_shrink_of_unhealthy(rollout, budget) or _next_shrink_of_healthy(rollout, least)


def _next_shrink_of_healthy(rollout, least):
    """What is available beyond the minimum may go. A status may be older than the size: no more Pods count than were asked for."""
    spare = sum(min(total([each], "availableReplicas"), size(each)) for each in rollout.all) - least
    for old in rollout.old:
        if size(old) and spare > 0:
            return old, size(old) - min(size(old), spare)
    return None
