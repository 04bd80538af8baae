"""PersistentVolume controller: binds claims and volumes to each other, or asks for provisioning (pkg/controller/volume/persistentvolume)."""
from ....component import Component
from ....objects import at, is_terminal, name_of, replaced
from ....storage import BIND_COMPLETED, BOUND_BY_CONTROLLER, PROVISIONER_ANNOTATIONS, SELECTED_NODE
from ....timings import API_CALL, SECOND
from .matching import best_match, is_for

WAITING = (
    "Waiting for a volume to be created either by the external provisioner '{}' or manually by the system administrator. "
    "If volume creation is delayed, please verify that the provisioner is running and correctly registered.")
RESYNC = 15 * SECOND           # --pvclaimbinder-sync-period: what is not bound is looked at again on this grid


class Binder(Component):
    """Work keys are "claim/NAMESPACE/NAME" and "volume/NAME"."""

    name = "persistentvolume-binder"
    user = "system:serviceaccount:kube-system:persistent-volume-binder"
    event_source = {"component": "persistentvolume-controller"}

    def watched(self):
        return {"persistentvolumeclaims": self._claim_changed, "persistentvolumes": lambda change: (f"volume/{change.object['metadata']['name']}",)}

    @staticmethod
    def _claim_changed(change):
        volume = change.object["spec"].get("volumeName")
        return (f"claim/{name_of(change.object)}", *([f"volume/{volume}"] if volume else ()))

    def resync(self):
        yield from (f"claim/{name_of(claim)}" for claim in self.api.list("persistentvolumeclaims"))
        yield from (f"volume/{name_of(volume)}" for volume in self.api.list("persistentvolumes"))

    def reconcile(self, key):
        kind, _, name = key.partition("/")
        return self._claim(*name.split("/")) if kind == "claim" else self._volume(name)

    # -- claims ------------------------------------------------------------------------------------------------------------
    def _claim(self, namespace, name):
        claim = self.api.get("persistentvolumeclaims", namespace, name)
        if claim is None:
            return None
        if BIND_COMPLETED in at(claim, "metadata", "annotations", default={}):
            return self._bound(claim)
        volume = self._volume_for(claim)
        if volume:
            return self._bind(claim, volume)
        if claim["spec"].get("volumeName"):
            return self._next_resync()
        return self._without_volume(claim)

    def _volume_for(self, claim):
        wanted = claim["spec"].get("volumeName")
        if wanted:
            volume = self.api.get("persistentvolumes", "", wanted)
            return volume if volume and (not volume["spec"].get("claimRef") or is_for(volume, claim)) else None
        return best_match(self.api.list("persistentvolumes"), claim, only_prebound=self._is_delayed(claim))

    def _class(self, claim):
        return self.api.get("storageclasses.storage.k8s.io", "", claim["spec"].get("storageClassName") or "-")

    def _is_delayed(self, claim):
        """A claim of a WaitForFirstConsumer class waits until the scheduler has chosen a node for its Pod."""
        found = self._class(claim)
        waits = bool(found) and found.get("volumeBindingMode") == "WaitForFirstConsumer"
        return waits and SELECTED_NODE not in at(claim, "metadata", "annotations", default={})

    def _without_volume(self, claim):
        """Nothing fits: say why, or ask the class's provisioner."""
        wanted, found = claim["spec"].get("storageClassName"), self._class(claim)
        if self._is_delayed(claim):
            self._wait_for_consumer(claim)
        elif not wanted:
            self.event(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set")
        elif not found:
            self.event(claim, "Warning", "ProvisioningFailed", f'storageclass.storage.k8s.io "{wanted}" not found')
        elif found["provisioner"] == "kubernetes.io/no-provisioner":
            self.event(claim, "Warning", "ProvisioningFailed", "no volume plugin matched name: kubernetes.io/no-provisioner")
        else:
            self._ask_for_provisioning(claim, found["provisioner"])
        return self._next_resync()

    def _wait_for_consumer(self, claim):
        pods = self.indexes.find("pods by claim", name_of(claim)).values()
        names = [pod["metadata"]["name"] for pod in pods if not is_terminal(pod) and not pod["spec"].get("nodeName")]
        if names:
            self.event(claim, "Normal", "WaitForPodScheduled", f"waiting for pod{'s' if len(names) > 1 else ''} {','.join(names)} to be scheduled")
        else:
            self.event(claim, "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding")

    def _ask_for_provisioning(self, claim, provisioner):
        annotations = at(claim, "metadata", "annotations", default={})
        if any(name not in annotations for name in PROVISIONER_ANNOTATIONS):
            asked = {**annotations, **dict.fromkeys(PROVISIONER_ANNOTATIONS, provisioner)}
            self.api.update("persistentvolumeclaims", replaced(claim, asked, "metadata", "annotations"))
        self.event(claim, "Normal", "ExternalProvisioning", WAITING.format(provisioner))

    def _bound(self, claim):
        """A claim that was bound: it is Lost when its volume has gone or is another's; a volume that forgot it is bound again."""
        wanted = claim["spec"].get("volumeName")
        volume = self.api.get("persistentvolumes", "", wanted) if wanted else None
        if volume is None:
            return self._lose(claim, "ClaimLost", f"Bound claim has lost {'its' if wanted else 'reference to'} PersistentVolume. Data on the volume is lost!")
        if volume["spec"].get("claimRef") and not is_for(volume, claim):
            return self._lose(claim, "ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly")
        return self._bind(claim, volume)

    def _lose(self, claim, reason, message):
        if at(claim, "status", "phase") != "Lost":
            self.event(claim, "Warning", reason, message)
            self.api.update_status("persistentvolumeclaims", replaced(claim, "Lost", "status", "phase"))

    def _bind(self, claim, volume):
        """The next of the four writes that bind both ways; None when all are done."""
        if not at(volume, "spec", "claimRef", "uid"):
            self.api.update("persistentvolumes", self._volume_claimed(volume, claim))
        elif at(volume, "status", "phase") != "Bound":
            self._set_phase(volume, "Bound")
        elif BIND_COMPLETED not in at(claim, "metadata", "annotations", default={}) or claim["spec"].get("volumeName") != volume["metadata"]["name"]:
            self.api.update("persistentvolumeclaims", self._claim_given(claim, volume))
        elif at(claim, "status", "phase") != "Bound":
            status = {"phase": "Bound", "accessModes": volume["spec"].get("accessModes", []), "capacity": volume["spec"].get("capacity", {})}
            self.api.update_status("persistentvolumeclaims", replaced(claim, {**claim["status"], **status}, "status"))
        else:
            return None
        return API_CALL

    @staticmethod
    def _volume_claimed(volume, claim):
        meta = claim["metadata"]
        reference = {"kind": "PersistentVolumeClaim", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"], "apiVersion": "v1",
                     "resourceVersion": meta["resourceVersion"]}
        claimed = replaced(volume, reference, "spec", "claimRef")
        return claimed if volume["spec"].get("claimRef") else replaced(claimed, "yes", "metadata", "annotations", BOUND_BY_CONTROLLER)

    @staticmethod
    def _claim_given(claim, volume):
        marks = {BIND_COMPLETED: "yes"}
        if not claim["spec"].get("volumeName"):
            marks[BOUND_BY_CONTROLLER] = "yes"
        annotations = {**at(claim, "metadata", "annotations", default={}), **marks}
        return replaced(replaced(claim, annotations, "metadata", "annotations"), volume["metadata"]["name"], "spec", "volumeName")

    # -- volumes -----------------------------------------------------------------------------------------------------------
    def _volume(self, name):
        volume = self.api.get("persistentvolumes", "", name)
        if volume is None:
            return None
        reference, phase = volume["spec"].get("claimRef"), at(volume, "status", "phase")
        if not reference or not reference.get("uid"):
            if phase != "Available":
                self._set_phase(volume, "Available")
            if reference:
                self.again(f"claim/{reference.get('namespace', '')}/{reference.get('name', '')}", API_CALL)
            else:
                self._forgotten(name)
            return None
        claim = self.api.get("persistentvolumeclaims", reference.get("namespace", ""), reference.get("name", ""))
        if claim is None or claim["metadata"]["uid"] != reference["uid"]:
            if phase not in ("Released", "Failed"):
                self._set_phase(volume, "Released")
        elif at(claim, "status", "phase") != "Bound":
            self.again(f"claim/{name_of(claim)}", API_CALL)
        return None

    def _forgotten(self, volume):
        """Claims that are bound to a volume which does not know of them notice it when they are next looked at."""
        for claim in self.api.list("persistentvolumeclaims"):
            if claim["spec"].get("volumeName") == volume:
                self.again(f"claim/{name_of(claim)}", self._next_resync())

    def _set_phase(self, volume, phase):
        status = {**(volume.get("status") or {}), "phase": phase, "lastPhaseTransitionTime": self.clock.timestamp()}
        self.api.update_status("persistentvolumes", replaced(volume, status, "status"))

    def _next_resync(self):
        return RESYNC - self.clock.now % RESYNC
