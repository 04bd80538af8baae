"""Rules for PodDisruptionBudgets, HorizontalPodAutoscalers and Scales (pkg/apis/policy/validation, pkg/apis/autoscaling/validation)."""

from . import amounts, metadata, names
from .errors import forbidden, invalid, not_negative, not_supported, one_of, required
from .rolling import at_most_all, int_or_percent

EVICTION_POLICIES = ("AlwaysAllow", "IfHealthyBudget")
METRICS = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
SELECT_POLICIES = ("Disabled", "Max", "Min")
LONGEST_WINDOW, LONGEST_PERIOD = 3600, 1800  # seconds


def disruption_budget(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    spec = found.get("spec") or {}
    least, most = spec.get("minAvailable"), spec.get("maxUnavailable")
    if least is not None and most is not None:
        shown = {"MinAvailable": least, "Selector": spec.get("selector"), "MaxUnavailable": most}
        shown["UnhealthyPodEvictionPolicy"] = spec.get("unhealthyPodEvictionPolicy")
        yield invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set")
    for key in ("minAvailable", "maxUnavailable"):
        if spec.get(key) is not None:
            yield from int_or_percent(spec[key], f"spec.{key}")
            yield from at_most_all(spec[key], f"spec.{key}")
    yield from metadata.label_selector(spec.get("selector"), "spec.selector")
    policy = spec.get("unhealthyPodEvictionPolicy")
    if policy is not None and policy not in EVICTION_POLICIES:
        yield not_supported("spec.unhealthyPodEvictionPolicy", policy, EVICTION_POLICIES)


def autoscaler(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    spec = found.get("spec") or {}
    least, most = spec.get("minReplicas"), spec.get("maxReplicas", 0)
    if least is not None and least < 1:
        yield invalid("spec.minReplicas", least, "must be greater than or equal to 1")
    if most < 1:
        yield invalid("spec.maxReplicas", most, "must be greater than 0")
    if least is not None and most < least:
        yield invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`")
    yield from _reference(spec.get("scaleTargetRef") or {}, "spec.scaleTargetRef")
    for index, metric in enumerate(spec.get("metrics") or ()):
        yield from _metric(metric, f"spec.metrics[{index}]")
    for direction in ("scaleUp", "scaleDown"):
        rules = (spec.get("behavior") or {}).get(direction)
        if rules is not None:
            yield from _scaling(rules, f"spec.behavior.{direction}")


def _reference(reference, path):
    for key in ("kind", "name"):
        if not reference.get(key):
            yield required(f"{path}.{key}")


def _metric(metric, path):
    kind = metric.get("type") or ""
    if not kind:
        yield required(f"{path}.type", "must specify a metric source type")
    if kind not in METRICS:
        yield not_supported(f"{path}.type", kind, tuple(METRICS))
    given = [key for key in ("object", "external", "pods", "resource", "containerResource") if metric.get(key) is not None]
    for key in given[:1]:
        yield from _metric_source(key, metric[key], f"{path}.{key}")
    expected = METRICS.get(kind, kind)
    if expected not in given:
        yield required(f"{path}.{expected}", "must populate information for the given metric source")
    if len(given) != 1:
        for key in given:
            if key != expected:
                yield forbidden(f"{path}.{key}", "must populate the given metric source only")


def _metric_source(key, source, path):
    target = source.get("target") or {}
    if key in ("resource", "containerResource"):
        if not source.get("name"):
            yield required(f"{path}.name", "must specify a resource name")
        if key == "containerResource" and not source.get("container"):
            yield required(f"{path}.container", "must specify a container")
    elif not (source.get("metric") or {}).get("name"):
        yield required(f"{path}.metric.name", "must specify a metric name")
    yield from _target(target, f"{path}.target")
    if key in ("resource", "containerResource"):
        if target.get("averageUtilization") is None and target.get("averageValue") is None:
            yield required(f"{path}.target.averageUtilization", "must set either a target raw value or a target utilization")
        if target.get("averageUtilization") is not None and target.get("averageValue") is not None:
            yield forbidden(f"{path}.target.averageValue", "may not set both a target raw value and a target utilization")


def _target(target, path):
    yield from one_of(f"{path}.type", target.get("type"), ("AverageValue", "Utilization", "Value"), "must specify a metric target type")
    for key in ("value", "averageValue"):
        if target.get(key) is not None and amounts.parsed(target[key]) <= 0:
            yield invalid(f"{path}.{key}", target[key], "must be positive")
    if target.get("averageUtilization") is not None and target["averageUtilization"] < 1:
        yield invalid(f"{path}.averageUtilization", target["averageUtilization"], "must be greater than 0")


def _scaling(rules, path):
    window = rules.get("stabilizationWindowSeconds")
    yield from not_negative(f"{path}.stabilizationWindowSeconds", window)
    if window is not None and window > LONGEST_WINDOW:
        yield invalid(f"{path}.stabilizationWindowSeconds", window, f"must be less than or equal to {LONGEST_WINDOW}")
    if rules.get("selectPolicy") is not None and rules["selectPolicy"] not in SELECT_POLICIES:
        yield not_supported(f"{path}.selectPolicy", rules["selectPolicy"], SELECT_POLICIES)
    if not rules.get("policies"):
        yield required(f"{path}.policies", "must specify at least one Policy")
    for index, policy in enumerate(rules.get("policies") or ()):
        here, period = f"{path}.policies[{index}]", policy.get("periodSeconds", 0)
        if policy.get("type") not in ("Percent", "Pods"):
            yield not_supported(f"{here}.type", policy.get("type") or "", ("Percent", "Pods"))
        if policy.get("value", 0) <= 0:
            yield invalid(f"{here}.value", policy.get("value", 0), "must be greater than zero")
        if period <= 0:
            yield invalid(f"{here}.periodSeconds", period, "must be greater than zero")
        elif period > LONGEST_PERIOD:
            yield invalid(f"{here}.periodSeconds", period, f"must be less than or equal to {LONGEST_PERIOD}")


def scale(new, old):
    """The subresource scale of anything."""
    yield from not_negative("spec.replicas", (new.get("spec") or {}).get("replicas"))
