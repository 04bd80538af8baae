"""What a StatefulSet's status says (pkg/controller/statefulset/stateful_set_control.go, completeRollingUpdate)."""
from ....objects import is_deleting
from ..availability import is_available
from .identity import revision_name
from .row import is_running_and_ready, phase

ALWAYS = ("observedGeneration", "replicas", "currentRevision", "updateRevision", "collisionCount", "availableReplicas")
# A difference in anything else alone is not worth a write.
COMPARED = ("observedGeneration", "replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "currentRevision", "updateRevision", "availableReplicas")


def new_status(stateful_set, pods, current, update, collisions, clock):
    """The status; `current` and `update` are names of ControllerRevisions. When every Pod is new and ready, the update revision becomes the current one."""
    spec, least = stateful_set["spec"], stateful_set["spec"].get("minReadySeconds", 0)
    created = [pod for pod in pods if phase(pod)]
    ready = [pod for pod in created if is_running_and_ready(pod)]
    staying = [revision_name(pod) for pod in created if not is_deleting(pod)]
    updated = staying.count(update)
    complete = spec["updateStrategy"]["type"] == "RollingUpdate" and updated == len(ready) == len(created) == spec["replicas"]
    status = {
        "observedGeneration": stateful_set["metadata"]["generation"], "replicas": len(created), "readyReplicas": len(ready),
        "currentReplicas": updated if complete else staying.count(current), "updatedReplicas": updated,
        "currentRevision": update if complete else current, "updateRevision": update, "collisionCount": collisions,
        "availableReplicas": sum(is_available(pod, least, clock) for pod in ready)}
    return {name: value for name, value in status.items() if value or name in ALWAYS}


def differs(status, known):
    return any(status.get(name) != (known or {}).get(name) for name in COMPARED)
