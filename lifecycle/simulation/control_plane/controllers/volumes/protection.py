"""Finalizers that keep a claim while a Pod uses it, and a volume while it is bound (pkg/controller/volume/pvcprotection, pvprotection)."""
from ....component import Component
from ....objects import is_deleting, name_of, replaced
from ....storage import claims_of

CLAIM_FINALIZER = "kubernetes.io/pvc-protection"
VOLUME_FINALIZER = "kubernetes.io/pv-protection"


def without_finalizer(thing, finalizer):
    return replaced(thing, [each for each in thing["metadata"].get("finalizers") or () if each != finalizer], "metadata", "finalizers")


class Protection(Component):
    """Takes its finalizer off an object that is being deleted and no longer used."""

    resource = finalizer = ""

    def reconcile(self, key):
        namespace, _, name = key.rpartition("/")
        thing = self.api.get(self.resource, namespace, name)
        if thing and is_deleting(thing) and self.finalizer in (thing["metadata"].get("finalizers") or ()) and not self.is_used(thing):
            self.api.update(self.resource, without_finalizer(thing, self.finalizer))

    @staticmethod
    def deleting(change):
        return (name_of(change.object),) if change.type != "DELETED" and is_deleting(change.object) else ()


class ClaimProtection(Protection):
    name = "pvc-protection"
    user = "system:serviceaccount:kube-system:pvc-protection-controller"
    resource, finalizer = "persistentvolumeclaims", CLAIM_FINALIZER

    def watched(self):
        return {"persistentvolumeclaims": self.deleting, "pods": self._claims_let_go}

    @staticmethod
    def _claims_let_go(change):
        return [f"{change.object['metadata']['namespace']}/{claim}" for claim in claims_of(change.object)] if change.type == "DELETED" else ()

    def is_used(self, claim):
        """A claim is used by every scheduled Pod that names it, finished ones too, until the Pod's object is gone."""
        return any(pod["spec"].get("nodeName") for pod in self.indexes.find("pods by claim", name_of(claim)).values())


class VolumeProtection(Protection):
    name = "pv-protection"
    user = "system:serviceaccount:kube-system:pv-protection-controller"
    resource, finalizer = "persistentvolumes", VOLUME_FINALIZER

    def watched(self):
        return {"persistentvolumes": self.deleting}

    @staticmethod
    def is_used(volume):
        return (volume.get("status") or {}).get("phase") == "Bound"
