"""DELETE: at once, with time to finish, or when others have finished.

Sources: apiserver/pkg/registry/rest/delete.go (BeforeDelete), generic/registry/store.go (Delete, updateForGracefulDeletionAndFinalizers),
pkg/registry/core/pod/strategy.go (CheckGracefulDelete).
"""
from . import admission
from .errors import Refused, details_of, kind_conflict, not_found, success
from .marked_deletion import delete_definition, delete_namespace
from .strategies import strategy_of

ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"
POLICIES = ("Orphan", "Background", "Foreground")
SPECIAL = {"namespaces": delete_namespace, "customresourcedefinitions.apiextensions.k8s.io": delete_definition}


def delete(call):
    """Carry out a DELETE; the body of the answer."""
    options = call.request.body or {}
    _check_options(options)
    old = call.etcd.get(call.key)
    if old is None:
        raise not_found(call.resource, call.name)
    check_preconditions(call, old, options)
    admission.validate(call, "delete", None, old)
    return delete_object(call, call.key, old, options)


def delete_object(call, key, old, options):
    """Delete an object that was found; used by DELETE, by collections and by evictions."""
    special = SPECIAL.get(call.resource.qualified)
    if special and (marked := special(call, key, old)):
        return marked
    strategy = strategy_of(call.resource)
    grace, pending = _graceful(call, old, options) if strategy.graceful else (None, False)
    call.tell(key)
    if pending:
        return _answer(call, old, strategy)
    finalizers = _finalizers(strategy, old, options)
    if grace is None and not finalizers:
        return _answer(call, call.remove(key), strategy)
    marked = _marked(call, old, grace, finalizers)
    _tell_steps(call, key, marked, old, options)
    stored = marked if marked == old else call.put(key, marked, None)
    if grace == 0 and not finalizers:
        return _answer(call, call.remove(key), strategy)
    return stored


def _answer(call, last, strategy):
    """What a DELETE answers when nothing is left to wait for."""
    if strategy.returns_object:
        return last
    meta = last["metadata"]
    return success({**details_of(call.resource, meta["name"]), "uid": meta["uid"]})


# -- options ---------------------------------------------------------------------------------------------------------------
def _check_options(options):
    policy = options.get("propagationPolicy")
    if policy is not None and options.get("orphanDependents") is not None:
        raise _bad_options("orphanDependents and deletionPropagation cannot be both set", "Invalid value", policy, "FieldValueInvalid")
    if policy is not None and policy not in POLICIES:
        raise _bad_options('supported values: "Background", "Foreground", "Orphan"', "Unsupported value", policy, "FieldValueNotSupported")


def _bad_options(detail, title, value, reason):
    message = f'{title}: "{value}": {detail}'
    cause = {"reason": reason, "message": message, "field": "propagationPolicy"}
    details = {"group": "meta.k8s.io", "kind": "DeleteOptions", "causes": [cause]}
    return Refused(422, f'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: {message}', "Invalid", details)


def check_preconditions(call, old, options):
    wanted, meta = options.get("preconditions") or {}, old["metadata"]
    uid, version = wanted.get("uid"), wanted.get("resourceVersion")
    if uid is not None and uid != meta["uid"]:
        raise kind_conflict(call.resource, meta["name"], f"the UID in the precondition ({uid}) does not match the UID in record ({meta['uid']}). "
                            "The object might have been deleted and then recreated")
    if version is not None and version != meta["resourceVersion"]:
        raise kind_conflict(call.resource, meta["name"], f"the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record "
                            f"({meta['resourceVersion']}). The object might have been modified")


# -- grace -----------------------------------------------------------------------------------------------------------------
def _graceful(call, pod, options):
    """(grace in seconds, whether an earlier deletion goes on unchanged); grace None: nothing has to be marked."""
    meta, asked = pod["metadata"], options.get("gracePeriodSeconds")
    if "deletionTimestamp" not in meta:
        return _first_grace(pod, asked), False
    current = meta.get("deletionGracePeriodSeconds")
    if not current:
        return None, False
    if asked is None or max(asked, 0) >= current and asked >= 0 or asked < 0 and current <= 1:
        return current, True
    return (1 if asked < 0 else asked), False


