"""Which Deployments a change of the store concerns (pkg/controller/deployment/deployment_controller.go)."""
from ....objects import controller_of, name_of
from ..adoption import would_adopt
from .fenceposts import is_rolling


def of_deployment(change, manager):
    """The Deployment itself, unless its controller only wrote the status."""
    writer = change.manager
    return () if writer is not None and writer.subresource == "status" and writer.name == manager else (name_of(change.object),)


def of_replica_set(change, api):
    """The owner, before and after; whoever could adopt a ReplicaSet without one."""
    owners = [controller_of(each) for each in (change.object, change.previous) if each is not None]
    namespace = change.object["metadata"]["namespace"]
    keys = dict.fromkeys(f"{namespace}/{owner['name']}" for owner in owners if owner is not None and owner["kind"] == "Deployment")
    if owners[0] is None and change.type != "DELETED":
        keys.update(dict.fromkeys(name_of(each) for each in would_adopt(api, "deployments.apps", change.object)))
    return keys


def of_pod(change, api):
    """Recreate waits for the last old Pod to go."""
    if change.type != "DELETED":
        return ()
    namespace, owner = change.object["metadata"]["namespace"], controller_of(change.object)
    replica_set = api.get("replicasets.apps", namespace, owner["name"]) if owner and owner["kind"] == "ReplicaSet" else None
    owner = controller_of(replica_set) if replica_set else None
    deployment = api.get("deployments.apps", namespace, owner["name"]) if owner else None
    return (name_of(deployment),) if deployment and not is_rolling(deployment) else ()
