"""The node part of the simulated CSI driver: what the kubelet asks of it, and which Pods of a node use a volume.

On the node's disk: "staged VOLUME": {Pod uid: True} for every Pod into which the volume is mounted.
"""
from ..broken import read
from ..objects import at
from ..storage import attachment_name
from .disk import node_space

MOUNT_FAILED = "rpc error: code = Internal desc = mount failed: exit status 32"          # mount(8): 32 is "mount failure"


def is_attached(api, volume, node):
    """Whether a CSI PersistentVolume may be used on a node: it is attached, or its driver needs no attaching."""
    csi = volume["spec"]["csi"]
    driver = api.get("csidrivers.storage.k8s.io", "", csi["driver"])
    if driver and not at(driver, "spec", "attachRequired", default=True):
        return True
    attachment = api.get("volumeattachments.storage.k8s.io", "", attachment_name(csi["volumeHandle"], csi["driver"], node))
    return bool(attachment and at(attachment, "status", "attached"))


def publish(worker, volume, pod_volume):
    """NodeStageVolume if the node does not have the volume yet, then NodePublishVolume. Returns what went wrong, as a FailedMount event says it, or None."""
    etcd, name = worker.kubelet.etcd, volume["metadata"]["name"]
    users = etcd.read(node_space(worker.key.node), f"staged {name}", {})
    facts = {"volume": pod_volume, "persistentVolume": name, "handle": volume["spec"]["csi"]["volumeHandle"]}
    call, step = ("NodePublishVolume", "SetUp") if users else ("NodeStageVolume", "MountDevice")
    if read(etcd, "mount"):
        worker.say("csi", "MountCallFailed", f"{call} {facts['handle']}", call=call, error=MOUNT_FAILED, **facts)
        return f'MountVolume.{step} failed for volume "{name}" : {MOUNT_FAILED}'
    if not users:
        worker.say("csi", "NodeStageVolume", f"NodeStageVolume {facts['handle']}", **facts)
    worker.say("csi", "NodePublishVolume", f"NodePublishVolume {facts['handle']}", **facts)
    etcd.write(node_space(worker.key.node), f"staged {name}", {**users, worker.key.uid: True})
    return None


def unpublish(worker, volume, pod_volume):
    """NodeUnpublishVolume, and NodeUnstageVolume after the node's last Pod; returns whether it was the last."""
    etcd, name = worker.kubelet.etcd, volume["metadata"]["name"]
    users = {uid: True for uid in etcd.read(node_space(worker.key.node), f"staged {name}", {}) if uid != worker.key.uid}
    facts = {"volume": pod_volume, "persistentVolume": name, "handle": volume["spec"]["csi"]["volumeHandle"]}
    worker.say("csi", "NodeUnpublishVolume", f"NodeUnpublishVolume {facts['handle']}", **facts)
    if not users:
        worker.say("csi", "NodeUnstageVolume", f"NodeUnstageVolume {facts['handle']}", **facts)
    etcd.write(node_space(worker.key.node), f"staged {name}", users or None)
    return not users
