"""PersistentVolumes: the time at which the phase last changed (pkg/registry/core/persistentvolume/strategy.go)."""


def creating_volume(call, volume):
    return {**volume, "status": {"phase": "Pending", "lastPhaseTransitionTime": call.clock.timestamp()}}


def updating_volume_status(call, new, old):
    status, before = new.get("status") or {}, old.get("status") or {}
    if status.get("phase") == before.get("phase"):
        return new
    return {**new, "status": {**status, "lastPhaseTransitionTime": call.clock.timestamp()}}
