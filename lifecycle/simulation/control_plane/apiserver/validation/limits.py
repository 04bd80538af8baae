"""Rules for ResourceQuotas and LimitRanges (pkg/apis/core/validation/validation.go)."""

from .... import quantities
from . import amounts, metadata, names
from .errors import IMMUTABLE, duplicate, each_message, forbidden, invalid, required

LIMIT_TYPES = ("Pod", "Container", "PersistentVolumeClaim")
EXISTS_SCOPES = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity")
SCOPES = (*EXISTS_SCOPES, "PriorityClass", "VolumeAttributesClass")
CONFLICTS = ({"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"})
EXISTS_ONLY = (
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
    "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
)
LISTS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
COMPARISONS = (
    ("min", "max", "min", "min value {0} is greater than max value {1}"),
    ("min", "defaultRequest", "defaultRequest", "min value {0} is greater than default request value {1}"),
    ("defaultRequest", "max", "defaultRequest", "default request value {0} is greater than max value {1}"),
    ("defaultRequest", "default", "defaultRequest", "default request value {0} is greater than default limit value {1}"),
    ("min", "default", "default", "min value {0} is greater than default value {1}"),
    ("default", "max", "default", "default value {0} is greater than max value {1}"),
)


def resource_quota(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _quota_spec(found.get("spec") or {})


def _quota_spec(spec, path="spec"):
    yield from _hard(spec.get("hard"), f"{path}.hard")
    scopes = spec.get("scopes") or []
    for scope in scopes:
        if scope not in SCOPES:
            yield invalid(f"{path}.scopes", scopes, "unsupported scope")
        yield from _scoped_resources(scope, spec, f"{path}.scopes", scopes)
    if any(pair <= set(scopes) for pair in CONFLICTS):
        yield invalid(f"{path}.scopes", scopes, "conflicting scopes")
    for expression in (spec.get("scopeSelector") or {}).get("matchExpressions") or ():
        yield from _scope_expression(expression, f"{path}.scopeSelector.matchExpressions")


def _scoped_resources(scope, spec, path, scopes):
    """With the scope BestEffort only Pods can be counted, with the other scopes of Pods only Pods and what they ask for."""
    allowed = {"pods"} if scope == "BestEffort" else {name for name in amounts.QUOTA_RESOURCES if name not in amounts.OBJECT_COUNTS or name == "pods"}
    for name in sorted(spec.get("hard") or ()):
        if scope in SCOPES and name in amounts.QUOTA_RESOURCES and name not in allowed:
            yield invalid(path, scopes, "unsupported scope applied to resource")


def _scope_expression(expression, path):
    scope, operator, values = expression.get("scopeName") or "", expression.get("operator") or "", expression.get("values") or []
    if scope not in SCOPES:
        yield invalid(f"{path}.scopeName", scope, "unsupported scope")
    if scope in EXISTS_SCOPES and operator != "Exists":
        yield invalid(f"{path}.operator", operator, EXISTS_ONLY)
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")
    elif operator not in ("Exists", "DoesNotExist"):
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif values:
        yield invalid(f"{path}.values", values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector")


def _hard(found, path):
    for name in sorted(found or ()):
        yield from amounts.quota_resource_name(name, f"{path}[{name}]")
        yield from amounts.amount(name, found[name], f"{path}[{name}]")


def resource_quota_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _quota_spec(new.get("spec") or {})
    scopes, was = ((thing.get("spec") or {}).get("scopes") or [] for thing in (new, old))
    if set(scopes) != set(was):
        yield invalid("spec.scopes", scopes or None, IMMUTABLE)


def resource_quota_status_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    for key in ("hard", "used"):
        yield from _hard((new.get("status") or {}).get(key), f"status.{key}")


def limit_range(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    seen = set()
    for index, item in enumerate((found.get("spec") or {}).get("limits") or ()):
        path, kind = f"spec.limits[{index}]", item.get("type") or ""
        yield from _limit_type(kind, seen, f"{path}.type")
        yield from _limit_names(item, kind, path)
        for name in sorted({name for key in LISTS for name in item.get(key) or ()}):
            yield from _limit_values(item, name, path)


def _limit_type(kind, seen, path):
    wrong = names.qualified_name(kind)
    yield from each_message(path, kind, wrong)
    if not wrong and "/" not in kind and kind not in LIMIT_TYPES:
        yield invalid(path, kind, "must be a standard limit type or fully qualified")
    if kind in seen:
        yield duplicate(path, kind)
    seen.add(kind)


def _limit_names(item, kind, path):
    rule = amounts.container_resource_name if kind in ("Pod", "Container") else amounts.resource_name
    for key in LISTS:
        if kind == "Pod" and key.startswith("default"):
            if item.get(key):
                yield forbidden(f"{path}.{key}", "may not be specified when `type` is 'Pod'")
            continue
        for name in sorted(item.get(key) or ()):
            yield from rule(name, f"{path}.{key}[{name}]")
    if kind == "PersistentVolumeClaim" and not any("storage" in (item.get(key) or {}) for key in ("min", "max")):
        yield required(f"{path}.limits", "either minimum or maximum storage value is required, but neither was provided")


def _limit_values(item, name, path):
    values = {key: item[key][name] for key in LISTS if name in (item.get(key) or {})}
    for low, high, shown, text in COMPARISONS:
        if low in values and high in values and amounts.parsed(values[low]) > amounts.parsed(values[high]):
            least, most = quantities.canonical(values[low]), quantities.canonical(values[high])
            # Of a default the server shows what it was compared with.
            other = values[low if high == shown else high] if shown == "default" else values[shown]
            yield invalid(f"{path}.{shown}[{name}]", quantities.canonical(other), text.format(least, most))
    ratio = values.get("maxLimitRequestRatio")
    if ratio is not None and amounts.parsed(ratio) < quantities.NANO:
        yield invalid(f"{path}.maxLimitRequestRatio[{name}]", quantities.canonical(ratio), f"ratio {quantities.canonical(ratio)} is less than 1")
