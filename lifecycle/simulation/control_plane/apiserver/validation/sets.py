"""Rules for DaemonSets and StatefulSets, and for the revisions that both keep (pkg/apis/apps/validation/validation.go)."""

from ....objects import at
from . import metadata, names, templates
from .errors import forbidden, invalid, not_negative, not_supported, required, unchanged
from .rolling import amount_of, at_most_all, int_or_percent
from .workloads import same_selector

STATEFUL_SET_UPDATABLE = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
STATEFUL_SET_FORBIDDEN = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
    "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)


def daemon_set(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _daemon_set_spec(found["spec"])


def daemon_set_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _daemon_set_spec(new["spec"])
    yield from same_selector(new, old)


def _daemon_set_spec(spec):
    selector = spec.get("selector")
    yield from metadata.label_selector(selector, "spec.selector")
    yield from templates.matching(selector, spec["template"], "spec.template")
    if selector is not None and templates.is_empty(selector):
        yield invalid("spec.selector", {}, "empty selector is invalid for daemonset")
    yield from templates.template(spec["template"], "spec.template")
    yield from templates.lasting(spec["template"], "spec.template", "DaemonSet")
    yield from not_negative("spec.minReadySeconds", spec.get("minReadySeconds"))
    yield from _daemon_set_strategy(spec.get("updateStrategy") or {}, "spec.updateStrategy")
    yield from not_negative("spec.revisionHistoryLimit", spec.get("revisionHistoryLimit"))


def _daemon_set_strategy(strategy, path):
    kind, rolling = strategy.get("type") or "", strategy.get("rollingUpdate") or {}
    if kind == "OnDelete":
        return
    if kind != "RollingUpdate":
        yield not_supported(path, {"Type": kind, "RollingUpdate": None}, ("RollingUpdate", "OnDelete"))
        return
    here, unavailable, surge = f"{path}.rollingUpdate", rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    yield from int_or_percent(unavailable, f"{here}.maxUnavailable")
    yield from at_most_all(unavailable, f"{here}.maxUnavailable")
    yield from int_or_percent(surge, f"{here}.maxSurge")
    yield from at_most_all(surge, f"{here}.maxSurge")
    if amount_of(unavailable) and amount_of(surge):
        yield invalid(f"{here}.maxSurge", surge, "may not be set when maxUnavailable is non-zero")
    if not amount_of(unavailable) and not amount_of(surge):
        yield required(f"{here}.maxUnavailable", "cannot be 0 when maxSurge is 0")


def stateful_set(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_label)
    yield from _stateful_set_spec(found["spec"])


def stateful_set_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _stateful_set_spec(new["spec"])
    after, before = ({key: value for key, value in thing["spec"].items() if key not in STATEFUL_SET_UPDATABLE} for thing in (new, old))
    if after != before:
        yield forbidden("spec", STATEFUL_SET_FORBIDDEN)


def _stateful_set_spec(spec):
    policy = spec.get("podManagementPolicy")
    if not policy:
        yield required("spec.podManagementPolicy")
    elif policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    yield from _stateful_set_strategy(spec.get("updateStrategy") or {}, "spec.updateStrategy")
    yield from _retention(spec.get("persistentVolumeClaimRetentionPolicy") or {}, "spec.persistentVolumeClaimRetentionPolicy")
    yield from not_negative("spec.replicas", spec.get("replicas"))
    yield from not_negative("spec.minReadySeconds", spec.get("minReadySeconds"))
    yield from not_negative("spec.ordinals.start", at(spec, "ordinals", "start"))
    yield from templates.selector(spec.get("selector"), "spec.selector", "empty selector is invalid for statefulset")
    yield from templates.matching(spec.get("selector"), spec["template"], "spec.template")
    # The spec of the template is not looked at: its mounts may name volumeClaimTemplates. What is wrong there is told of the Pods.
    yield from templates.template_metadata(spec["template"], "spec.template")
    yield from templates.lasting(spec["template"], "spec.template", "StatefulSet")


def _stateful_set_strategy(strategy, path):
    kind, rolling = strategy.get("type") or "", strategy.get("rollingUpdate")
    if not kind:
        yield required(path)
    elif kind == "OnDelete":
        if rolling is not None:
            shown = {"Partition": rolling.get("partition", 0), "MaxUnavailable": rolling.get("maxUnavailable")}
            yield invalid(f"{path}.rollingUpdate", shown, "only allowed for updateStrategy 'RollingUpdate'")
    elif kind == "RollingUpdate":
        yield from not_negative(f"{path}.rollingUpdate.partition", (rolling or {}).get("partition"))
    else:
        yield invalid(path, {"Type": kind, "RollingUpdate": rolling}, "must be 'RollingUpdate' or 'OnDelete'")


def _retention(policy, path):
    for key in ("whenDeleted", "whenScaled"):
        if policy.get(key) not in ("Retain", "Delete"):
            yield not_supported(f"{path}.{key}", policy.get(key) or "", ("Retain", "Delete"))


def controller_revision(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    if found.get("data") is None:
        yield required("data", "data is mandatory")
    yield from not_negative("revision", found.get("revision"))


def controller_revision_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from controller_revision(new)
    yield from unchanged("data", new.get("data"), old.get("data"))
