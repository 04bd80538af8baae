"""external-attacher: carries out VolumeAttachments by calls to the driver."""
from ...component import Component
from ...objects import at, is_deleting, name_of
from ...storage import ATTACHER_FINALIZER, DRIVER
from ...timings import API_CALL

CONTROLLER_PUBLISH = 500       # virtual ms
CONTROLLER_UNPUBLISH = 300
ATTACHMENTS = "volumeattachments.storage.k8s.io"


class Attacher(Component):
    """Work keys are the names of VolumeAttachments. Kept on disk while the driver works: when it will have finished."""

    name = "external-attacher"
    actor = "csi"
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
        if not self._has_called(key, "ControllerPublishVolume", CONTROLLER_PUBLISH, attachment):
            return self.read(key)["until"] - self.clock.now
        self.write(key, None)
        self.api.patch(ATTACHMENTS, "", key, {"status": {"attached": True}}, "status", "merge")
        return None

    def _detach(self, key, attachment):
        if not self._has_called(key, "ControllerUnpublishVolume", CONTROLLER_UNPUBLISH, attachment):
            return self.read(key)["until"] - self.clock.now
        self.write(key, None)
        self.api.patch(ATTACHMENTS, "", key, {"metadata": {"finalizers": None}}, patch_type="merge")
        return None

    def _has_called(self, key, call, duration, attachment):
        """Start a call to the driver unless it runs; True when it has finished."""
        running = self.read(key)
        if running is None or running["call"] != call:
            volume = at(attachment, "spec", "source", "persistentVolumeName")
            self.say("csi", call, f"{call} {volume}", f"/registry/volumeattachments/{key}", {"node": attachment["spec"]["nodeName"]})
            self.write(key, {"call": call, "until": self.clock.now + duration})
            return False
        return running["until"] <= self.clock.now
