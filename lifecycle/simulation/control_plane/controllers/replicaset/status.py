"""What a ReplicaSet's status says (pkg/controller/replicaset/replica_set_utils.go)."""
from ....objects import condition, set_condition
from ....pod_standing import ACTIVE, READY, TERMINATING, labels_key
from ....timings import SECOND


def count_pods(indexes, replica_set, clock):
    """{count's name: number} of the Pods that the ReplicaSet controls now; takes no longer for many Pods than for few."""
    uid = replica_set["metadata"]["uid"]

    def number(*standing):
        return indexes.count("pods by standing", (uid, *standing))

    ready = number(READY)
    return {"replicas": number(ACTIVE), "fullyLabeledReplicas": _fully_labeled(indexes, replica_set, number), "readyReplicas": ready,
            "availableReplicas": ready - len(waiting_pods(indexes, replica_set, clock)), "terminatingReplicas": number(TERMINATING)}


def _fully_labeled(indexes, replica_set, number):
    """Pods with every label of the template; only if some have other labels than the template are they looked at one by one."""
    uid, labels = replica_set["metadata"]["uid"], replica_set["spec"]["template"]["metadata"].get("labels") or {}
    alike = number(ACTIVE, labels_key(labels))
    if alike == number(ACTIVE):
        return alike
    return sum(labels.items() <= (pod["metadata"].get("labels") or {}).items() for pod in indexes.find("pods by standing", (uid, ACTIVE)).values())


def waiting_pods(indexes, replica_set, clock):
    """The ready Pods that are not available yet, because `minReadySeconds` have not passed."""
    least = replica_set["spec"].get("minReadySeconds", 0)
    if not least:
        return []
    uid = replica_set["metadata"]["uid"]
    stamps = [clock.timestamp(clock.now - ago * SECOND) for ago in range(min(least, clock.now // SECOND + 1) + 1)]
    return [pod for stamp in stamps if clock.since(stamp) <= least * SECOND for pod in indexes.find("pods by standing", (uid, READY, stamp)).values()]


def next_available(indexes, replica_set, clock):
    """In how many virtual ms the next ready Pod will count as available, or None."""
    waited = [clock.since(condition(pod, "Ready")["lastTransitionTime"]) for pod in waiting_pods(indexes, replica_set, clock)]
    return replica_set["spec"]["minReadySeconds"] * SECOND - max(waited) + 1 if waited else None


def new_status(replica_set, counts, failure):
    """The status with the given counts; `failure` is the ReplicaFailure condition to have if there is none yet, or None."""
    conditions = [each for each in replica_set.get("status", {}).get("conditions") or () if failure or each["type"] != "ReplicaFailure"]
    if failure and condition(replica_set, "ReplicaFailure") is None:
        conditions = set_condition(conditions, failure)
    status = {name: number for name, number in counts.items() if number or name in ("replicas", "terminatingReplicas")}
    return {**status, "observedGeneration": replica_set["metadata"]["generation"], **({"conditions": conditions} if conditions else {})}
