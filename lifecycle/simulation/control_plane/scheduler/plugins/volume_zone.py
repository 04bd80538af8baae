"""Volumes that are labelled with a zone (plugins/volumezone)."""
from ..rejection import Rejection

NAME = "VolumeZone"
ELSEWHERE = Rejection(NAME, ("node(s) had no available volume zone",))
LABELS = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region")


def prepare(info, view):
    """[(label, zones)] of the Pod's bound volumes, or None."""
    found = []
    for name in info.claims:
        claim = view.api.get("persistentvolumeclaims", info.namespace, name)
        volume = view.api.get("persistentvolumes", "", claim["spec"]["volumeName"]) if claim and claim["spec"].get("volumeName") else None
        labels = (volume or {}).get("metadata", {}).get("labels") or {}
        found += [(label, labels[label].split("__")) for label in LABELS if label in labels]
    return found or None


def filter(state, info, node, view):
    """A node in a zone can use only the volumes of that zone."""
    if any(label in node.labels and node.labels[label] not in zones for label, zones in state):
        return ELSEWHERE
    return None
