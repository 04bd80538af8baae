"""Controllers and scheduler: how many Pods there are, where they go, and in which order things vanish."""
from lifecycle.simulation.objects import at, controller_of, is_active, is_deleting, is_terminal
from lifecycle.simulation.quantities import NANO, parse
from lifecycle.simulation.tolerations import covering

from .run import of_kind, rule, scenes

FOREGROUND, ORPHAN = "foregroundDeletion", "orphan"
SYNC = 50                  # ms within which a controller has written all that one sync decided


def owned(world, owner, qualified):
    """The objects of a kind that an object controls."""
    return [thing for thing in of_kind(world, qualified) if at(controller_of(thing) or {}, "uid") == owner["metadata"]["uid"]]


# -- how many ------------------------------------------------------------------------------------------------------------------
@rule
def a_replica_set_counts_active_pods_only(run):
    """15. RS: |active - spec.replicas| -> 0; pods with deletionTimestamp or terminal phase aren't active."""
    for step, world in scenes(run):
        if step.reason == "ReconcileReplicaSet":
            replica_set = world[step.object]
            active, wanted = len([pod for pod in owned(world, replica_set, "pods") if is_active(pod)]), replica_set["spec"]["replicas"]
            if (step.facts["have"], step.facts["wanted"]) != (active, wanted) or step.facts["create"] - step.facts["delete"] != wanted - active:
                yield f"message {step.seq}: {step.object} has {active} of {wanted} and says {step.facts}"


@rule
def a_rolling_update_keeps_between_its_fenceposts(run):
    """16. Rolling update: sum of RS.spec.replicas <= replicas + surge; available >= replicas - unavailable unless pods fail on their own."""
    before, shared = {key: thing for key, thing in run.start.items() if thing["kind"] == "ReplicaSet"}, {}
    for step, world in scenes(run):
        if step.target != "etcd" or not str(step.object).startswith("/registry/replicasets/") or step.object not in world:
            continue
        old, new = before.get(step.object), world[step.object]
        before[step.object] = new
        deployment = _deployment_of(new, world)
        if deployment and step.facts["by"] == "controller-manager" and step.facts["for"] in ("CreateReplicaSet", "UpdateReplicaSet"):
            family = {each["metadata"]["uid"]: each for each in (*owned(world, deployment, "replicasets.apps"), *([old] if old else []))}
            if any(_is_stale(each, deployment) for each in family.values()):
                shared[deployment["metadata"]["uid"]] = step.at
            if step.at - shared.get(deployment["metadata"]["uid"], -SYNC) >= SYNC:
                yield from _outside(step, deployment, old, new, [each for each in family.values() if each["metadata"]["uid"] != new["metadata"]["uid"]])


def _deployment_of(replica_set, world):
    """The Deployment that rolls out a ReplicaSet, if it keeps to fenceposts."""
    owner = controller_of(replica_set)
    found = [each for each in of_kind(world, "deployments.apps") if owner and each["metadata"]["uid"] == owner["uid"]]
    return found[0] if found and at(found[0], "spec", "strategy", "type") == "RollingUpdate" else None


def _is_stale(replica_set, deployment):
    """Whether it was last scaled for another number of replicas: then all share the change, whatever is available."""
    desired = at(replica_set, "metadata", "annotations", "deployment.kubernetes.io/desired-replicas")
    return bool(replica_set["spec"]["replicas"]) and desired != str(deployment["spec"]["replicas"])


def _outside(step, deployment, old, new, others):
    """What is wrong with a ReplicaSet's new size."""
    most, least = fenceposts(deployment)
    size, was = new["spec"]["replicas"], old["spec"]["replicas"] if old else 0
    total = size + sum(each["spec"]["replicas"] for each in others)
    if size > was and total > most:
        yield f"{step.object} at revision {step.revision}: {total} replicas are wanted, {most} allowed"
    rest = sum(_available(each, each["spec"]["replicas"]) for each in others)
    if size < was and rest + _available(old, size) < min(least, rest + _available(old, was)):
        yield f"{step.object} at revision {step.revision}: {rest + _available(old, size)} stay available, {least} are needed"


def _available(replica_set, replicas):
    """How many available Pods a ReplicaSet keeps with so many replicas: those that are not go first."""
    return min(at(replica_set, "status", "availableReplicas", default=0), replicas)


def fenceposts(deployment):
    """(most replicas, fewest available) during a rolling update."""
    replicas, rolling = deployment["spec"]["replicas"], deployment["spec"]["strategy"]["rollingUpdate"]
    surge, unavailable = _share(rolling["maxSurge"], replicas, up=True), _share(rolling["maxUnavailable"], replicas, up=False)
    return replicas + surge, replicas - (unavailable or (0 if surge else 1))


