"""How a node joins: the Node, CSINode and Lease objects that a v1.36 kubelet creates.

Shapes: recorded registration of a v1.36.2 kubelet with containerd 2.3; pkg/kubelet/kubelet_node_status.go, nodelease.
"""
from zlib import crc32

from ..client import Client
from ..quantities import NANO, canonical, parse
from .disk import POD_CIDR, node_space
from .images import PAUSE, image_list, pulled

LEASE_NAMESPACE = "kube-node-lease"
LEASE_SECONDS = 40
RESERVED = 100 << 20                  # bytes beyond what Pods may use: the default hard eviction threshold memory.available<100Mi
DISK = 100 << 30
HEALTHY = (
    ("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    ("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    ("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    ("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
)
IMAGES = pulled({}, PAUSE)            # what is on the disk of a new node
FEATURES = {"recursiveReadOnlyMounts": True, "userNamespaces": False}


def node_object(name, number, cpu, memory, clock):
    """A Node as its kubelet creates it, ready. `number` counts from 1 and gives the address; `cpu` and `memory` are what Pods may use, as quantities."""
    memory_bytes = parse(memory).nano // NANO + RESERVED
    allocatable = {"cpu": cpu, "ephemeral-storage": str(DISK * 9 // 10), "hugepages-1Gi": "0", "hugepages-2Mi": "0", "memory": memory, "pods": "110"}
    capacity = {**allocatable, "ephemeral-storage": canonical(f"{DISK >> 10}Ki"), "memory": canonical(f"{memory_bytes >> 10}Ki")}
    return {
        "kind": "Node", "apiVersion": "v1",
        "metadata": {"name": name, "labels": labels(name), "annotations": {"volumes.kubernetes.io/controller-managed-attach-detach": "true"}},
        "spec": {"podCIDR": pod_cidr(number), "podCIDRs": [pod_cidr(number)]},
        "status": {
            "capacity": capacity, "allocatable": allocatable, "conditions": conditions(clock.timestamp()),
            "addresses": [{"type": "InternalIP", "address": f"10.0.{number // 200}.{10 + number % 200}"}, {"type": "Hostname", "address": name}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}}, "nodeInfo": system_info(name), "images": image_list(IMAGES),
            "runtimeHandlers": [{"name": "", "features": FEATURES}, {"name": "runc", "features": FEATURES}],
            "features": {"supplementalGroupsPolicy": True}}}


def labels(name):
    """The labels that a kubelet puts on its own Node."""
    return {"beta.kubernetes.io/arch": "amd64", "beta.kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name,
            "kubernetes.io/os": "linux"}


def pod_cidr(number):
    """The range of Pod addresses of the node with this number: 10.244.N.0/24; very large clusters go on through 10.255 and round to 10.128."""
    return f"10.{128 + (116 + number // 256) % 128}.{number % 256}.0/24"


def conditions(stamp, healthy=HEALTHY):
    """Node conditions as (type, status, reason, message) rows, all seen and changed at `stamp`."""
    return [{"type": kind, "status": status, "lastHeartbeatTime": stamp, "lastTransitionTime": stamp, "reason": reason, "message": message}
            for kind, status, reason, message in healthy]


def system_info(name):
    """`status.nodeInfo`; the ids repeat for the same name."""
    machine = "".join(f"{crc32(f'{name}/{part}'.encode()):08x}" for part in range(4))
    return {"machineID": machine, "systemUUID": machine, "bootID": f"{machine[:8]}-{machine[8:12]}-4{machine[13:16]}-a{machine[17:20]}-{machine[20:32]}",
            "kernelVersion": "6.18.0", "osImage": "Debian GNU/Linux 12 (bookworm)", "containerRuntimeVersion": "containerd://2.3.4",
            "kubeletVersion": "v1.36.2", "kubeProxyVersion": "", "operatingSystem": "linux", "architecture": "amd64"}


def csi_node(node, drivers):
    """The CSINode of a node on which the node plugins of these CSI drivers (names) have registered."""
    name = node["metadata"]["name"]
    return {"kind": "CSINode", "apiVersion": "storage.k8s.io/v1", "metadata": {"name": name, "ownerReferences": [_owner(node)]},
            "spec": {"drivers": [{"name": driver, "nodeID": name, "topologyKeys": None} for driver in drivers] or None}}


def lease(node, renewed):
    """The heartbeat of a node; `renewed` is a MicroTime."""
    name = node["metadata"]["name"]
    return {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
            "metadata": {"name": name, "namespace": LEASE_NAMESPACE, "ownerReferences": [_owner(node)]},
            "spec": {"holderIdentity": name, "leaseDurationSeconds": LEASE_SECONDS, "renewTime": renewed}}


def _owner(node):
    return {"apiVersion": "v1", "kind": "Node", "name": node["metadata"]["name"], "uid": node["metadata"]["uid"]}


def register(cluster, name, number, cpu="2", memory="4Gi"):
    """Join a node through the API, as its kubelet does; returns the stored Node. ValueError says why the API server refused."""
    client = Client(cluster.api, cluster.etcd, "kubelet", f"system:node:{name}", "kubelet", {"node": name})
    created = client.create("nodes", "", node_object(name, number, cpu, memory, cluster.clock))
    if not created.ok:
        raise ValueError(created.body.get("message", ""))
    drivers = [driver["metadata"]["name"] for driver in client.list("csidrivers.storage.k8s.io")]
    client.create("csinodes.storage.k8s.io", "", csi_node(created.body, drivers))
    client.create("leases.coordination.k8s.io", LEASE_NAMESPACE, lease(created.body, cluster.clock.microtime()))
    cluster.etcd.write(node_space(name), POD_CIDR, created.body["spec"]["podCIDR"])
    cluster.etcd.write(node_space(name), "images", IMAGES)
    return created.body
