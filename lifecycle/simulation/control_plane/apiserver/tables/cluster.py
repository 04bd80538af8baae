"""The rows of nodes, namespaces, Events and of what configures workloads."""
from lifecycle.simulation.durations import age
from lifecycle.simulation.objects import at, condition
from lifecycle.simulation.summaries import node_roles

from .cells import created, name_and_age


def node(thing, clock):
    info = at(thing, "status", "nodeInfo", default={})
    kernel = info.get("kernelVersion") or "<unknown>"
    architecture = f" ({info['architecture']})" if info.get("architecture") else ""
    return [thing["metadata"]["name"], node_status(thing), ",".join(node_roles(thing)) or "<none>", created(thing, clock), info.get("kubeletVersion", ""),
            _address(thing, "InternalIP"), _address(thing, "ExternalIP"), info.get("osImage") or "<unknown>", kernel + architecture,
            info.get("containerRuntimeVersion") or "<unknown>"]


def node_status(thing):
    """"Ready", "NotReady", "Unknown", with ",SchedulingDisabled" for a cordoned node."""
    ready = condition(thing, "Ready")
    state = "Unknown" if ready is None else "Ready" if ready["status"] == "True" else "NotReady"
    return f"{state},SchedulingDisabled" if at(thing, "spec", "unschedulable") else state


def _address(thing, kind):
    return next((each["address"] for each in at(thing, "status", "addresses", default=()) if each["type"] == kind), "<none>")


def namespace(thing, clock):
    return [thing["metadata"]["name"], at(thing, "status", "phase", default=""), created(thing, clock)]


def event(thing, clock):
    """An Event of either API: events.k8s.io/v1 calls some fields otherwise."""
    first = thing.get("firstTimestamp") or thing.get("deprecatedFirstTimestamp") or thing.get("eventTime")
    last = thing.get("lastTimestamp") or thing.get("deprecatedLastTimestamp") or first
    count, series = thing.get("count") or thing.get("deprecatedCount"), thing.get("series")
    if series:
        last, count = series.get("lastObservedTime"), series.get("count", 0)
    about = thing.get("involvedObject") or thing.get("regarding") or {}
    target = "/".join([part for part in (about.get("kind", "").lower(), about.get("name")) if part])
    return [age(last, clock), thing.get("type", ""), thing.get("reason", ""), target, about.get("fieldPath", ""), _event_source(thing),
            (thing.get("message") or thing.get("note") or "").strip(), age(first, clock), count or 1, thing["metadata"]["name"]]


def _event_source(thing):
    source = thing.get("source") or thing.get("deprecatedSource") or {}
    component = source.get("component") or thing.get("reportingComponent") or thing.get("reportingController") or ""
    instance = source.get("host") or thing.get("reportingInstance") or ""
    return f"{component}, {instance}" if instance else component


def config_map(thing, clock):
    return [thing["metadata"]["name"], len(thing.get("data") or ()) + len(thing.get("binaryData") or ()), created(thing, clock)]


def secret(thing, clock):
    return [thing["metadata"]["name"], thing.get("type", ""), len(thing.get("data") or ()), created(thing, clock)]


def resource_quota(thing, clock):
    hard, used = at(thing, "status", "hard", default={}), at(thing, "status", "used", default={})
    limits, others = [], []
    for name in sorted(hard):
        (limits if name.startswith("limits.") else others).append(f"{name}: {used.get(name, '0')}/{hard[name]}")
    return [thing["metadata"]["name"], ", ".join(others), ", ".join(limits), created(thing, clock)]


def lease(thing, clock):
    return [thing["metadata"]["name"], at(thing, "spec", "holderIdentity", default=""), created(thing, clock)]


def priority_class(thing, clock):
    return [thing["metadata"]["name"], thing.get("value", 0), bool(thing.get("globalDefault")), created(thing, clock),
            thing.get("preemptionPolicy") or "PreemptLowerPriority"]


def runtime_class(thing, clock):
    return [thing["metadata"]["name"], thing.get("handler", ""), created(thing, clock)]


def component_status(thing, clock):
    health = condition({"status": thing}, "Healthy") or {}
    status = {"True": "Healthy", "False": "Unhealthy"}.get(health.get("status"), "Unknown")
    return [thing["metadata"]["name"], status, health.get("message", ""), health.get("error", "")]


CELLS = {
    "nodes": node, "namespaces": namespace, "events": event, "events.events.k8s.io": event, "configmaps": config_map, "secrets": secret,
    "serviceaccounts": name_and_age, "resourcequotas": resource_quota, "leases.coordination.k8s.io": lease,
    "priorityclasses.scheduling.k8s.io": priority_class, "runtimeclasses.node.k8s.io": runtime_class, "componentstatuses": component_status,
}