def _share(value, whole, up):
    if isinstance(value, int):
        return value
    percent = int(value.rstrip("%")) * whole
    return -(-percent // 100) if up else percent // 100


# -- how they go ---------------------------------------------------------------------------------------------------------------
@rule
def owners_and_dependents_vanish_in_the_order_that_was_asked_for(run):
    """17. Background delete of a Deployment: DELETED(Deployment) precedes DELETED(RS) precedes DELETED(Pods). Foreground: reverse order."""
    last = {}
    for step, world in scenes(run):
        if step.facts.get("controller") == "garbage-collector" and step.reason.startswith("Delete") and step.object in world and "code" not in step.facts:
            solid = [owner["name"] for owner in world[step.object]["metadata"].get("ownerReferences") or () if _is_solid(world, owner)]
            if solid:
                yield f"message {step.seq}: {step.object} was collected, its owner {solid[0]} is still there"
        if step.reason == "EtcdDelete" and step.object in last and step.facts["by"] != "kubectl":
            yield from _left(step, last[step.object], world)
        if step.target == "etcd" and step.object in world and is_deleting(world[step.object]):
            last[step.object] = world[step.object]


def _is_solid(world, reference):
    """Whether an owner is there and does not wait for its dependents."""
    for thing in world.values():
        if thing["metadata"]["uid"] == reference["uid"]:
            return not (is_deleting(thing) and FOREGROUND in (thing["metadata"].get("finalizers") or ()))
    return False


def _left(step, gone, world):
    """Dependents that should have gone, or have been let go, before their owner."""
    finalizers = gone["metadata"].get("finalizers") or ()
    for key, thing in world.items() if FOREGROUND in finalizers or ORPHAN in finalizers else ():
        for owner in thing["metadata"].get("ownerReferences") or ():
            if owner["uid"] == gone["metadata"]["uid"] and (owner.get("blockOwnerDeletion") or ORPHAN in finalizers):
                yield f"{step.object} is gone, its dependent {key} is not"


# -- where they go -------------------------------------------------------------------------------------------------------------
@rule
def pods_go_where_they_may_go(run):
    """22. Scheduler never binds to a node whose Filter failed; requests, not usage."""
    reserved = {}
    for step, world in scenes(run):
        if step.reason == "ReserveNode":
            pod, node = world[step.object], world[f"/registry/minions/{step.facts['node']}"]
            name = node["metadata"]["name"]
            reserved[step.object] = name
            there = [other for key, other in world.items() if key.startswith("/registry/pods/") and not is_terminal(other) and key != step.object
                     and (other["spec"].get("nodeName") or reserved.get(key)) == name]
            for problem in problems(pod, node, there):
                yield f"message {step.seq}: {step.object} was to go to {name}: {problem}"
        elif step.reason == "CreatePodBinding" and step.facts["node"] != reserved.get(step.object):
            yield f"message {step.seq}: {step.object} goes to {step.facts['node']}, reserved was {reserved.get(step.object)}"
        elif step.reason == "TakePod" or step.reason == "EtcdDelete":
            reserved.pop(step.object, None)


def problems(pod, node, there):
    """Why a Pod cannot go to a node on which the Pods `there` are; only what concerns taints, nodeSelector and room."""
    for taint in node["spec"].get("taints") or ():
        if taint["effect"] != "PreferNoSchedule" and not covering(pod["spec"].get("tolerations") or (), taint):
            yield f"taint {taint['key']}"
    selector, labels = pod["spec"].get("nodeSelector") or {}, node["metadata"]["labels"]
    if any(labels.get(name) != value for name, value in selector.items()):
        yield f"nodeSelector {selector}"
    room = node["status"]["allocatable"]
    if len(there) + 1 > int(room["pods"]):
        yield "too many Pods"
    for kind in ("cpu", "memory"):
        wanted = sum(requests(each, kind) for each in (*there, pod))
        if requests(pod, kind) and wanted > parse(room[kind]).nano:
            yield f"{kind} {wanted / NANO} of {room[kind]}"


def requests(pod, kind):
    """What a Pod asks for in all, in billionths: the most that runs at one time."""
    def of(container):
        return parse(at(container, "resources", "requests", kind, default="0")).nano
    sidecars = peak = 0
    for container in pod["spec"].get("initContainers") or ():
        if container.get("restartPolicy") == "Always":
            sidecars += of(container)
            peak = max(peak, sidecars)
        else:
            peak = max(peak, sidecars + of(container))
    return max(peak, sidecars + sum(map(of, pod["spec"]["containers"])))
