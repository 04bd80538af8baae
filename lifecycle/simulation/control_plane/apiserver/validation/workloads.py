"""Rules for the kinds that keep Pods running (pkg/apis/apps/validation/validation.go, ReplicationController in pkg/apis/core/validation)."""

from .... import selectors
from . import metadata, names, templates
from .errors import forbidden, invalid, not_negative, not_supported, required, shown_map, shown_selector, unchanged
from .rolling import amount_of, at_most_all, int_or_percent

MORE_THAN_ALL = "cannot be greater than status.replicas"


def deployment(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _deployment_spec(found["spec"])


def deployment_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _deployment_spec(new["spec"])
    yield from same_selector(new, old)


def same_selector(new, old):
    after, before = shown_selector(new["spec"].get("selector")), shown_selector(old["spec"].get("selector"))
    yield from unchanged("spec.selector", after, before)


def _deployment_spec(spec):
    yield from not_negative("spec.replicas", spec.get("replicas"))
    yield from templates.selector(spec.get("selector"), "spec.selector", "empty selector is invalid for deployment")
    yield from _replicated(spec)
    yield from _strategy(spec.get("strategy") or {}, "spec.strategy")
    yield from not_negative("spec.minReadySeconds", spec.get("minReadySeconds"))
    yield from not_negative("spec.revisionHistoryLimit", spec.get("revisionHistoryLimit"))
    deadline = spec.get("progressDeadlineSeconds")
    yield from not_negative("spec.progressDeadlineSeconds", deadline)
    if deadline is not None and deadline <= (spec.get("minReadySeconds") or 0):
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def _replicated(spec):
    yield from templates.matching(spec.get("selector"), spec["template"], "spec.template")
    yield from templates.template(spec["template"], "spec.template")
    yield from templates.lasting(spec["template"], "spec.template", "ReplicaSet")


def _strategy(strategy, path):
    kind, rolling = strategy.get("type") or "", strategy.get("rollingUpdate")
    if kind == "Recreate":
        if rolling is not None:
            yield forbidden(f"{path}.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
    elif kind == "RollingUpdate":
        yield from _rolling(rolling or {}, f"{path}.rollingUpdate")
    else:
        yield not_supported(path, {"Type": kind, "RollingUpdate": rolling}, ("Recreate", "RollingUpdate"))


def _rolling(rolling, path):
    unavailable, surge = rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    yield from int_or_percent(unavailable, f"{path}.maxUnavailable")
    yield from int_or_percent(surge, f"{path}.maxSurge")
    if amount_of(unavailable) == 0 and amount_of(surge) == 0:
        yield invalid(f"{path}.maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0")
    yield from at_most_all(unavailable, f"{path}.maxUnavailable")


def replica_set(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _replica_set_spec(found["spec"])


def replica_set_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _replica_set_spec(new["spec"])
    yield from same_selector(new, old)


def _replica_set_spec(spec):
    yield from not_negative("spec.replicas", spec.get("replicas"))
    yield from not_negative("spec.minReadySeconds", spec.get("minReadySeconds"))
    yield from templates.selector(spec.get("selector"), "spec.selector", "empty selector is invalid for deployment")
    yield from _replicated(spec)


def replication_controller(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _replication_controller_spec(found["spec"])


def replication_controller_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _replication_controller_spec(new["spec"])


def _replication_controller_spec(spec):
    selector = spec.get("selector") or {}
    yield from not_negative("spec.minReadySeconds", spec.get("minReadySeconds"))
    if not selector:
        yield required("spec.selector")
    yield from not_negative("spec.replicas", spec.get("replicas"))
    if selector and not selectors.matches({"matchLabels": selector}, templates.labels_of(spec["template"]) or {}):
        yield invalid("spec.template.metadata.labels", shown_map(templates.labels_of(spec["template"])), templates.NO_MATCH)
    yield from templates.template(spec["template"], "spec.template")
    yield from templates.lasting(spec["template"], "spec.template", "ReplicationController")


def replicas_status(*counts):
    """The rule for a status with `counts` of Pods: none is negative or more than all of them."""

    def rule(new, old):
        yield from metadata.object_meta_update(new["metadata"], old["metadata"])
        status = new.get("status") or {}
        for key in ("replicas", *counts):
            yield from not_negative(f"status.{key}", status.get(key))
        for key in counts:
            if (status.get(key) or 0) > (status.get("replicas") or 0):
                yield invalid(f"status.{key}", status[key], MORE_THAN_ALL)
        if "availableReplicas" in counts and (status.get("availableReplicas") or 0) > (status.get("readyReplicas") or 0):
            yield invalid("status.availableReplicas", status["availableReplicas"], "cannot be greater than readyReplicas")

    return rule
