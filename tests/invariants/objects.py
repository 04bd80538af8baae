"""What holds for every object of the API, and for the volumes and endpoints that others rely on."""
from lifecycle.simulation.objects import is_deleting, is_ready
from lifecycle.simulation.storage import claims_of

from .run import causes, final, lives, rule, scenes, told


@rule
def identities_last(run):
    """4. resourceVersion strictly increases per object; uid never changes; nodeName is set at most once."""
    for life in lives(run):
        for change, before, after in life.pairs:
            old, new = before["metadata"], after["metadata"]
            if int(new["resourceVersion"]) <= int(old["resourceVersion"]):
                yield f"{told(life.key, change)}: resourceVersion {old['resourceVersion']} -> {new['resourceVersion']}"
            if old["uid"] != new["uid"] or old["creationTimestamp"] != new["creationTimestamp"]:
                yield f"{told(life.key, change)}: another object"
            node = before.get("spec", {}).get("nodeName")
            if after["kind"] == "Pod" and node and after["spec"].get("nodeName") != node:
                yield f"{told(life.key, change)}: moved from {node} to {after['spec'].get('nodeName')}"


@rule
def what_is_being_deleted_stays_so(run):
    """11. deletionTimestamp is never unset; deletionGracePeriodSeconds only decreases."""
    for life in lives(run):
        for change, before, after in life.pairs:
            old, new = before["metadata"], after["metadata"]
            if is_deleting(before) and not is_deleting(after):
                yield f"{told(life.key, change)}: deletionTimestamp is gone"
            if is_deleting(before) and (new.get("deletionGracePeriodSeconds") or 0) > (old.get("deletionGracePeriodSeconds") or 0):
                yield f"{told(life.key, change)}: grace {old.get('deletionGracePeriodSeconds')} -> {new.get('deletionGracePeriodSeconds')}"


@rule
def finalizers_hold_an_object(run):
    """12. An object with finalizers is never removed; removal happens in the write that empties them (when deletionTimestamp is set and grace 0/nil)."""
    why = causes(run)
    for life in lives(run):
        if life.removal is None:
            continue
        last = life.states[-1][1]
        if last["metadata"].get("finalizers"):
            request = why.get(life.removal.revision)
            if request and request.request.startswith(("DELETE", "POST")):
                yield f"{told(life.key, life.removal)}: removed by {request.request} with {last['metadata']['finalizers']}"
            if not is_deleting(last) or last["metadata"].get("deletionGracePeriodSeconds"):
                yield f"{told(life.key, life.removal)}: removed without having been deleted"
    for key, thing in final(run).items():
        meta = thing["metadata"]
        if is_deleting(thing) and not meta.get("finalizers") and not meta.get("deletionGracePeriodSeconds") and thing["kind"] != "Namespace":
            yield f"{key} is deleted, has no finalizers and is still there"


@rule
def a_name_is_given_away_again_only_when_it_is_free(run):
    """14. Replacement pod may exist before the old pod is gone (Deployment/RS), never for StatefulSet: of one name there is one Pod at a time."""
    there = set(run.start)
    for change in run.changes:
        if (change.type == "ADDED") == (change.key in there):
            yield f"{told(change.key, change)}: {change.type}"
        (there.discard if change.type == "DELETED" else there.add)(change.key)


@rule
def terminating_endpoints_are_not_ready(run):
    """20. Terminating endpoint never has ready=true unless publishNotReadyAddresses."""
    for step, world in scenes(run):
        is_slice = step.target == "etcd" and str(step.object).startswith("/registry/endpointslices/") and step.object in world
        if not is_slice or step.facts["by"] != "controller-manager":
            continue
        piece = world[step.object]
        service = world.get(f"/registry/services/specs/{piece['metadata']['namespace']}/{piece['metadata']['labels'].get('kubernetes.io/service-name')}")
        if service is None or service["spec"].get("publishNotReadyAddresses"):
            continue
        for endpoint in piece.get("endpoints") or ():
            yield from _wrong_endpoint(step, endpoint, world)


def _wrong_endpoint(step, endpoint, world):
    """What an endpoint says that its Pod, as it was at that moment, does not."""
    target, conditions = endpoint["targetRef"], endpoint["conditions"]
    pod = world.get(f"/registry/pods/{target['namespace']}/{target['name']}")
    if pod is None or pod["metadata"]["uid"] != target["uid"]:
        yield f"{step.object} at revision {step.revision}: there is no Pod {target['name']}"
    elif conditions["ready"] != (is_ready(pod) and not is_deleting(pod)) or conditions["terminating"] != is_deleting(pod):
        yield f"{step.object} at revision {step.revision}: {target['name']} is {conditions}"


@rule
def a_claim_in_use_stays(run):
    """21. PVC with pvc-protection isn't removed while a scheduled pod references it."""
    why = causes(run)
    for step, world in scenes(run):
        if step.reason != "EtcdDelete" or not step.object.startswith("/registry/persistentvolumeclaims/") or why[step.revision].source == "kubectl":
            continue
        namespace, name = step.object.split("/")[3:]
        for pod in [pod for key, pod in world.items() if key.startswith(f"/registry/pods/{namespace}/")]:
            if pod["spec"].get("nodeName") and name in claims_of(pod):
                yield f"{step.object} was removed under Pod {pod['metadata']['name']}"
