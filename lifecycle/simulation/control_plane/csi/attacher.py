"""external-attacher: carries out VolumeAttachments by calls to the driver."""
from math import inf

from ...broken import read
from ...objects import at, is_deleting, name_of
from ...storage import ATTACHER_FINALIZER, DRIVER
from ...timings import API_CALL, MINUTE, SECOND
from .sidecar import Sidecar

CONTROLLER_PUBLISH = 500       # virtual ms
CONTROLLER_UNPUBLISH = 300
TIMEOUT = 15 * SECOND          # --timeout of a call to the driver
FIRST_RETRY, LONGEST_RETRY = SECOND, 5 * MINUTE          # --retry-interval-start, --retry-interval-max
TIMED_OUT = "rpc error: code = DeadlineExceeded desc = context deadline exceeded"
ATTACHMENTS = "volumeattachments.storage.k8s.io"


class Attacher(Sidecar):
    """Work keys are the names of VolumeAttachments. Under "failed NAME" it keeps {"began": ms of the first call, "times", "next": ms of the next call}."""

    name = "external-attacher"
    user = "system:serviceaccount:kube-system:csi-attacher"
    manager = "csi-attacher"
    event_source = {"component": f"{DRIVER}_csi-attacher"}

    def watched(self):
        return {ATTACHMENTS: lambda change: (name_of(change.object),) if change.object["spec"]["attacher"] == DRIVER and change.type != "DELETED" else ()}

    def reconcile(self, key):
        attachment = self.api.get(ATTACHMENTS, "", key)
        if attachment is None:
            self._forget(key)
            return None
        if is_deleting(attachment):
            return self._detach(key, attachment)
        if at(attachment, "status", "attached"):
            return None
        if ATTACHER_FINALIZER not in (attachment["metadata"].get("finalizers") or ()):
            self.api.patch(ATTACHMENTS, "", key, {"metadata": {"finalizers": [ATTACHER_FINALIZER]}}, patch_type="merge")
            return API_CALL
        return self._attach(key, attachment)

    def _attach(self, key, attachment):
        """Call the driver until it has attached the volume; it goes on with what it has begun after a call was given up."""
        failed = self.read(f"failed {key}", {"began": self.clock.now, "times": 0, "next": 0})
        if failed["next"] > self.clock.now:
            return failed["next"] - self.clock.now
        running = self.read(key)
        began = failed["began"] if failed["times"] or running is None else running["began"]
        takes = self._takes()
        ready = inf if takes is None else began + takes
        left = self._call_about(attachment, "ControllerPublishVolume", min(max(ready - self.clock.now, 0), TIMEOUT))
        if left:
            return left
        if ready > self.clock.now:
            return self._give_up(key, {**failed, "began": began})
        self._forget(key)
        error = {"attachError": None} if at(attachment, "status", "attachError") else {}
        self.api.patch(ATTACHMENTS, "", key, {"status": {"attached": True, **error}}, "status", "merge")
        return None

    def _takes(self):
        """ms that the driver takes to attach a volume now; None for ever."""
        fault = read(self.etcd, "attach")
        return CONTROLLER_PUBLISH if fault is None else fault["seconds"] and fault["seconds"] * SECOND

    def _give_up(self, key, failed):
        """The call took too long: say so in the status, and try again later."""
        times = failed["times"] + 1
        wait = min(FIRST_RETRY << (times - 1), LONGEST_RETRY)
        self.write(key, None)
        self.write(f"failed {key}", {**failed, "times": times, "next": self.clock.now + wait})
        error = {"time": self.clock.timestamp(), "message": TIMED_OUT}
        self.api.patch(ATTACHMENTS, "", key, {"status": {"attached": False, "attachError": error}}, "status", "merge")
        return wait

    def _forget(self, key):
        self.write(key, None)
        self.write(f"failed {key}", None)

    def _detach(self, key, attachment):
        left = self._call_about(attachment, "ControllerUnpublishVolume", CONTROLLER_UNPUBLISH)
        if left:
            return left
        self._forget(key)
        self.api.patch(ATTACHMENTS, "", key, {"metadata": {"finalizers": None}}, patch_type="merge")
        return None

    def _call_about(self, attachment, call, duration):
        key, volume = name_of(attachment), at(attachment, "spec", "source", "persistentVolumeName")
        return self.call(key, call, duration, volume, f"/registry/volumeattachments/{key}", {"node": attachment["spec"]["nodeName"]})
