"""How many Pods their controllers want: what percentages in a PodDisruptionBudget are taken of (pkg/controller/disruption getExpectedScale)."""
from lifecycle.simulation.objects import at, controller_of

# kind of owner -> (resource, where the number of Pods is); a ReplicaSet's Deployment speaks for it
SCALES = {
    "ReplicaSet": ("replicasets.apps", ("spec", "replicas")),
    "Deployment": ("deployments.apps", ("spec", "replicas")),
    "StatefulSet": ("statefulsets.apps", ("spec", "replicas")),
    "ReplicationController": ("replicationcontrollers", ("spec", "replicas")),
}


class ScaleNotFound(Exception):
    """A Pod's controller is of a kind that has no scale, or is gone."""


def expected_scale(pods, api):
    """(the sum of what the Pods' controllers want, the Pods without a controller). Raises ScaleNotFound."""
    wanted, unmanaged = {}, []
    for pod in pods:
        owner = controller_of(pod)
        if owner is None:
            unmanaged.append(pod)
        elif owner["uid"] not in wanted:
            wanted.update(_scale(pod, owner, api))
    return sum({uid: number for _, (uid, number) in wanted.items()}.values()), unmanaged


def _scale(pod, owner, api):
    """{the Pod's owner's uid: (uid of the one who decides, its number)}"""
    namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
    decider = owner
    if owner["kind"] == "ReplicaSet":
        thing = api.get("replicasets.apps", namespace, owner["name"])
        decider = (thing and controller_of(thing)) or owner
    if decider["kind"] not in SCALES:
        raise ScaleNotFound(f"{_plural(decider)} does not implement the scale subresource")
    qualified, path = SCALES[decider["kind"]]
    thing = api.get(qualified, namespace, decider["name"])
    if thing is None or thing["metadata"]["uid"] != decider["uid"]:
        raise ScaleNotFound(f'found no controllers for pod "{name}"')
    return {owner["uid"]: (decider["uid"], at(thing, *path, default=0))}


def _plural(owner):
    group = owner["apiVersion"].rpartition("/")[0]
    return owner["kind"].lower() + "s" + (f".{group}" if group else "")
