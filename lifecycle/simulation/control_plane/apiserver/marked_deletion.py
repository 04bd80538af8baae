"""DELETE of what has to be emptied first: it is marked, and goes when its controller has done its work.

Sources: pkg/core/namespace/storage/storage.go, apiextensions-apiserver/pkg/registry/customresourcedefinition/etcd.go.
"""
from ...objects import set_condition
from .custom.establishing import CLEANUP


def delete_namespace(call, key, old):
    """The Namespace, now Terminating; None if nothing holds it and it can be removed like anything else."""
    spec, meta = old.get("spec") or {}, old["metadata"]
    if not spec.get("finalizers") and not meta.get("finalizers"):
        return None
    call.tell(key)
    if "deletionTimestamp" in meta:
        return old
    stamp = call.clock.timestamp()
    call.narrator.step("SetDeletionTimestamp", key, {"deletionTimestamp": stamp, "finalizers": spec.get("finalizers", []), "phase": "Terminating"})
    return call.put(key, {**old, "metadata": {**meta, "deletionTimestamp": stamp}, "status": {**(old.get("status") or {}), "phase": "Terminating"}}, None)


def delete_definition(call, key, old):
    """The CustomResourceDefinition with the finalizer that waits for its objects; None if it was marked before and holds nothing."""
    meta = old["metadata"]
    if "deletionTimestamp" in meta and not meta.get("finalizers"):
        return None
    call.tell(key)
    if "deletionTimestamp" in meta:
        return old
    stamp, finalizers = call.clock.timestamp(), [*(meta.get("finalizers") or ()), CLEANUP]
    pending = {"type": "Terminating", "status": "True", "lastTransitionTime": stamp, "reason": "InstanceDeletionPending",
               "message": "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"}
    call.narrator.step("SetFinalizers", key, {"finalizers": finalizers})
    call.narrator.step("SetDeletionTimestamp", key, {"deletionTimestamp": stamp, "finalizers": finalizers})
    status = {**(old.get("status") or {}), "conditions": set_condition((old.get("status") or {}).get("conditions"), pending)}
    return call.put(key, {**old, "metadata": {**meta, "deletionTimestamp": stamp, "finalizers": finalizers}, "status": status}, None)
