"""Namespaces and what bounds and configures the workloads in them."""
from base64 import b64decode

from lifecycle.simulation.label_text import pairs, selector_text
from lifecycle.simulation.objects import at

from .page import UNSET, Query, lower

SCOPES = {
    "Terminating": "Matches all pods that have an active deadline. "
                   "These pods have a limited lifespan on a node before being actively terminated by the system.",
    "NotTerminating": "Matches all pods that do not have an active deadline. "
                      "These pods usually include long running pods whose container command is not expected to terminate.",
    "BestEffort": "Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.",
    "NotBestEffort": "Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.",
}
LIMITS = ("Type", "Resource", "Min", "Max", "Default Request", "Default Limit", "Max Limit/Request Ratio")
HEALTH = (("Allowed disruptions", "disruptionsAllowed"), ("Current", "currentHealthy"), ("Desired", "desiredHealthy"), ("Total", "expectedPods"))
BOUNDS = ("min", "max", "defaultRequest", "default", "maxLimitRequestRatio")


def namespace(page, thing):
    name, status = thing["metadata"]["name"], thing.get("status", {})
    quotas, ranges = page.lookup(Query("resourcequotas", name)), page.lookup(Query("limitranges", name))
    page.metadata(thing, namespace=False)
    page.field("Status", status.get("phase", ""))
    if status.get("conditions"):
        page.condition_table(status["conditions"])
    page.line()
    _quotas(page, quotas)
    page.line()
    _ranges(page, ranges)


def _quotas(page, quotas):
    page.line("Resource Quotas" if quotas else "No resource quota.")
    for quota in sorted(quotas, key=lambda each: each["metadata"]["name"]):
        page.field("Name", quota["metadata"]["name"], 1)
        _scopes(page, quota, 1, "* ")
        page.table(1, ("Resource", "Used", "Hard"), _amounts(quota), ("--------", "---", "---"))


def _ranges(page, ranges):
    if not ranges:
        page.line("No LimitRange resource.")
        return
    page.line("Resource Limits")
    rows = [row for each in ranges for row in _limit_rows(each)]
    page.table(0, (f" {LIMITS[0]}", *LIMITS[1:]), [(f" {kind}", *rest) for kind, *rest in rows], (" ----", *["-" * len(name) for name in LIMITS[1:]]))


def _limit_rows(thing):
    for item in at(thing, "spec", "limits", default=()):
        for name in sorted({name for bound in BOUNDS for name in item.get(bound) or ()}):
            yield item.get("type", ""), name, *[at(item, bound, name, default="-") for bound in BOUNDS]


def limit_range(page, thing):
    page.field("Name", thing["metadata"]["name"])
    page.field("Namespace", thing["metadata"].get("namespace", ""))
    page.table(0, LIMITS, _limit_rows(thing))


def resource_quota(page, thing):
    page.field("Name", thing["metadata"]["name"])
    page.field("Namespace", thing["metadata"].get("namespace", ""))
    _scopes(page, thing, 0, " * ")
    page.table(0, ("Resource", "Used", "Hard"), _amounts(thing))


def _scopes(page, quota, level, bullet):
    scopes = sorted(at(quota, "spec", "scopes", default=()))
    page.optional("Scopes", ", ".join(scopes), level)
    for scope in scopes:
        if scope in SCOPES:
            page.line(f"{bullet}{SCOPES[scope]}", level)


def _amounts(quota):
    hard, used = at(quota, "status", "hard", default={}), at(quota, "status", "used", default={})
    return [(name, used.get(name, "0"), hard[name]) for name in sorted(hard)]


def config_map(page, thing):
    page.metadata(thing)
    page.line()
    page.line("Data\n====")
    data = thing.get("data") or {}
    for key in sorted(data):
        page.line(f"{key}:\n----\n{data[key]}\n")
    page.line()
    page.line("BinaryData\n====")
    binary = thing.get("binaryData") or {}
    for key in sorted(binary):
        page.line(f"{key}: {len(b64decode(binary[key]))} bytes")
    page.line()
    page.events(thing)


def secret(page, thing):
    page.metadata(thing)
    page.line()
    page.field("Type", thing.get("type", ""))
    page.line()
    page.line("Data\n====")
    data = thing.get("data") or {}
    for key in sorted(data):
        plain = b64decode(data[key] or "")
        is_token = key == "token" and thing.get("type") == "kubernetes.io/service-account-token"
        page.field(key, plain.decode("utf-8", "replace") if is_token else f"{len(plain)} bytes")


def service_account(page, thing):
    page.metadata(thing)
    page.several("Image pull secrets", [each["name"] for each in thing.get("imagePullSecrets") or ()])
    page.events(thing)


def priority_class(page, thing):
    page.field("Name", thing["metadata"]["name"])
    page.field("Value", thing.get("value", 0))
    page.field("GlobalDefault", lower(thing.get("globalDefault")))
    page.field("PreemptionPolicy", thing.get("preemptionPolicy", "PreemptLowerPriority"))
    page.field("Description", thing.get("description", ""))
    page.field("Annotations", pairs(thing["metadata"].get("annotations")))
    page.events(thing)


def pod_disruption_budget(page, thing):
    spec, status = thing.get("spec", {}), thing.get("status", {})
    page.field("Name", thing["metadata"]["name"])
    page.field("Namespace", thing["metadata"].get("namespace", ""))
    if spec.get("minAvailable") is not None:
        page.field("Min available", spec["minAvailable"])
    else:
        page.optional("Max unavailable", spec.get("maxUnavailable"))
    page.field("Selector", selector_text(spec["selector"]) if spec.get("selector") is not None else UNSET)
    page.line("Status:")
    for label, field in HEALTH:
        page.field(label, status.get(field, 0), 2)
    page.events(thing)


DESCRIBERS = {
    "namespaces": namespace, "resourcequotas": resource_quota, "limitranges": limit_range, "configmaps": config_map, "secrets": secret,
    "serviceaccounts": service_account, "priorityclasses.scheduling.k8s.io": priority_class, "poddisruptionbudgets.policy": pod_disruption_budget,
}
