"""PUT and PATCH: a new state for an object that exists."""
from . import admission, aftermath, creating, custom, metadata, patching
from .bodies import received
from .errors import bad_request, invalid, not_found
from .pod_parts import POD_PARTS, check_capacity
from .required import check_required
from .strategies import strategy_of
from .validation import validate_status_update, validate_update, warnings
from .validation.errors import INVALID, FieldError

OF_STATUS = ("status", "approval")          # subresources that change the status only


def update(call):
    """PUT: (object, created)."""
    new = received(call)
    _check_place(call, new["metadata"])
    old = call.current()
    strategy = strategy_of(call.resource)
    if old is None:
        if strategy.create_on_update and not call.request.subresource and not new["metadata"].get("uid"):
            return creating.store(call, new), True
        raise not_found(call.resource, call.name)
    if not strategy.unconditional_update and not new["metadata"].get("resourceVersion"):
        raise invalid(call.resource, call.name, [FieldError(INVALID, "metadata.resourceVersion", 0, "must be specified for an update")])
    return save(call, new, old), False


def patch(call):
    """PATCH: (object, created); only a server-side apply creates."""
    old = call.current()
    if old is None:
        if call.request.patch_type == "apply":
            return creating.store(call, patching.first_apply(call)), True
        raise not_found(call.resource, call.name)
    new = patching.patched(call, old)
    new = {**new, "metadata": new.get("metadata") or {}}
    _check_place(call, new["metadata"])
    return save(call, new, old), False


def _check_place(call, meta):
    """The body must be about the object that the URL names."""
    name, namespace = meta.get("name"), meta.get("namespace")
    if name and name != call.name:
        raise bad_request(f"the name of the object ({name}) does not match the name on the URL ({call.name})")
    if namespace and call.resource.namespaced and namespace != call.namespace:
        raise bad_request(f"the namespace of the object ({namespace}) does not match the namespace on the URL ({call.namespace})")


def save(call, new, old):
    """Put `new` in the place of `old`: everything between decoding and the answer. Nothing is written if nothing changes."""
    subresource, strategy = call.request.subresource, strategy_of(call.resource)
    new = {**new, "metadata": metadata.for_update(call, new, old)}
    if subresource in OF_STATUS:
        new = _status_only(call, strategy, new, old)
    elif subresource in POD_PARTS:
        new = _all_but_status(call, strategy, POD_PARTS[subresource](creating.completed(call, new), old), old)
        check_capacity(call, new)
    else:
        new = _all_but_status(call, strategy, admission.mutate(call, "update", creating.completed(call, new), old), old)
        check_required(call, new)
    _validate(call, new, old)
    admission.validate(call, "update", new, old)
    return commit(call, new, old)


def commit(call, new, old):
    """Write the new state, or remove the object if it waited for its last finalizer only."""
    key = call.resource.key(old["metadata"].get("namespace", ""), old["metadata"]["name"])
    call.tell(key)
    if new == old and not call.takes_over:
        return old
    admission.quota.charge(call)
    if _released(new, old):
        call.remove(key)
        return new
    aftermath.writing(call, new)
    return call.put(key, new)


def _released(new, old):
    """Whether the update empties the finalizers of an object that is being deleted (registry/generic/registry/store.go, ShouldDeleteDuringUpdate)."""
    before = old["metadata"]
    if "deletionTimestamp" not in before or before.get("deletionGracePeriodSeconds") or new["metadata"].get("finalizers"):
        return False
    return not (new.get("spec") or {}).get("finalizers") if new.get("kind") == "Namespace" else True


def _status_only(call, strategy, new, old):
    """/status changes the status and ordinary metadata."""
    meta, before = new["metadata"], old["metadata"]
    for key in strategy.keeps_under_status:
        if meta.get(key) != before.get(key):
            meta = {**meta, key: before.get(key)} if key in before else {name: value for name, value in meta.items() if name != key}
    new = {**old, "metadata": meta, "status": new.get("status") or {}}
    return strategy.updating_status(call, new, old) if strategy.updating_status else new


def _all_but_status(call, strategy, new, old):
    """The main resource changes everything but the status; a changed spec counts up the generation."""
    if "status" in old and "status" in call.resource.subresources:
        new = {**new, "status": old["status"]}
    if strategy.updating:
        new = strategy.updating(call, new, old)
    if any(_part(new, part) != _part(old, part) for part in strategy.generation):
        new = {**new, "metadata": {**new["metadata"], "generation": old["metadata"].get("generation", 0) + 1}}
    return new


def _part(thing, part):
    if part == "*":
        return {key: value for key, value in thing.items() if key not in ("metadata", "status")}
    return thing["metadata"].get(part) if part in ("labels", "annotations") else thing.get(part)


def _validate(call, new, old):
    """422 for what may not be, or may not change."""
    request, kind_key = call.request, call.resource.qualified
    if request.trusted and (request.subresource in OF_STATUS or kind_key in creating.UNCHECKED):
        return
    check = validate_status_update if request.subresource in OF_STATUS else validate_update
    errors = check(f"{kind_key}/{request.subresource}" if request.subresource in POD_PARTS else kind_key, new, old)
    schema = custom.schema_of(call.etcd, call.resource)
    if schema is not None:
        errors = [*errors, *custom.errors(schema, new, old)]
    if errors:
        raise invalid(call.resource, call.name, errors)
    if not request.trusted and not request.subresource:
        call.warnings.extend(warnings(kind_key, new, old))
