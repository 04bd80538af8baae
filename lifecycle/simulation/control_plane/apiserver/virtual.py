"""Objects that are there without being stored: what the server knows of itself is answered from what it is.

componentstatuses and metrics are asked of the components at the moment of the request;
API services, flow schemas and priority levels are the same in every cluster.
"""
from functools import lru_cache

from ...resources import registry
from . import metrics

PARTS = {"etcd-0": "etcd", "controller-manager": "controller-manager", "scheduler": "scheduler"}
FLOW = "flowcontrol.apiserver.k8s.io"
LOCAL = {"type": "Available", "status": "True", "reason": "Local", "message": "Local APIServices are always available"}
# name: priority level, matching precedence, distinguisher
FLOW_SCHEMAS = {
    "exempt": ("exempt", 1, None),
    "probes": ("exempt", 2, None),
    "system-leader-election": ("leader-election", 100, "ByUser"),
    "system-node-high": ("node-high", 400, "ByUser"),
    "system-nodes": ("system", 500, "ByUser"),
    "kube-controller-manager": ("workload-high", 800, "ByNamespace"),
    "kube-scheduler": ("workload-high", 800, "ByNamespace"),
    "kube-system-service-accounts": ("workload-high", 900, "ByNamespace"),
    "service-accounts": ("workload-low", 9000, "ByUser"),
    "global-default": ("global-default", 9900, "ByUser"),
    "catch-all": ("catch-all", 10000, "ByUser"),
}
# name: concurrency shares, (queues, hand size, queue length limit)
PRIORITY_LEVELS = {
    "catch-all": (5, None), "exempt": (None, None), "global-default": (20, (128, 6, 50)), "leader-election": (10, (16, 4, 50)),
    "node-high": (40, (64, 6, 50)), "system": (30, (64, 6, 50)), "workload-high": (40, (128, 6, 50)), "workload-low": (100, (128, 6, 50)),
}


def objects(cluster, qualified, namespace=""):
    """The virtual objects of a kind (in a namespace, if one is given), sorted by name; () for kinds that are stored."""
    function = KINDS.get(qualified)
    found = function(cluster) if function else ()
    return [thing for thing in found if thing["metadata"]["namespace"] == namespace] if namespace else found


def find(cluster, qualified, name, namespace=""):
    """A virtual object, or None."""
    return next((thing for thing in objects(cluster, qualified, namespace) if thing["metadata"]["name"] == name), None)


def _component_statuses(cluster):
    stopped = cluster.etcd.disk("stopped")
    return [_component_status(name, actor in stopped) for name, actor in PARTS.items()]


def _component_status(name, is_stopped):
    condition = {"type": "Healthy", "status": "False" if is_stopped else "True", "message": "connection refused" if is_stopped else "ok"}
    return {"kind": "ComponentStatus", "apiVersion": "v1", "metadata": {"name": name}, "conditions": [condition]}


def _born(cluster):
    """When the cluster was made: as old as its first namespace."""
    namespace = cluster.etcd.get("/registry/namespaces/default")
    return namespace["metadata"]["creationTimestamp"] if namespace else cluster.clock.timestamp()


def _api_services(cluster):
    return _api_services_since(_born(cluster))


@lru_cache(16)
def _api_services_since(born):
    groups = {(row.group, row.version) for row in registry().values() if row.group != "apiregistration.k8s.io"} | {("autoscaling", "v1")}
    return [_object("APIService", "apiregistration.k8s.io/v1", f"{version}.{group}", born, {
        **({"group": group} if group else {}), "groupPriorityMinimum": 17800 if group else 18000, "version": version, "versionPriority": 15 if group else 1},
        {"conditions": [{**LOCAL, "lastTransitionTime": born}]}) for group, version in sorted(groups, key=lambda place: f"{place[1]}.{place[0]}")]


def _flow_schemas(cluster):
    born = _born(cluster)
    return [_object("FlowSchema", f"{FLOW}/v1", name, born, {
        **({"distinguisherMethod": {"type": method}} if method else {}), "matchingPrecedence": precedence, "priorityLevelConfiguration": {"name": level}},
        {"conditions": [{"type": "Dangling", "status": "False", "lastTransitionTime": born, "reason": "Found"}]})
            for name, (level, precedence, method) in sorted(FLOW_SCHEMAS.items())]


def _priority_levels(cluster):
    born = _born(cluster)
    return [_object("PriorityLevelConfiguration", f"{FLOW}/v1", name, born, _priority_level(name, *row), {}) for name, row in PRIORITY_LEVELS.items()]


def _priority_level(name, shares, queuing):
    if shares is None:
        return {"type": "Exempt", "exempt": {"lendablePercent": 0, "nominalConcurrencyShares": 0}}
    response = {"type": "Reject"}
    if queuing:
        response = {"type": "Queue", "queuing": dict(zip(("queues", "handSize", "queueLengthLimit"), queuing))}
    return {"type": "Limited", "limited": {"lendablePercent": 0, "limitResponse": response, "nominalConcurrencyShares": shares}}


def _object(kind, api_version, name, born, spec, status):
    return {"kind": kind, "apiVersion": api_version, "metadata": {"name": name, "creationTimestamp": born}, "spec": spec, "status": status}


KINDS = {"componentstatuses": _component_statuses, "apiservices.apiregistration.k8s.io": _api_services, f"flowschemas.{FLOW}": _flow_schemas,
         f"prioritylevelconfigurations.{FLOW}": _priority_levels, metrics.NODES: metrics.nodes, metrics.PODS: metrics.pods}
