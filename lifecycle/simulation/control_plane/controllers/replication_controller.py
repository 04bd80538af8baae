"""ReplicationController: the ReplicaSet's older twin, kept by the same controller behind an adapter (pkg/controller/replication)."""
from ...selectors import matches
from .replicaset import ReplicaSet

_adapted = {}           # id(ReplicationController) -> (itself, as a ReplicaSet); keeps it alive, so that its id stays its own


def as_replica_set(controller):
    """The ReplicationController with its selector written as a ReplicaSet's."""
    known = _adapted.get(id(controller))
    if known is None:
        if len(_adapted) > 1024:
            _adapted.clear()
        selector = {"matchLabels": controller["spec"]["selector"]}
        known = _adapted[id(controller)] = (controller, {**controller, "spec": {**controller["spec"], "selector": selector}})
    return known[1]


class ReplicationController(ReplicaSet):
    """Looks at each ReplicationController as at a ReplicaSet; its status knows nothing of terminating Pods."""

    name = "replicationcontroller"
    user = "system:serviceaccount:kube-system:replication-controller"
    event_source = {"component": "replication-controller"}
    kind, sets, decision = "ReplicationController", "replicationcontrollers", "ReconcileReplicationController"

    def _get(self, key):
        controller = super()._get(key)
        return controller and as_replica_set(controller)

    def _would_adopt(self, pod):
        meta = pod["metadata"]
        found = map(as_replica_set, self.api.list(self.sets, meta["namespace"]) if meta.get("labels") else ())
        return [each for each in found if matches(each["spec"]["selector"], meta["labels"])]

    @staticmethod
    def _status(replica_set, counts, failure):
        status = ReplicaSet._status(replica_set, counts, failure)
        return {name: value for name, value in status.items() if name != "terminatingReplicas"}
