"""The rows of volumes, claims and what provides them."""
from lifecycle.simulation.objects import at, is_deleting
from lifecycle.simulation.summaries import access_modes, class_name, is_default_class

from .cells import created, name_and_age


def persistent_volume(thing, clock):
    spec, claim = thing.get("spec", {}), at(thing, "spec", "claimRef")
    return [thing["metadata"]["name"], at(spec, "capacity", "storage", default="0"), access_modes(spec.get("accessModes")),
            spec.get("persistentVolumeReclaimPolicy", ""), _phase(thing), f"{claim.get('namespace', '')}/{claim.get('name', '')}" if claim else "",
            class_name(thing), spec.get("volumeAttributesClassName") or "<unset>", at(thing, "status", "reason", default=""), created(thing, clock),
            spec.get("volumeMode") or "<unset>"]


def persistent_volume_claim(thing, clock):
    spec, status = thing.get("spec", {}), thing.get("status", {})
    bound = bool(spec.get("volumeName"))
    return [thing["metadata"]["name"], _phase(thing), spec.get("volumeName", ""), at(status, "capacity", "storage", default="0") if bound else "",
            access_modes(status.get("accessModes")) if bound else "", class_name(thing), spec.get("volumeAttributesClassName") or "<unset>",
            created(thing, clock), spec.get("volumeMode") or "<unset>"]


def _phase(thing):
    return "Terminating" if is_deleting(thing) else at(thing, "status", "phase", default="")


def storage_class(thing, clock):
    return [thing["metadata"]["name"] + (" (default)" if is_default_class(thing) else ""), thing.get("provisioner", ""), thing.get("reclaimPolicy") or "Delete",
            thing.get("volumeBindingMode") or "Immediate", bool(thing.get("allowVolumeExpansion")), created(thing, clock)]


def volume_attachment(thing, clock):
    spec = thing.get("spec", {})
    return [thing["metadata"]["name"], spec.get("attacher", ""), at(spec, "source", "persistentVolumeName", default=""), spec.get("nodeName", ""),
            at(thing, "status", "attached", default=False), created(thing, clock)]


def csi_node(thing, clock):
    return [thing["metadata"]["name"], len(at(thing, "spec", "drivers", default=())), created(thing, clock)]


def csi_driver(thing, clock):
    spec = thing.get("spec", {})
    tokens = spec.get("tokenRequests")
    return [thing["metadata"]["name"], spec.get("attachRequired", True), spec.get("podInfoOnMount", False), spec.get("storageCapacity", False),
            "<unset>" if tokens is None else ",".join([token.get("audience", "") for token in tokens]), spec.get("requiresRepublish", False),
            ",".join(spec.get("volumeLifecycleModes") or ()) or "<none>", created(thing, clock)]


def csi_storage_capacity(thing, clock):
    return [thing["metadata"]["name"], thing.get("storageClassName", ""), thing.get("capacity") or "<unset>"]


def volume_attributes_class(thing, clock):
    return [thing["metadata"]["name"], thing.get("driverName", ""), created(thing, clock)]


def resource_claim(thing, clock):
    return [thing["metadata"]["name"], _claim_state(thing), created(thing, clock)]


def _claim_state(thing):
    states = [("deleted", is_deleting(thing)), ("allocated", at(thing, "status", "allocation")), ("reserved", at(thing, "status", "reservedFor"))]
    return ",".join([name for name, holds in states if holds]) or "pending"


def resource_slice(thing, clock):
    spec = thing.get("spec", {})
    return [thing["metadata"]["name"], spec.get("nodeName") or "<unset>", spec.get("driver", ""), at(spec, "pool", "name", default=""), created(thing, clock)]


CELLS = {
    "persistentvolumes": persistent_volume, "persistentvolumeclaims": persistent_volume_claim, "storageclasses.storage.k8s.io": storage_class,
    "volumeattachments.storage.k8s.io": volume_attachment, "csinodes.storage.k8s.io": csi_node, "csidrivers.storage.k8s.io": csi_driver,
    "csistoragecapacities.storage.k8s.io": csi_storage_capacity, "volumeattributesclasses.storage.k8s.io": volume_attributes_class,
    "resourceclaims.resource.k8s.io": resource_claim, "resourceslices.resource.k8s.io": resource_slice,
    "resourceclaimtemplates.resource.k8s.io": name_and_age, "deviceclasses.resource.k8s.io": name_and_age,
}
