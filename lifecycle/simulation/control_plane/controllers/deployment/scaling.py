"""What happens to the ReplicaSets when a Deployment's `replicas` change, or when it is paused (pkg/controller/deployment/sync.go scale)."""
from math import floor

from .fenceposts import is_rolling, max_surge
from .replica_sets import size, total
from .revisions import DESIRED, MAXIMUM, number, scaled


def is_scaling_event(rollout):
    """Whether some ReplicaSet was last scaled for another number of replicas."""
    return any(desired is not None and desired != rollout.wanted for each in rollout.active for desired in [number(each, DESIRED)])


def next_scale(rollout):
    """(ReplicaSet, new size) of the next change, or None."""
    only = _active_or_latest(rollout)
    if only:
        return (only, rollout.wanted) if size(only) != rollout.wanted else None
    if _is_saturated(rollout):
        return next(((old, 0) for old in rollout.old if size(old)), None)
    return _next_share(rollout) if is_rolling(rollout.deployment) else None


def _active_or_latest(rollout):
    """The one ReplicaSet with replicas; if there is none, the newest; if there are several, None."""
    active = rollout.active
    if len(active) > 1 or not rollout.all:
        return None
    return active[0] if active else rollout.new or rollout.old[-1]


def _is_saturated(rollout):
    new, wanted = rollout.new, rollout.wanted
    return bool(new) and size(new) == wanted == number(new, DESIRED) == total([new], "availableReplicas")


def _next_share(rollout):
    """Several ReplicaSets share a change in proportion to their sizes; what rounding leaves goes to the largest."""
    limit = rollout.wanted + max_surge(rollout.deployment) if rollout.wanted else 0
    change = limit - sum(map(size, rollout.active))
    # The newer of two equal ones grows first, the older shrinks first.
    ordered = sorted(rollout.active, key=lambda each: (each["metadata"]["creationTimestamp"], each["metadata"]["name"]), reverse=change > 0)
    ordered.sort(key=size, reverse=True)
    shares = _shares(rollout.deployment, ordered, change, limit)
    for each, share in zip(ordered, shares, strict=True):
        if scaled(rollout.deployment, each, size(each) + share) is not each:
            return each, size(each) + share
    return None


def _shares(deployment, ordered, change, limit):
    shares, given = [], 0
    for each in ordered:
        share = _fraction(deployment, each, limit) if change and change != given else 0
        share = min(share, change - given) if change > 0 else max(share, change - given)
        shares.append(share)
        given += share
    if change and shares:
        shares[0] = max(shares[0] + change - given, -size(ordered[0]))
    return shares


def _fraction(deployment, replica_set, limit):
    """How much a ReplicaSet grows if it keeps its share of the Deployment."""
    if not deployment["spec"]["replicas"]:
        return -size(replica_set)
    before = number(replica_set, MAXIMUM) or (deployment.get("status") or {}).get("replicas", 0)
    return floor(size(replica_set) * limit / before + 0.5) - size(replica_set) if before else 0
