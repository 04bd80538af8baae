"""Old ReplicaSets beyond the history limit go, lowest revision first (pkg/controller/deployment/sync.go cleanupDeployment)."""
from ....objects import is_deleting
from .replica_sets import MAX_INT32, size
from .revisions import REVISION, number


def next_removal(rollout):
    """The next old ReplicaSet to delete, or None."""
    limit = rollout.deployment["spec"].get("revisionHistoryLimit", MAX_INT32)
    alive = [old for old in rollout.old if not is_deleting(old)]
    alive.sort(key=lambda old: number(old, REVISION) or 0)
    return next((old for old in alive[:max(len(alive) - limit, 0)] if _is_empty(old)), None)


def _is_empty(replica_set):
    status = replica_set.get("status") or {}
    return not size(replica_set) and not status.get("replicas") and status.get("observedGeneration", 0) >= replica_set["metadata"]["generation"]