def _first_grace(pod, asked):
    spec = pod["spec"]
    period = spec.get("terminationGracePeriodSeconds", 0) if asked is None else asked
    if not spec.get("nodeName") or pod.get("status", {}).get("phase") in ("Succeeded", "Failed"):
        period = 0
    return 1 if period < 0 else period


def _marked(call, old, grace, finalizers):
    """The object with the marks of its deletion."""
    meta = dict(old["metadata"])
    if finalizers != meta.get("finalizers", []):
        meta["finalizers"] = finalizers
        if not finalizers:
            del meta["finalizers"]
    if grace is None:
        _mark_waiting(call, meta)
    elif "deletionTimestamp" in meta:
        _mark_shorter(call, meta, grace)
    else:
        meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = call.clock.timestamp(call.clock.now + grace * 1000), grace
        _count(meta)
    return {**old, "metadata": meta}


def _mark_waiting(call, meta):
    """Kinds without grace wait for their finalizers (store.go, markAsDeleting)."""
    if "deletionGracePeriodSeconds" not in meta:
        _count(meta)
    if "deletionTimestamp" not in meta or call.clock.parse(meta["deletionTimestamp"]) > call.clock.now:
        meta["deletionTimestamp"] = call.clock.timestamp()
    meta["deletionGracePeriodSeconds"] = 0


def _mark_shorter(call, meta, grace):
    """A later DELETE moves the deadline back, but not into the past."""
    deadline = call.clock.parse(meta["deletionTimestamp"]) + (grace - meta["deletionGracePeriodSeconds"]) * 1000
    if deadline < call.clock.now:
        deadline, grace = call.clock.now, min(grace, 1)
    meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = call.clock.timestamp(deadline), grace


def _count(meta):
    if meta.get("generation"):
        meta["generation"] += 1


# -- finalizers ------------------------------------------------------------------------------------------------------------
def _finalizers(strategy, old, options):
    """The finalizers after the propagation policy had its say."""
    existing = old["metadata"].get("finalizers") or []
    policy = _policy(strategy, existing, options)
    wanted = {ORPHAN: policy == "Orphan", FOREGROUND: policy == "Foreground"}
    kept = [name for name in existing if wanted.get(name, True)]
    added = [name for name, is_wanted in wanted.items() if is_wanted and name not in kept]
    return [*kept, *added]


def _policy(strategy, existing, options):
    """An explicit policy, else what the finalizers say already, else the kind's default."""
    if options.get("orphanDependents") is not None:
        return "Orphan" if options["orphanDependents"] else "Background"
    if options.get("propagationPolicy"):
        return options["propagationPolicy"]
    for name, policy in ((ORPHAN, "Orphan"), (FOREGROUND, "Foreground")):
        if name in existing:
            return policy
    return "Orphan" if strategy.orphans_by_default else "Background"


def _tell_steps(call, key, marked, old, options):
    """What the server did to the object, for the learner."""
    meta, before = marked["metadata"], old["metadata"]
    policy = options.get("propagationPolicy")
    if meta.get("finalizers") != before.get("finalizers"):
        call.narrator.step("SetFinalizers", key, {"finalizers": meta.get("finalizers", []), "policy": policy or "default"})
    if meta["deletionTimestamp"] != before.get("deletionTimestamp") or meta["deletionGracePeriodSeconds"] != before.get("deletionGracePeriodSeconds"):
        call.narrator.step("SetDeletionTimestamp", key, {
            "grace": meta["deletionGracePeriodSeconds"], "deletionTimestamp": meta["deletionTimestamp"], "finalizers": meta.get("finalizers", [])})


# -- collections -----------------------------------------------------------------------------------------------------------
def delete_collection(call, found):
    """DELETE on a collection: every object of `found`, one after the other."""
    options = call.request.body or {}
    _check_options(options)
    call.tell(call.resource.prefix(call.namespace))
    for thing in found:
        meta = thing["metadata"]
        delete_object(call, call.resource.key(meta.get("namespace", ""), meta["name"]), thing, options)
