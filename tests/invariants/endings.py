"""What is true whenever nothing is under way: the cluster has come to what was asked for, or says what hinders it."""
from lifecycle.simulation.clock import Clock
from lifecycle.simulation.objects import at, condition, controller_of, is_active, is_deleting, is_ready, is_terminal
from lifecycle.simulation.selectors import matches
from lifecycle.simulation.storage import claims_of

from .run import final, of_kind, rule
from .workloads import owned, problems

LONG_AGO = 180_000          # ms after the deadline of a deletion in which everything should have come to its end
HINDERED = ("affinity", "topologySpreadConstraints", "schedulingGates")          # what `problems` does not judge


def name_of(thing):
    return f"{thing['kind']} {thing['metadata'].get('namespace', '')}/{thing['metadata']['name']}"


def works(run, *names):
    """Whether components (by their own name, or as a process) were running at the end, and nothing was under way."""
    return run.calm and not run.stopped & {*names}


@rule
def replica_sets_have_what_they_want(run):
    """15. (in the end) As many active Pods as spec.replicas, the status says so, and the Deployment's status is the sum."""
    world = final(run)
    for replica_set in of_kind(world, "replicasets.apps") if works(run, "replicaset", "controller-manager") else ():
        pods = owned(world, replica_set, "pods")
        active, status = [pod for pod in pods if is_active(pod)], replica_set["status"]
        namespace = world.get(f"/registry/namespaces/{replica_set['metadata']['namespace']}")
        # A namespace that goes takes no new Pods, and everything else goes after its Pods.
        going = is_deleting(replica_set) or namespace is not None and is_deleting(namespace)
        hindered = going or (condition(replica_set, "ReplicaFailure") or {}).get("status") == "True"
        if len(active) != replica_set["spec"]["replicas"] and not hindered:
            yield f"{name_of(replica_set)} has {len(active)} of {replica_set['spec']['replicas']} Pods"
        ready, ending = [pod for pod in active if is_ready(pod)], [pod for pod in pods if is_deleting(pod) and not is_terminal(pod)]
        found = {"replicas": len(active), "readyReplicas": len(ready), "terminatingReplicas": len(ending)}
        told = {field: status.get(field, 0) for field in found}
        if told != found:
            yield f"{name_of(replica_set)} says {told}, there are {found}"
    for deployment in of_kind(world, "deployments.apps") if works(run, "replicaset", "deployment", "controller-manager") else ():
        sizes = [each["status"].get("replicas", 0) for each in owned(world, deployment, "replicasets.apps")]
        if at(deployment, "status", "replicas", default=0) != sum(sizes):
            yield f"{name_of(deployment)} says {at(deployment, 'status')}, its ReplicaSets have {sizes}"


@rule
def what_is_to_go_has_gone(run):
    """11. (in the end) What is being deleted is still there only if somebody holds it."""
    world = final(run)
    lost = {node["metadata"]["name"] for node in of_kind(world, "nodes") if (condition(node, "Ready") or {}).get("status") != "True"} | run.down
    for key, thing in world.items() if works(run, "controller-manager", "garbage-collector", "persistentvolume-binder", "csi") else ():
        if not is_deleting(thing) or run.end - Clock().parse(thing["metadata"]["deletionTimestamp"]) < LONG_AGO:
            continue
        kept = _kept(thing, world)
        if thing["kind"] == "Pod" and not kept and thing["spec"].get("nodeName") not in lost:
            yield f"{key} is still there: {thing['metadata']}"
        elif thing["kind"] not in ("Pod", "Node") and not kept and not lost:
            yield f"{key} is still there: {thing['metadata']} {thing.get('status')}"


def _kept(thing, world):
    """Whether there is a reason for something to stay: a finalizer that nobody takes away, or others that have to go first."""
    meta, everything = thing["metadata"], world.values()
    finalizers = meta.get("finalizers") or ()
    if any(name.startswith("example.com/") for name in finalizers):
        return True
    if "batch.kubernetes.io/job-tracking" in finalizers and (controller_of(thing) or {}).get("kind", "Job") != "Job":
        return True          # a Job's Pod that somebody else adopted: the Job controller leaves it alone
    if thing["kind"] == "Namespace":
        return any(other["metadata"].get("namespace") == meta["name"] for other in everything)
    if thing["kind"] == "CustomResourceDefinition":
        return any(other["kind"] == thing["spec"]["names"]["kind"] for other in everything)
    if thing["kind"] == "PersistentVolumeClaim":
        return any(other["kind"] == "Pod" and other["spec"].get("nodeName") and meta["name"] in claims_of(other) for other in everything)
    if thing["kind"] == "PersistentVolume":
        return any(other["kind"] == "PersistentVolumeClaim" and other["spec"].get("volumeName") == meta["name"] for other in everything)
    owners = [owner for other in everything for owner in other["metadata"].get("ownerReferences") or ()]
    return any(owner["uid"] == meta["uid"] and owner.get("blockOwnerDeletion") for owner in owners)


