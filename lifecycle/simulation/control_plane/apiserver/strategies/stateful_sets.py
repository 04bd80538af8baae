"""StatefulSets: maxUnavailable is dropped, for its feature gate (MaxUnavailableStatefulSet) is off in v1.36 (pkg/registry/apps/statefulset/strategy.go)."""
from ....objects import removed


def creating(call, stateful_set):
    return _without_disabled_fields(stateful_set)


def updating(call, new, old):
    return _without_disabled_fields(new)


def _without_disabled_fields(stateful_set):
    return removed(stateful_set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable")
