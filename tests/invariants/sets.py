"""StatefulSets, DaemonSets and Jobs: where and when they make a Pod."""
from lifecycle.simulation.objects import at, condition, controller_of, is_active, is_deleting, is_ready, is_terminal

from .run import rule, scenes
from .workloads import owned


def made(run, kind):
    """(key, Pod, its owner, the owner's other Pods) whenever a Pod of that kind of owner was created."""
    for step, world in scenes(run):
        pod = world.get(step.object) if step.reason == "EtcdCreate" and step.object.startswith("/registry/pods/") else None
        reference = pod and controller_of(pod)
        if reference and reference["kind"] == kind:
            owner = next((thing for thing in world.values() if thing["metadata"]["uid"] == reference["uid"]), None)
            if owner is not None:
                yield step.object, pod, owner, [other for other in owned(world, owner, "pods") if other is not pod]


def ordinal(pod):
    return int(pod["metadata"]["name"].rpartition("-")[2])


@rule
def a_stateful_set_goes_one_by_one(run):
    """14. (StatefulSets) A Pod comes when all before it are ready, unless they may all come at once."""
    for key, pod, stateful_set, others in made(run, "StatefulSet"):
        if stateful_set["spec"].get("podManagementPolicy") == "Parallel":
            continue
        first = at(stateful_set, "spec", "ordinals", "start", default=0)
        ready = {ordinal(other) for other in others if is_ready(other) and not is_deleting(other)}
        missing = [number for number in range(first, ordinal(pod)) if number not in ready]
        if missing:
            yield f"{key} was made before number {missing[0]} was ready"


@rule
def a_daemon_set_has_one_pod_on_a_node(run):
    """15. (DaemonSets) A node gets a Pod when it has none, unless an update may add one beside the old one."""
    for key, pod, daemon_set, others in made(run, "DaemonSet"):
        surge = at(daemon_set, "spec", "updateStrategy", "rollingUpdate", "maxSurge", default=0)
        beside = [other for other in others if target(other) == target(pod) and not (is_terminal(other) and is_deleting(other))]
        if beside and not surge:
            yield f"{key} was made beside {beside[0]['metadata']['name']}"


def target(pod):
    """The node that a DaemonSet made a Pod for."""
    terms = at(pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", default=())
    return next((field["values"][0] for term in terms for field in term.get("matchFields") or ()), None)


@rule
def a_job_makes_as_many_pods_as_may_run(run):
    """15. (Jobs) Never more active Pods than spec.parallelism, and none once the Job has ended or is suspended."""
    for key, _, job, others in made(run, "Job"):
        active = len([other for other in others if is_active(other)]) + 1
        if active > job["spec"].get("parallelism", 1):
            yield f"{key} is active Pod number {active} of {job['metadata']['name']}"
        over = [kind for kind in ("Complete", "Failed") if (condition(job, kind) or {}).get("status") == "True"]
        if over or job["spec"].get("suspend"):
            yield f"{key} was made for {job['metadata']['name']}, which is {over or 'suspended'}"
