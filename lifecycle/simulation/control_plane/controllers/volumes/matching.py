"""Which PersistentVolume a claim gets: pure functions (component-helpers/storage/volume, pkg/controller/volume/persistentvolume/index.go)."""
from ....objects import at, is_deleting
from ....quantities import value
from ....selectors import matches

RETAINED = ("Released", "Failed")


def requested(claim):
    """Bytes that the claim asks for."""
    return value(at(claim, "spec", "resources", "requests", "storage", default="0"))


def capacity(volume):
    """Bytes of the volume."""
    return value(at(volume, "spec", "capacity", "storage", default="0"))


def is_for(volume, claim):
    """Whether the volume's claimRef names this claim; one without a uid was written by hand and fits any claim of that name."""
    reference = volume["spec"].get("claimRef")
    meta = claim["metadata"]
    named = bool(reference) and (reference.get("namespace"), reference.get("name")) == (meta["namespace"], meta["name"])
    return named and reference.get("uid", "") in ("", meta["uid"])


def fits(volume, claim):
    """Whether a free volume would do: class, access modes, mode, size, selector."""
    spec, wanted = volume["spec"], claim["spec"]
    return (not is_deleting(volume) and (volume.get("status") or {}).get("phase") not in RETAINED
            and spec.get("storageClassName", "") == wanted.get("storageClassName", "")
            and set(wanted.get("accessModes") or ()) <= set(spec.get("accessModes") or ())
            and spec.get("volumeMode", "Filesystem") == wanted.get("volumeMode", "Filesystem")
            and capacity(volume) >= requested(claim)
            and matches(wanted.get("selector") or {}, volume["metadata"].get("labels") or {}))


def best_match(volumes, claim, only_prebound=False):
    """The volume meant for this claim, else the smallest free one that fits, else None."""
    for volume in volumes:
        if is_for(volume, claim):
            return volume
    free = [] if only_prebound else [volume for volume in volumes if not volume["spec"].get("claimRef") and fits(volume, claim)]
    return min(free, key=lambda volume: (capacity(volume), volume["metadata"]["name"]), default=None)
