"""metrics.k8s.io as a metrics-server answers it, once one is installed: an APIService, a Service behind it, and a Pod of its image that is ready.

Shapes: kubernetes-sigs/metrics-server, k8s.io/metrics v1beta1. It asks every kubelet each 15 s; who runs for less is not known to it yet.
"""
from ...objects import at, condition, is_ready
from ...quantities import BINARY_SI, canonical, format_quantity
from ...resources import Resource

GROUP, VERSION = "metrics.k8s.io", "v1beta1"
API_SERVICE = f"/registry/apiregistration.k8s.io/apiservices/{VERSION}.{GROUP}"
IMAGE = "metrics-server"
RESOLUTION = 15_000                       # ms between two rounds (--metric-resolution)
WINDOW = "15s"
ROWS = (
    Resource("nodes", "NodeMetrics", GROUP, VERSION, namespaced=False, verbs=("get", "list"), storage=f"{GROUP}/nodes"),
    Resource("pods", "PodMetrics", GROUP, VERSION, namespaced=True, verbs=("get", "list"), storage=f"{GROUP}/pods"),
)
NODES, PODS = (row.qualified for row in ROWS)


def rows(etcd):
    """The Resources that are served now: none without a metrics-server that answers."""
    found = etcd.get(API_SERVICE)
    return ROWS if found and at(condition(found, "Available"), "status") == "True" else ()


def find(etcd, group, version, plural):
    """The Resource at a place in the API, or None."""
    return next((row for row in rows(etcd) if (row.group, row.version, row.plural) == (group, version, plural)), None) if group == GROUP else None


def find_qualified(etcd, qualified):
    return next((row for row in rows(etcd) if row.qualified == qualified), None) if qualified.endswith(GROUP) else None


def answers(api, slices):
    """Whether a metrics-server stands behind these EndpointSlices."""
    targets = [endpoint.get("targetRef") or {} for one in slices for endpoint in one.get("endpoints") or () if at(endpoint, "conditions", "ready")]
    pods = [api.get("pods", target.get("namespace", ""), target.get("name", "")) for target in targets if target.get("kind") == "Pod"]
    return any(_is_metrics_server(pod) for pod in pods if pod)


def _is_metrics_server(pod):
    return any(container["image"].rpartition("/")[2].partition(":")[0] == IMAGE for container in pod["spec"]["containers"])


# -- objects ---------------------------------------------------------------------------------------------------------------
def nodes(cluster):
    """NodeMetrics of all nodes that answer."""
    kubelet, found = cluster.components["kubelet"], []
    for node in cluster.etcd.range("/registry/minions"):
        name = node["metadata"]["name"]
        usage = kubelet.usage(name) if is_ready(node) else None
        if usage is not None:
            found.append({**_head(cluster, "NodeMetrics", node), "usage": _amounts(usage)})
    return found


def pods(cluster):
    """PodMetrics of all Pods on such nodes that have run for a whole round, sorted by key."""
    kubelet, found = cluster.components["kubelet"], []
    since = _round(cluster) - RESOLUTION
    for pod in cluster.etcd.range("/registry/pods"):
        node = pod["spec"].get("nodeName")
        containers = kubelet.pod_usage(pod, since) if node and at(pod, "status", "phase") == "Running" else None
        if containers:
            listed = [{"name": name, "usage": _amounts(usage)} for name, usage in containers.items()]
            found.append({**_head(cluster, "PodMetrics", pod), "containers": listed})
    return found


def _round(cluster):
    return cluster.clock.now - cluster.clock.now % RESOLUTION


def _head(cluster, kind, about):
    meta = about["metadata"]
    kept = {field: meta[field] for field in ("name", "namespace", "labels") if field in meta}
    return {"kind": kind, "apiVersion": f"{GROUP}/{VERSION}", "metadata": {**kept, "creationTimestamp": cluster.clock.timestamp()},
            "timestamp": cluster.clock.timestamp(_round(cluster)), "window": WINDOW}


def _amounts(usage):
    return {"cpu": canonical(f"{usage.cpu}m"), "memory": format_quantity(usage.memory, BINARY_SI)}
