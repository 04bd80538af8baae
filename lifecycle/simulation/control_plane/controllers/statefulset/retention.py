"""Who owns the claims of a StatefulSet's Pods: that decides when they go (stateful_set_utils.go, persistentVolumeClaimRetentionPolicy)."""
from ....objects import owner_reference


def _deletes(stateful_set, when):
    return (stateful_set["spec"].get("persistentVolumeClaimRetentionPolicy") or {}).get(when) == "Delete"


def is_stale(claim, stateful_set, pod_name):
    """Whether a claim belongs to an earlier Pod of this name, and goes with it: a new Pod waits until it is gone."""
    owners = claim["metadata"].get("ownerReferences") or ()
    return _deletes(stateful_set, "whenScaled") and any(owner["kind"] == "Pod" and owner["name"] == pod_name for owner in owners)


def retained(claim, stateful_set, pod, condemned):
    """The claim with the owners that the policy wants, or the claim itself if it has them; `condemned`: the Pod is to go as the StatefulSet shrinks."""
    owners = claim["metadata"].get("ownerReferences") or []
    ours = {stateful_set["metadata"]["uid"]: stateful_set, pod["metadata"]["uid"]: pod}
    named = {("StatefulSet", stateful_set["metadata"]["name"]), ("Pod", pod["metadata"]["name"])}
    if any((owner["kind"], owner["name"]) in named and owner["uid"] not in ours for owner in owners):
        return claim
    others = [owner for owner in owners if owner["uid"] not in ours]
    wanted = [*others, *map(owner_reference, _owners(stateful_set, pod, condemned))] if not any(owner.get("controller") for owner in others) else others
    return claim if wanted == owners else {**claim, "metadata": {**claim["metadata"], "ownerReferences": wanted}}


def _owners(stateful_set, pod, condemned):
    if condemned and _deletes(stateful_set, "whenScaled"):
        return [pod]
    return [stateful_set] if _deletes(stateful_set, "whenDeleted") else []
