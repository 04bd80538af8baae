"""external-attacher: carries out VolumeAttachments by calls to the driver."""
from ...objects import at, is_deleting, name_of
from ...storage import ATTACHER_FINALIZER, DRIVER
from ...timings import API_CALL
from .sidecar import Sidecar

CONTROLLER_PUBLISH = 500       # virtual ms
CONTROLLER_UNPUBLISH = 300
ATTACHMENTS = "volumeattachments.storage.k8s.io"


class Attacher(Sidecar):
    """Work keys are the names of VolumeAttachments."""

    name = "external-attacher"
    user = "system:serviceaccount:kube-system:csi-attacher"
    manager = "csi-attacher"
    event_source = {"component": f"{DRIVER}_csi-attacher"}

    def watched(self):
        return {ATTACHMENTS: lambda change: (name_of(change.object),) if change.object["spec"]["attacher"] == DRIVER and change.type != "DELETED" else ()}

    def reconcile(self, key):
        attachment = self.api.get(ATTACHMENTS, "", key)
        if attachment is None:
            self.write(key, None)
            return None
        if is_deleting(attachment):
            return self._detach(key, attachment)
        if at(attachment, "status", "attached"):
            return None
        if ATTACHER_FINALIZER not in (attachment["metadata"].get("finalizers") or ()):
            self.api.patch(ATTACHMENTS, "", key, {"metadata": {"finalizers": [ATTACHER_FINALIZER]}}, patch_type="merge")
            return API_CALL
        left = self._call_about(attachment, "ControllerPublishVolume", CONTROLLER_PUBLISH)
        if left:
            return left
        self.write(key, None)
        self.api.patch(ATTACHMENTS, "", key, {"status": {"attached": True}}, "status", "merge")
        return None

    def _detach(self, key, attachment):
        left = self._call_about(attachment, "ControllerUnpublishVolume", CONTROLLER_UNPUBLISH)
        if left:
            return left
        self.write(key, None)
        self.api.patch(ATTACHMENTS, "", key, {"metadata": {"finalizers": None}}, patch_type="merge")
        return None

    def _call_about(self, attachment, call, duration):
        key, volume = name_of(attachment), at(attachment, "spec", "source", "persistentVolumeName")
        return self.call(key, call, duration, volume, f"/registry/volumeattachments/{key}", {"node": attachment["spec"]["nodeName"]})
