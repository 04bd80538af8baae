"""A new cluster as an administrator finds it: what the control plane makes for itself, and the nodes that joined."""
from . import default_access
from .client import Client
from .node import registration
from .storage import DRIVER
from .timings import MINUTE

NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease")
API_SERVER = "10.0.0.2"
PRIORITIES = (
    ("system-cluster-critical", 2_000_000_000, "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary."),
    ("system-node-critical", 2_000_001_000, "Used for system critical pods that must not be moved from their current node."),
)
STORAGE_CLASS = "standard"
AGE = MINUTE                    # how old a new cluster is, in virtual ms


def bootstrap(cluster, nodes=3, cpu="2", memory="4Gi", storage_class=STORAGE_CLASS):
    """Fill an empty cluster: namespaces, access rules, the `kubernetes` Service, and `nodes` nodes n1, n2, ... of the given size.

    `storage_class` names the default StorageClass, served by the simulated CSI driver; with None there is neither, as in a cluster fresh from kubeadm.
    Everything goes through the API and happened AGE ago. Afterwards the cluster is settled: nothing was said, nothing waits, and `clock.now` is where it was.
    """
    now, mark = cluster.clock.now, cluster.log.mark()
    cluster.clock.now = now - AGE
    api = Client(cluster.api, cluster.etcd, "apiserver", "system:apiserver", "kube-apiserver", {})
    for qualified, namespace, body in objects(storage_class):
        answer = api.create(qualified, namespace, body)
        if not answer.ok:
            raise ValueError(answer.body["message"])
    for number in range(1, nodes + 1):
        registration.register(cluster, f"n{number}", number, cpu, memory)
    cluster.run_until_settled(now)
    cluster.clock.now = now
    cluster.log.forget_since(mark)


def objects(storage_class):
    """(qualified resource, namespace, body) of everything a control plane starts with, in order."""
    for name in NAMESPACES:
        yield "namespaces", "", _object("Namespace", name)
    for name, value, description in PRIORITIES:
        yield "priorityclasses.scheduling.k8s.io", "", {**_object("PriorityClass", name, "scheduling.k8s.io/v1"), "value": value, "description": description}
    yield "servicecidrs.networking.k8s.io", "", {**_object("ServiceCIDR", "kubernetes", "networking.k8s.io/v1"), "spec": {"cidrs": ["10.96.0.0/16"]}}
    yield from _own_service()
    yield from default_access.objects()
    if storage_class:
        yield from _storage(storage_class)


def _storage(name):
    """The CSI driver and the class that uses it."""
    yield "csidrivers.storage.k8s.io", "", {**_object("CSIDriver", DRIVER, "storage.k8s.io/v1"), "spec": {"attachRequired": True, "podInfoOnMount": False}}
    yield "storageclasses.storage.k8s.io", "", {
        **_object("StorageClass", name, "storage.k8s.io/v1", annotations={"storageclass.kubernetes.io/is-default-class": "true"}),
        "provisioner": DRIVER, "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer", "allowVolumeExpansion": True}


def _object(kind, name, api_version="v1", **metadata):
    return {"kind": kind, "apiVersion": api_version, "metadata": {"name": name, **metadata}}


def _own_service():
    """The Service under which Pods find the API server, with the endpoints that the API server itself keeps."""
    labels = {"component": "apiserver", "provider": "kubernetes"}
    yield "services", "default", {**_object("Service", "kubernetes", namespace="default", labels=labels), "spec": {
        "type": "ClusterIP", "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "sessionAffinity": "None",
        "ports": [{"name": "https", "protocol": "TCP", "port": 443, "targetPort": 6443}]}}
    mirror = {"endpointslice.kubernetes.io/skip-mirror": "true"}
    yield "endpoints", "default", {**_object("Endpoints", "kubernetes", namespace="default", labels=mirror),
                                   "subsets": [{"addresses": [{"ip": API_SERVER}], "ports": [{"name": "https", "port": 6443, "protocol": "TCP"}]}]}
    yield "endpointslices.discovery.k8s.io", "default", {
        **_object("EndpointSlice", "kubernetes", "discovery.k8s.io/v1", namespace="default", labels={"kubernetes.io/service-name": "kubernetes"}),
        "addressType": "IPv4", "endpoints": [{"addresses": [API_SERVER], "conditions": {"ready": True}}],
        "ports": [{"name": "https", "port": 6443, "protocol": "TCP"}]}
