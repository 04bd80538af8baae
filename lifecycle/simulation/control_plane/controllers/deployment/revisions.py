"""Revision numbers, and what a ReplicaSet's annotations carry (pkg/controller/deployment/util/deployment_util.go)."""
from ....objects import replaced
from .fenceposts import max_surge

PREFIX = "deployment.kubernetes.io/"
REVISION, HISTORY, DESIRED, MAXIMUM = (PREFIX + name for name in ("revision", "revision-history", "desired-replicas", "max-replicas"))
NOT_COPIED = {"kubectl.kubernetes.io/last-applied-configuration", REVISION, HISTORY, DESIRED, MAXIMUM, "deprecated.deployment.rollback.to"}
LONGEST_HISTORY = 2000         # characters


def annotation(thing, name):
    """An annotation's text, or None."""
    return (thing["metadata"].get("annotations") or {}).get(name)


def number(thing, name):
    """An annotation as a number; None if it is missing or no number."""
    try:
        return int(annotation(thing, name))
    except (TypeError, ValueError):
        return None


def next_revision(old):
    """One more than the highest revision of the old ReplicaSets."""
    return max((number(each, REVISION) or 0 for each in old), default=0) + 1


def annotated(deployment, replica_set, revision):
    """The new ReplicaSet with the Deployment's annotations and a revision not below `revision`; itself if it has them already.

    A ReplicaSet that gets a higher revision is one that was rolled back to: its former numbers are kept as history.
    """
    before = replica_set["metadata"].get("annotations") or {}
    copied = {name: text for name, text in (deployment["metadata"].get("annotations") or {}).items() if name not in NOT_COPIED}
    after = {**before, **copied}
    if annotation(replica_set, REVISION) in (None, "") or (number(replica_set, REVISION) or revision) < revision:
        after[REVISION] = str(revision)
        if before.get(REVISION):
            after[HISTORY] = _longer_history(before.get(HISTORY), before[REVISION])
    if "uid" not in replica_set["metadata"]:
        after.update(sizes(deployment))
    return replica_set if after == before else replaced(replica_set, after, "metadata", "annotations")


def _longer_history(history, revision):
    """The comma-separated history with one more revision; the oldest ones go when it gets too long."""
    numbers = [*(history.split(",") if history else ()), revision]
    while len(",".join(numbers)) > LONGEST_HISTORY:
        del numbers[0]
    return ",".join(numbers)


def sizes(deployment):
    """The annotations that tell a ReplicaSet for which size of the Deployment it was scaled last."""
    replicas = deployment["spec"]["replicas"]
    return {DESIRED: str(replicas), MAXIMUM: str(replicas + max_surge(deployment))}


def scaled(deployment, replica_set, replicas):
    """The ReplicaSet with a new size and the annotations that go with it; itself if it has both already."""
    before = replica_set["metadata"].get("annotations") or {}
    after = {**before, **sizes(deployment)}
    if after != before:
        replica_set = replaced(replica_set, after, "metadata", "annotations")
    return replica_set if replica_set["spec"]["replicas"] == replicas else replaced(replica_set, replicas, "spec", "replicas")
