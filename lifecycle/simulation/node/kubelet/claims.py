"""Volumes that are PersistentVolumeClaims: bound, attached, staged, published (pkg/kubelet/volumemanager/populator, pkg/volume/csi)."""
from ...objects import at, is_deleting
from ...storage import volume_id
from ...timings import API_CALL
from .. import csi
from ..durations import NODE_REPORT

CONTENTS = "volume contents"             # disk space: {PersistentVolume: {path: text}}, what programs left in volumes


def claim_of(worker, volume):
    """The name of the claim behind a Pod's volume, or None."""
    if "persistentVolumeClaim" in volume:
        return volume["persistentVolumeClaim"]["claimName"]
    return f"{worker.key.name}-{volume['name']}" if "ephemeral" in volume else None


def problem(worker, volume):
    """Why the claim cannot be used at all, as the kubelet says it, or None."""
    name = claim_of(worker, volume)
    if name is None:
        return None
    claim, where = worker.kubelet.api.get("persistentvolumeclaims", worker.key.namespace, name), f"error processing PVC {worker.key.namespace}/{name}: "
    if claim is None:
        return f'{where}failed to fetch PVC from API server: persistentvolumeclaims "{name}" not found'
    if is_deleting(claim):
        return f"{where}can't start pod because PVC is being deleted"
    return None if at(claim, "status", "phase") == "Bound" else f"{where}PVC is not bound"


def persistent_volume(worker, volume):
    """The PersistentVolume behind a Pod's volume, or None."""
    claim = worker.kubelet.api.get("persistentvolumeclaims", worker.key.namespace, claim_of(worker, volume))
    return worker.kubelet.api.get("persistentvolumes", "", claim["spec"].get("volumeName", "")) if claim else None


def report_in_use(worker):
    """PATCH Node status.volumesInUse if a CSI volume of the Pod is missing there. Returns ms until the next step, or None if nothing was missing."""
    answer = _patch(worker, lambda listed: [*listed, *(name for name in _attachable(worker) if name not in listed)])
    return answer and (API_CALL if answer.ok else NODE_REPORT)


def release(worker, names):
    """PATCH Node status.volumesInUse without these; returns whether it was sent."""
    return _patch(worker, lambda listed: [name for name in listed if name not in names]) is not None


def _attachable(worker):
    for volume in worker.spec.get("volumes", ()):
        found = claim_of(worker, volume) and persistent_volume(worker, volume)
        if found and volume_id(found):
            yield volume_id(found)


def _patch(worker, change):
    """The Response, or None if nothing changes."""
    before = at(worker.node, "status", "volumesInUse", default=[])
    after = change(before)
    if after == before:
        return None
    return worker.client().patch("nodes", "", worker.key.node, {"status": {"volumesInUse": after or None}}, "status", "merge")


def is_waiting(worker, volume):
    """Whether the volume is still to be attached to the node."""
    found = persistent_volume(worker, volume)
    return "csi" in found["spec"] and not csi.is_attached(worker.kubelet.api, found, worker.key.node)


def mount(worker, volume):
    """Make the volume ready for the Pod, with what is in it. Returns the message of a FailedMount event if that fails, else None."""
    found = persistent_volume(worker, volume)
    if "csi" in found["spec"]:
        problem = csi.publish(worker, found, volume["name"])
        if problem:
            return problem
    else:
        worker.say("kubelet", "MountVolume", None, volume=volume["name"], kind="persistentVolumeClaim")
    texts = worker.kubelet.etcd.read(CONTENTS, found["metadata"]["name"])
    if texts:
        worker.kubelet.runtime.fill(worker.key, volume["name"], texts)
    return None


def unmount(worker, volume):
    """Undo it; returns the volume's id if the node needs it no longer."""
    found = persistent_volume(worker, volume)
    if found is None:
        return None
    texts = worker.kubelet.runtime.contents(worker.key, volume["name"])
    if texts is not None:
        worker.kubelet.etcd.write(CONTENTS, found["metadata"]["name"], texts)
    if "csi" in found["spec"]:
        return volume_id(found) if csi.unpublish(worker, found, volume["name"]) else None
    worker.say("kubelet", "UnmountVolume", None, volume=volume["name"], kind="persistentVolumeClaim")
    return None
