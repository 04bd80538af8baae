"""What a deletion writes into the metadata of an object that stays for a while: grace, deadline, finalizers.

Sources: apiserver/pkg/registry/rest/delete.go (BeforeDelete), generic/registry/store.go (markAsDeleting, deletionFinalizersForGarbageCollection),
pkg/registry/core/pod/strategy.go (CheckGracefulDelete).
"""
ORPHAN, FOREGROUND = "orphan", "foregroundDeletion"


def graceful(call, pod, options):
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


def marked(call, old, grace, finalizers):
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
def finalizers_of(strategy, old, options):
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
