"""DELETE of a namespace: it turns Terminating, and goes when its spec has no finalizer left (pkg/registry/core/namespace/storage/storage.go)."""


def delete_namespace(call, key, old):
    """The marked Namespace, or None if nothing holds it and it can be removed like anything else."""
    spec, meta = old.get("spec") or {}, old["metadata"]
    if not spec.get("finalizers") and not meta.get("finalizers"):
        return None
    call.tell(key)
    if "deletionTimestamp" in meta:
        return old
    stamp = call.clock.timestamp()
    call.narrator.step("SetDeletionTimestamp", key, {"deletionTimestamp": stamp, "finalizers": spec.get("finalizers", []), "phase": "Terminating"})
    return call.put(key, {**old, "metadata": {**meta, "deletionTimestamp": stamp}, "status": {**(old.get("status") or {}), "phase": "Terminating"}})
