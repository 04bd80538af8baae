"""DELETE: at once, with time to finish, or when others have finished.

Sources: apiserver/pkg/registry/rest/delete.go (BeforeDelete), generic/registry/store.go (Delete, updateForGracefulDeletionAndFinalizers),
pkg/registry/core/pod/strategy.go (CheckGracefulDelete).
"""
from ...objects import removed
from . import admission
from .delete_options import check_preconditions, options_of
from .deletion_marks import finalizers_of, graceful, marked
from .errors import details_of, not_found, success
from .marked_deletion import delete_definition, delete_namespace
from .strategies import strategy_of

SPECIAL = {"namespaces": delete_namespace, "customresourcedefinitions.apiextensions.k8s.io": delete_definition}


def delete(call):
    """Carry out a DELETE; the body of the answer."""
    options = options_of(call)
    old = call.current()
    if old is None:
        raise not_found(call.resource, call.name)
    check_preconditions(call, old, options)
    admission.validate(call, "delete", None, old)
    return delete_object(call, call.key, old, options)


def delete_object(call, key, old, options):
    """Delete an object that was found; used by DELETE, by collections and by evictions."""
    special = SPECIAL.get(call.resource.qualified)
    if special and (waiting := special(call, key, old)):
        return waiting
    strategy = strategy_of(call.resource)
    grace, pending = graceful(call, old, options) if strategy.graceful else (None, False)
    call.tell(key)
    if pending:
        return _answer(call, old, strategy)
    finalizers = finalizers_of(strategy, old, options)
    if grace is None and not finalizers:
        _let_go(call, key, old, options)
        return _answer(call, call.remove(key), strategy)
    new = marked(call, old, grace, finalizers)
    _tell_steps(call, key, new, old, options)
    stored = new if new == old else call.put(key, new, None)
    if grace == 0 and not finalizers:
        return _answer(call, call.remove(key), strategy)
    return stored


def _let_go(call, key, old, options):
    """A policy that takes back an earlier one empties the finalizers first, in a write of its own."""
    if old["metadata"].get("finalizers"):
        call.narrator.step("SetFinalizers", key, {"finalizers": [], "policy": options.get("propagationPolicy") or "default"})
        call.put(key, removed(old, "metadata", "finalizers"), None)


def _answer(call, last, strategy):
    """What a DELETE answers when nothing is left to wait for."""
    if strategy.returns_object:
        return last
    meta = last["metadata"]
    return success({**details_of(call.resource, meta["name"]), "uid": meta["uid"]})


def _tell_steps(call, key, new, old, options):
    """What the server did to the object, for the learner."""
    meta, before = new["metadata"], old["metadata"]
    policy = options.get("propagationPolicy")
    if meta.get("finalizers") != before.get("finalizers"):
        call.narrator.step("SetFinalizers", key, {"finalizers": meta.get("finalizers", []), "policy": policy or "default"})
    if meta["deletionTimestamp"] != before.get("deletionTimestamp") or meta["deletionGracePeriodSeconds"] != before.get("deletionGracePeriodSeconds"):
        call.narrator.step("SetDeletionTimestamp", key, {
            "grace": meta["deletionGracePeriodSeconds"], "deletionTimestamp": meta["deletionTimestamp"], "finalizers": meta.get("finalizers", [])})


# -- collections -----------------------------------------------------------------------------------------------------------
def delete_collection(call, found):
    """DELETE on a collection: every object of `found`, one after the other."""
    options = options_of(call)
    call.tell(call.resource.prefix(call.namespace))
    for thing in found:
        meta = thing["metadata"]
        delete_object(call, call.resource.key(meta.get("namespace", ""), meta["name"]), thing, options)
