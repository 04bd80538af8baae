"""The next step of the Recreate strategy: everything old goes before anything new comes (pkg/controller/deployment/recreate.go)."""
from ....objects import is_terminal
from .replica_sets import size, total


def next_shrink(rollout):
    """(ReplicaSet, 0) of the next old one to empty, or None."""
    return next(((old, 0) for old in rollout.old if size(old)), None)


def next_growth(rollout):
    """(ReplicaSet, new size) of the new one, or None if it has its size."""
    return (rollout.new, rollout.wanted) if size(rollout.new) != rollout.wanted else None


def old_pods_run(rollout, indexes):
    """Whether a Pod of an old ReplicaSet has not ended; terminating ones count."""
    if total(rollout.old, "replicas"):
        return True
    return any(not is_terminal(pod) for old in rollout.old for pod in indexes.find("pods by owner", old["metadata"]["uid"]).values())
