"""PUT namespaces/finalize: the spec's finalizers; without any, a namespace that is being deleted goes."""
from .. import bodies, metadata, updating
from ..errors import not_found


def finalize(call):
    """Everything else in the body is ignored, as for /status."""
    new = bodies.received(call)
    old = call.etcd.get(call.key)
    if old is None:
        raise not_found(call.resource, call.name)
    changed = {**old, "metadata": metadata.for_update(call, new, old), "spec": new.get("spec") or {}}
    return 200, updating.commit(call, changed, old)