def _labelled(world, qualified, namespace, selector):
    """The objects of a kind in a namespace that a selector matches."""
    return [each for each in of_kind(world, qualified) if each["metadata"]["namespace"] == namespace and matches(selector, each["metadata"].get("labels"))]


@rule
def services_lead_to_the_pods_that_are_ready(run):
    """20. (in the end) The ready endpoints of a Service are the Pods that it selects and that are ready."""
    world = final(run)
    for service in of_kind(world, "services") if works(run, "endpointslice", "controller-manager") else ():
        namespace, name, selector = service["metadata"]["namespace"], service["metadata"]["name"], service["spec"].get("selector")
        if not selector or service["spec"].get("publishNotReadyAddresses") or is_deleting(service):
            continue
        pieces = _labelled(world, "endpointslices.discovery.k8s.io", namespace, {"matchLabels": {"kubernetes.io/service-name": name}})
        told = sorted(endpoint["targetRef"]["name"] for piece in pieces for endpoint in piece.get("endpoints") or () if endpoint["conditions"]["ready"])
        pods = _labelled(world, "pods", namespace, {"matchLabels": selector})
        ready = sorted(pod["metadata"]["name"] for pod in pods if is_ready(pod) and not is_deleting(pod) and not is_terminal(pod))
        if told != ready:
            yield f"{name_of(service)} leads to {told}, ready are {ready}"


@rule
def pods_that_fit_somewhere_are_there(run):
    """22. (in the end) A Pod without a node fits nowhere."""
    world = final(run)
    pods = of_kind(world, "pods")
    for pod in pods if works(run, "scheduler", "csi", "controller-manager", "persistentvolume-binder", "node-lifecycle") else ():
        if pod["spec"].get("nodeName") or is_terminal(pod) or is_deleting(pod) or any(pod["spec"].get(field) for field in HINDERED) or list(claims_of(pod)):
            continue
        for node in of_kind(world, "nodes"):
            there = [other for other in pods if other["spec"].get("nodeName") == node["metadata"]["name"] and not is_terminal(other)]
            nominated = [other for other in pods if at(other, "status", "nominatedNodeName") == node["metadata"]["name"] and other is not pod]
            if not any(at(other, "spec", "affinity") for other in there) and not list(problems(pod, node, [*there, *nominated])):
                yield f"{name_of(pod)} could go to {node['metadata']['name']}: {pod['status']}"


@rule
def nothing_outlives_its_owners(run):
    """17. (in the end) What had owners has one, or is on its way."""
    world = final(run)
    uids = {thing["metadata"]["uid"] for thing in world.values()}
    for key, thing in world.items() if works(run, "garbage-collector", "controller-manager") else ():
        owners = thing["metadata"].get("ownerReferences")
        if owners and not is_deleting(thing) and not any(owner["uid"] in uids for owner in owners):
            yield f"{key} has outlived its owners"


@rule
def budgets_count_right(run):
    """The status of a PodDisruptionBudget counts the Pods that it selects."""
    world = final(run)
    for budget in of_kind(world, "poddisruptionbudgets.policy") if works(run, "disruption", "controller-manager", "replicaset", "deployment") else ():
        pods = [pod for pod in _labelled(world, "pods", budget["metadata"]["namespace"], budget["spec"]["selector"]) if is_active(pod)]
        healthy = len([pod for pod in pods if is_ready(pod)])
        status = budget.get("status") or {}
        if (condition(budget, "DisruptionAllowed") or {}).get("reason") == "SyncFailed":
            continue
        if not is_deleting(budget) and all(controller_of(pod) for pod in pods) and status.get("currentHealthy") != healthy:
            yield f"{name_of(budget)} says {status}, healthy are {healthy}"
