"""Claims that only one Pod may use (plugins/volumerestrictions)."""
from ..rejection import Rejection

NAME = "VolumeRestrictions"
IN_USE = Rejection(NAME, ("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",), True)


def prepare(info, view):
    """The ReadWriteOncePod claims of the Pod, as "namespace/name", or None."""
    found = []
    for name in info.claims:
        claim = view.api.get("persistentvolumeclaims", info.namespace, name)
        if claim and "ReadWriteOncePod" in claim["spec"]["accessModes"]:
            found.append(f"{info.namespace}/{name}")
    return found or None


def filter(state, info, node, view):
    """Nobody else on any node may use such a claim."""
    users = [key for claim in state for key in view.cache.claims.get(claim) or ()]
    for key in users:
        known = view.node(view.cache.placed[key])
        if key in known.pods:
            return IN_USE
    return None


def released(info, old, new, api):
    """Hint: a Pod that used one of the claims is gone."""
    return old.namespace == info.namespace and any(claim in info.claims for claim in old.claims)
