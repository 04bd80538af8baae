"""What the storage parts of both planes agree on: the simulated CSI driver, and how volumes, claims and attachments name each other."""
from hashlib import sha256

DRIVER = "csi.lifecycle.example"
ATTACHER_FINALIZER = "external-attacher/csi-lifecycle-example"
PROVISIONER_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
PROVISIONER_ANNOTATIONS = ("volume.beta.kubernetes.io/storage-provisioner", "volume.kubernetes.io/storage-provisioner")
BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"


def claims_of(pod):
    """The names of the PersistentVolumeClaims that a Pod mounts; generic ephemeral volumes are claims named POD-VOLUME."""
    for volume in pod["spec"].get("volumes") or ():
        if "persistentVolumeClaim" in volume:
            yield volume["persistentVolumeClaim"]["claimName"]
        elif "ephemeral" in volume:
            yield f"{pod['metadata']['name']}-{volume['name']}"


def attachment_name(handle, driver, node):
    """The name of the VolumeAttachment for a CSI volume on a node (pkg/volume/csi/csi_attacher.go)."""
    return "csi-" + sha256(f"{handle}{driver}{node}".encode()).hexdigest()


def volume_id(volume):
    """How Node status names a CSI PersistentVolume, or None for a volume that is never attached."""
    csi = volume["spec"].get("csi")
    return f"kubernetes.io/csi/{csi['driver']}^{csi['volumeHandle']}" if csi else None
