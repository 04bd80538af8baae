"""How many volumes a CSI driver can attach to a node (plugins/nodevolumelimits/csi.go)."""
from lifecycle.simulation.objects import at

from ..rejection import Rejection
from .volume_binding import class_of

NAME = "NodeVolumeLimits"
FULL = Rejection(NAME, ("node(s) exceed max volume count",), True)


def prepare(info, view):
    """{(driver, handle or claim): True} of the CSI volumes that the Pod needs, or None."""
    volumes = volumes_of(info, view.api) if info.claims else None
    return volumes or None


def volumes_of(info, api):
    """The CSI volumes of a Pod; one that is yet to be made goes by its claim's name."""
    found = {}
    for name in info.claims:
        claim = api.get("persistentvolumeclaims", info.namespace, name)
        if claim is None:
            continue
        volume = api.get("persistentvolumes", "", claim["spec"]["volumeName"]) if claim["spec"].get("volumeName") else None
        csi = at(volume, "spec", "csi")
        if csi:
            found[csi["driver"], csi["volumeHandle"]] = True
        elif volume is None and (maker := class_of(claim, api)) is not None:
            found[maker["provisioner"], f"{info.namespace}/{name}"] = True
    return found


def filter(state, info, node, view):
    """The node's CSINode says how many volumes of each driver it takes."""
    limits = _limits(view.api.get("csinodes.storage.k8s.io", "", node.name))
    if not any(driver in limits for driver, _ in state):
        return None
    there = {}
    for other in node.pods.values():
        if other.claims:
            there.update(volumes_of(other, view.api))
    for driver, limit in limits.items():
        new = sum(one not in there for one in state if one[0] == driver)
        if new and new + sum(one[0] == driver for one in there) > limit:
            return FULL
    return None


def _limits(csi_node):
    drivers = at(csi_node, "spec", "drivers", default=())
    return {driver["name"]: count for driver in drivers if (count := at(driver, "allocatable", "count")) is not None}


def detached(info, old, new, api):
    """Hint: a Pod with claims is gone."""
    return bool(old.claims)
