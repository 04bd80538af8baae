"""ReplicaSet controller: keeps as many Pods as asked for (pkg/controller/replicaset)."""
from .controller import ReplicaSet

__all__ = ["ReplicaSet"]
