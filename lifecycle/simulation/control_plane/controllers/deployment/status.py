"""What a Deployment's status says (pkg/controller/deployment/sync.go calculateStatus, progress.go)."""
from ....objects import condition
from ....timings import SECOND
from .fenceposts import max_unavailable
from .replica_sets import MAX_INT32, size, total

AVAILABLE = ("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
UNAVAILABLE = ("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
PAUSED = ("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused")
RESUMED = ("Progressing", "Unknown", "DeploymentResumed", "Deployment is resumed")


def has_deadline(deployment):
    return deployment["spec"].get("progressDeadlineSeconds", MAX_INT32) != MAX_INT32


def with_condition(conditions, kind, status, reason, message, stamp):
    """`conditions` with one of a type set; one that says the same already stays as it is, a changed one moves to the end."""
    known = next((each for each in conditions if each["type"] == kind), None)
    if known and (known["status"], known["reason"]) == (status, reason):
        return conditions
    since = known["lastTransitionTime"] if known and known["status"] == status else stamp
    new = {"type": kind, "status": status, "lastUpdateTime": stamp, "lastTransitionTime": since, "reason": reason, "message": message}
    return [*without_condition(conditions, kind), new]


def without_condition(conditions, kind):
    return [each for each in conditions if each["type"] != kind]


def conditions_of(deployment):
    return (deployment.get("status") or {}).get("conditions") or []


def calculated(rollout, stamp):
    """The counts of the ReplicaSets' statuses and the Available condition. `stamp` is the present time."""
    deployment, everyone = rollout.deployment, rollout.all
    available = total(everyone, "availableReplicas")
    counts = {"replicas": total(everyone, "replicas"), "updatedReplicas": total([rollout.new], "replicas"), "readyReplicas": total(everyone, "readyReplicas"),
              "availableReplicas": available, "unavailableReplicas": max(sum(map(size, everyone)) - available, 0)}
    collisions = (deployment.get("status") or {}).get("collisionCount")
    availability = AVAILABLE if available >= rollout.wanted - max_unavailable(deployment) else UNAVAILABLE
    return {"observedGeneration": deployment["metadata"]["generation"], **{name: number for name, number in counts.items() if number},
            "terminatingReplicas": total(everyone, "terminatingReplicas"),
            "conditions": with_condition(conditions_of(deployment), *availability, stamp),
            **({"collisionCount": collisions} if collisions else {})}


def with_progress(rollout, status, clock):
    """`status` with the Progressing condition as it stands and the ReplicaSets' failures."""
    conditions = status["conditions"]
    if not has_deadline(rollout.deployment):
        conditions = without_condition(conditions, "Progressing")
    elif not _was_complete(rollout, status):
        conditions = _progress(rollout, status, conditions, clock)
    failure = next((failed for each in [rollout.new, *rollout.old] if each for failed in [condition(each, "ReplicaFailure")] if failed), None)
    if failure:
        conditions = with_condition(conditions, "ReplicaFailure", failure["status"], failure["reason"], failure["message"], failure["lastTransitionTime"])
    else:
        conditions = without_condition(conditions, "ReplicaFailure")
    return {**status, "conditions": conditions}


def _was_complete(rollout, status):
    """A rollout that has succeeded once is not watched again: its Pods may crash without being a failed rollout."""
    known = condition(rollout.deployment, "Progressing")
    return known is not None and known["reason"] == "NewReplicaSetAvailable" and status.get("replicas", 0) == status.get("updatedReplicas", 0)


def is_complete(deployment, status):
    """Everything is new, all of it is there and available, and nothing changed meanwhile."""
    numbers = {status.get(name, 0) for name in ("updatedReplicas", "replicas", "availableReplicas")}
    return numbers == {deployment["spec"]["replicas"]} and status.get("observedGeneration", 0) >= deployment["metadata"]["generation"]


def _progress(rollout, status, conditions, clock):
    deployment, stamp = rollout.deployment, clock.timestamp()
    subject = f'ReplicaSet "{rollout.new["metadata"]["name"]}"' if rollout.new else f'Deployment "{deployment["metadata"]["name"]}"'
    if is_complete(deployment, status):
        return with_condition(conditions, "Progressing", "True", "NewReplicaSetAvailable", f"{subject} has successfully progressed.", stamp)
    if _has_progressed(deployment.get("status") or {}, status):
        known = next((each for each in conditions if each["type"] == "Progressing" and each["status"] == "True"), None)
        fresh = {"type": "Progressing", "status": "True", "lastUpdateTime": stamp, "lastTransitionTime": known["lastTransitionTime"] if known else stamp,
                 "reason": "ReplicaSetUpdated", "message": f"{subject} is progressing."}
        return [*without_condition(conditions, "Progressing"), fresh]
    if _has_timed_out(deployment, conditions, clock):
        return with_condition(conditions, "Progressing", "False", "ProgressDeadlineExceeded", f"{subject} has timed out progressing.", stamp)
    return conditions


def _has_progressed(before, after):
    """More new Pods, fewer old ones, more ready or more available ones."""
    def number(status, name):
        return status.get(name, 0)

    def old(status):
        return number(status, "replicas") - number(status, "updatedReplicas")

    return old(after) < old(before) or any(number(after, name) > number(before, name) for name in ("updatedReplicas", "readyReplicas", "availableReplicas"))


def _has_timed_out(deployment, conditions, clock):
    known = next((each for each in conditions if each["type"] == "Progressing"), None)
    if known is None or known["reason"] == "NewReplicaSetAvailable":
        return False
    return known["reason"] == "ProgressDeadlineExceeded" or clock.since(known["lastUpdateTime"]) > deployment["spec"]["progressDeadlineSeconds"] * SECOND


def next_deadline(deployment, clock):
    """In how many virtual ms to look whether the rollout still progresses, or None if nobody waits for it, as while it is paused.

    A second is added, as timestamps are cut.
    """
    known = condition(deployment, "Progressing")
    if not has_deadline(deployment) or known is None or known["reason"] in ("ProgressDeadlineExceeded", "NewReplicaSetAvailable"):
        return None
    if deployment["spec"].get("paused", False):
        return None
    return max(deployment["spec"]["progressDeadlineSeconds"] * SECOND - clock.since(known["lastUpdateTime"]) + SECOND, SECOND)
