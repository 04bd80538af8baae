"""Rules for amounts of resources: requests, limits, quotas (pkg/apis/core/validation/validation.go, pkg/apis/core/helper)."""

from .... import quantities
from . import names
from .errors import NEGATIVE, duplicate, each_message, forbidden, invalid, not_found, not_supported, required

CONTAINER_RESOURCES = ("cpu", "memory", "ephemeral-storage")
OBJECT_COUNTS = (
    "pods",
    "services",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
)
QUOTA_RESOURCES = (
    *CONTAINER_RESOURCES,
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    *OBJECT_COUNTS,
)
STANDARD_RESOURCES = {*QUOTA_RESOURCES, "storage"}


def parsed(text):
    return quantities.parse(text).nano


def is_huge_pages(name):
    return name.startswith("hugepages-")


def is_native(name):
    return "/" not in name or "kubernetes.io/" in name


def may_overcommit(name):
    return is_native(name) and not is_huge_pages(name)


def _is_extended(name):
    return not is_native(name) and not name.startswith("requests.") and not names.qualified_name(f"requests.{name}")


def resource_name(name, path):
    wrong = names.qualified_name(name)
    yield from each_message(path, name, wrong)
    standard = name in STANDARD_RESOURCES or is_huge_pages(name) or name.startswith("requests.hugepages-")
    if not wrong and "/" not in name and not standard:
        yield invalid(path, name, "must be a standard resource type or fully qualified")


def container_resource_name(name, path):
    yield from resource_name(name, path)
    if "/" not in name:
        if name not in CONTAINER_RESOURCES and not is_huge_pages(name):
            yield invalid(path, name, "must be a standard resource for containers")
    elif not is_native(name) and not _is_extended(name):
        yield invalid(path, name, "doesn't follow extended resource name standard")


def pod_resource_name(name, path):
    wrong = list(resource_name(name, path))
    yield from wrong
    if not wrong and name not in ("cpu", "memory") and not is_huge_pages(name):
        yield not_supported(path, name, ("cpu", "hugepages-", "memory"))


def quota_resource_name(name, path):
    yield from resource_name(name, path)
    if "/" not in name and name not in QUOTA_RESOURCES and not is_huge_pages(name.removeprefix("requests.")):
        yield invalid(path, name, "must be a standard resource for quota")


def amount(name, text, path):
    """Errors in the amount of one resource: negative, or a part of what comes in whole pieces."""
    if parsed(text) < 0:
        yield invalid(path, quantities.canonical(text), NEGATIVE)
    if (name in OBJECT_COUNTS or _is_extended(name)) and quantities.milli(text) % 1000:
        yield invalid(path, quantities.canonical(text), "must be an integer")


def positive(text, path):
    if parsed(text) <= 0:
        yield invalid(path, quantities.canonical(text), "must be greater than zero")


def requirements(resources, path, name_rule=container_resource_name, claims=()):
    """Errors in {"limits", "requests", "claims"}; `claims`: the names that a claim may have."""
    resources = resources or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name in sorted(limits):
        yield from _one(name, limits[name], f"{path}.limits[{name}]", name_rule)
    for name in sorted(requests):
        yield from name_rule(name, f"{path}.requests[{name}]")
        yield from amount(name, requests[name], f"{path}.requests[{name}]")
        yield from _within_limit(name, requests[name], limits.get(name), path)
        yield from _huge_pages(name, requests[name], f"{path}.requests[{name}]")
    used = {*limits, *requests}
    if any(is_huge_pages(name) for name in used) and not used & {"cpu", "memory"}:
        yield forbidden(path, "HugePages require cpu or memory")
    yield from _claims(resources.get("claims") or (), f"{path}.claims", claims)


def _one(name, text, path, name_rule):
    yield from name_rule(name, path)
    yield from amount(name, text, path)
    yield from _huge_pages(name, text, path)


def _within_limit(name, request, limit, path):
    if limit is None:
        if not may_overcommit(name):
            yield required(f"{path}.limits", "Limit must be set for non overcommitable resources")
        return
    asked, most = quantities.canonical(request), quantities.canonical(limit)
    if parsed(request) != parsed(limit) and not may_overcommit(name):
        yield invalid(f"{path}.requests", asked, f"must be equal to {name} limit of {most}")
    elif parsed(request) > parsed(limit):
        yield invalid(f"{path}.requests", asked, f"must be less than or equal to {name} limit of {most}")


def _huge_pages(name, text, path):
    if not is_huge_pages(name):
        return
    try:
        page = parsed(name.removeprefix("hugepages-"))
    except quantities.QuantityError:
        page = 0
    if page <= 0 or parsed(text) % page:
        yield invalid(path, quantities.canonical(text), f"{quantities.canonical(text)} is not positive integer multiple of {name}")


def _claims(claims, path, known):
    seen = set()
    for index, claim in enumerate(claims):
        name = claim.get("name") or ""
        if not name:
            yield required(f"{path}[{index}]")
            continue
        if name in seen:
            yield duplicate(f"{path}[{index}]", name)
        seen.add(name)
        if name not in known:
            listed = f": {', '.join(sorted(known))}" if known else " which is empty"
            yield not_found(f"{path}[{index}]", name)._replace(detail=f"must be one of the names in pod.spec.resourceClaims{listed}")
