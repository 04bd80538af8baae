"""external-provisioner: makes a volume for a claim that asks for one, and deletes it when it is released."""
from ...objects import at, is_deleting, name_of, replaced
from ...storage import DRIVER, PROVISIONED_BY, PROVISIONER_ANNOTATIONS, PROVISIONER_FINALIZER, SELECTED_NODE
from ...timings import API_CALL
from .sidecar import Sidecar

CREATE_VOLUME = 800            # virtual ms; a cloud's block storage takes about a second
DELETE_VOLUME = 500


class Provisioner(Sidecar):
    """Work keys are "claim/NAMESPACE/NAME" and "volume/NAME"."""

    name = "external-provisioner"
    user = "system:serviceaccount:kube-system:csi-provisioner"
    manager = "csi-provisioner"
    event_source = {"component": f"{DRIVER}_csi-provisioner"}

    def watched(self):
        return {"persistentvolumeclaims": self._of_claim, "persistentvolumes": self._of_volume}

    @staticmethod
    def _of_claim(change):
        asked = at(change.object, "metadata", "annotations", PROVISIONER_ANNOTATIONS[1]) == DRIVER
        return (f"claim/{name_of(change.object)}",) if asked and not change.object["spec"].get("volumeName") else ()

    @staticmethod
    def _of_volume(change):
        return (f"volume/{name_of(change.object)}",) if at(change.object, "metadata", "annotations", PROVISIONED_BY) == DRIVER else ()

    def resync(self):
        yield from (f"claim/{name_of(claim)}" for claim in self.api.list("persistentvolumeclaims"))
        yield from (f"volume/{name_of(volume)}" for volume in self.api.list("persistentvolumes"))

    def reconcile(self, key):
        kind, _, name = key.partition("/")
        return self._claim(key, *name.split("/")) if kind == "claim" else self._volume(key, name)

    # -- a claim gets a volume ---------------------------------------------------------------------------------------------
    def _claim(self, key, namespace, name):
        claim = self.api.get("persistentvolumeclaims", namespace, name)
        storage_class = claim and self.api.get("storageclasses.storage.k8s.io", "", claim["spec"].get("storageClassName", ""))
        if not storage_class or not self._is_wanted(claim, storage_class):
            self.write(key, None)
            return None
        return self._create_volume(key, claim) or self._publish(key, claim, storage_class)

    def _is_wanted(self, claim, storage_class):
        annotations = at(claim, "metadata", "annotations", default={})
        delayed = storage_class.get("volumeBindingMode") == "WaitForFirstConsumer"
        return (annotations.get(PROVISIONER_ANNOTATIONS[1]) == DRIVER and not claim["spec"].get("volumeName") and not is_deleting(claim)
                and (not delayed or SELECTED_NODE in annotations) and not self.api.get("persistentvolumes", "", self._volume_name(claim)))

    @staticmethod
    def _volume_name(claim):
        return f"pvc-{claim['metadata']['uid']}"

    def _create_volume(self, key, claim):
        """ms until the driver has a volume."""
        name, capacity = name_of(claim), claim["spec"]["resources"]["requests"]["storage"]
        if self.read(key) is None:
            self.event(claim, "Normal", "Provisioning", f'External provisioner is provisioning volume for claim "{name}"')
        return self.call(key, "CreateVolume", CREATE_VOLUME, self._volume_name(claim), f"/registry/persistentvolumeclaims/{name}", {"capacity": capacity})

    def _publish(self, key, claim, storage_class):
        self.write(key, None)
        meta, name = claim["metadata"], self._volume_name(claim)
        reference = {"kind": "PersistentVolumeClaim", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"], "apiVersion": "v1",
                     "resourceVersion": meta["resourceVersion"]}
        made = self.api.create("persistentvolumes", "", {
            "apiVersion": "v1", "kind": "PersistentVolume",
            "metadata": {"name": name, "annotations": {PROVISIONED_BY: DRIVER}, "finalizers": [PROVISIONER_FINALIZER]},
            "spec": {"capacity": {"storage": claim["spec"]["resources"]["requests"]["storage"]},
                     "csi": {"driver": DRIVER, "volumeHandle": f"vol-{meta['uid']}", "fsType": "ext4"},
                     "accessModes": claim["spec"]["accessModes"], "claimRef": reference,
                     "persistentVolumeReclaimPolicy": storage_class.get("reclaimPolicy", "Delete"),
                     "storageClassName": storage_class["metadata"]["name"], "volumeMode": claim["spec"].get("volumeMode", "Filesystem")}})
        if made.ok:
            self.event(claim, "Normal", "ProvisioningSucceeded", f"Successfully provisioned volume {name}")

    # -- a released volume goes --------------------------------------------------------------------------------------------
    def _volume(self, key, name):
        volume = self.api.get("persistentvolumes", "", name)
        if volume is None or at(volume, "metadata", "annotations", PROVISIONED_BY) != DRIVER:
            return None
        if at(volume, "status", "phase") != "Released" or volume["spec"].get("persistentVolumeReclaimPolicy") != "Delete":
            return self._let_go(volume) if is_deleting(volume) and at(volume, "status", "phase") != "Bound" else None
        left = self.call(key, "DeleteVolume", DELETE_VOLUME, volume["spec"]["csi"]["volumeHandle"], f"/registry/persistentvolumes/{name}")
        if left:
            return left
        if not is_deleting(volume):
            self.api.delete("persistentvolumes", "", name)
            return API_CALL
        return self._let_go(volume)

    def _let_go(self, volume):
        self.write(f"volume/{name_of(volume)}", None)
        kept = [each for each in volume["metadata"].get("finalizers") or () if each != PROVISIONER_FINALIZER]
        if kept != volume["metadata"].get("finalizers"):
            self.api.update("persistentvolumes", replaced(volume, kept, "metadata", "finalizers"))
