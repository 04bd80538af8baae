"""Volumes, claims and classes."""
from lifecycle.simulation.label_text import pairs
from lifecycle.simulation.objects import at
from lifecycle.simulation.summaries import access_modes, class_name, is_default_class

from .page import NONE, Query, bracketed, capitalized, long_time
from .volumes import describe_source


def persistent_volume(page, thing):
    meta, spec = thing["metadata"], thing.get("spec", {})
    page.metadata(thing, namespace=False)
    page.field("Finalizers", bracketed(meta.get("finalizers")))
    page.field("StorageClass", class_name(thing))
    page.field("Status", _status(page, thing))
    claim = spec.get("claimRef")
    page.field("Claim", f"{claim.get('namespace', '')}/{claim.get('name', '')}" if claim else "")
    page.field("Reclaim Policy", spec.get("persistentVolumeReclaimPolicy", ""))
    page.field("Access Modes", access_modes(spec.get("accessModes")))
    page.optional("VolumeMode", spec.get("volumeMode"))
    page.field("Capacity", at(spec, "capacity", "storage", default="0"))
    _affinity(page, at(spec, "nodeAffinity", "required"))
    page.field("Message", at(thing, "status", "message", default=""))
    page.line("Source:")
    describe_source(page, spec)
    page.events(thing)


def _status(page, thing):
    deleted = thing["metadata"].get("deletionTimestamp")
    return f"Terminating (lasts {page.age(deleted)})" if deleted else at(thing, "status", "phase", default="")


def _affinity(page, required):
    page.field("Node Affinity", "" if required else NONE)
    if not required:
        return
    terms = required.get("nodeSelectorTerms") or ()
    page.field("Required Terms", "" if terms else NONE, 1)
    for position, term in enumerate(terms):
        page.several(f"Term {position}", [_expression(each) for each in term.get("matchExpressions") or ()], 2)


def _expression(expression):
    text = f"{expression['key']} {expression.get('operator', 'In').lower()}"
    return f"{text} [{', '.join(expression['values'])}]" if expression.get("values") else text


def persistent_volume_claim(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    users = _users(page, thing)
    events = page.find_events(thing)
    bound = bool(spec.get("volumeName"))
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.field("StorageClass", class_name(thing))
    page.field("Status", _status(page, thing))
    page.field("Volume", spec.get("volumeName", ""))
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.field("Finalizers", bracketed(meta.get("finalizers")))
    page.field("Capacity", at(status, "capacity", "storage", default="0") if bound else "")
    page.field("Access Modes", access_modes(status.get("accessModes")) if bound else "")
    page.optional("VolumeMode", spec.get("volumeMode"))
    if spec.get("dataSource"):
        page.line("DataSource:")
        page.optional("APIGroup", spec["dataSource"].get("apiGroup"), 1)
        page.field("Kind", spec["dataSource"].get("kind", ""), 1)
        page.field("Name", spec["dataSource"].get("name", ""), 1)
    page.several("Used By", users)
    _claim_conditions(page, status)
    if page.with_events:
        page.event_table(events)


def _users(page, thing):
    """The names of the Pods that mount a claim, and of those that own it."""
    name, owners = thing["metadata"]["name"], {owner["uid"] for owner in thing["metadata"].get("ownerReferences") or () if owner["kind"] == "Pod"}
    found = page.lookup(Query("pods", thing["metadata"].get("namespace", "")))
    return sorted([pod["metadata"]["name"] for pod in found if pod["metadata"].get("uid") in owners or any(
        at(volume, "persistentVolumeClaim", "claimName") == name for volume in at(pod, "spec", "volumes", default=()))])


def _claim_conditions(page, status):
    if status.get("conditions"):
        page.line("Conditions:")
        rows = [(f"{each['type']} ", f"{each['status']} ", f"{long_time(each.get('lastProbeTime'))} ", f"{long_time(each.get('lastTransitionTime'))} ",
                 f"{each.get('reason', '')} ", each.get("message", "")) for each in status["conditions"]]
        page.table(1, ("Type", "Status", "LastProbeTime", "LastTransitionTime", "Reason", "Message"), rows,
                   ("----", "------", "-----------------", "------------------", "------", "-------"))


def storage_class(page, thing):
    page.field("Name", thing["metadata"]["name"])
    page.field("IsDefaultClass", "Yes" if is_default_class(thing) else "No")
    page.field("Annotations", pairs(thing["metadata"].get("annotations")))
    page.field("Provisioner", thing.get("provisioner", ""))
    page.field("Parameters", pairs(thing.get("parameters")))
    page.field("AllowVolumeExpansion", capitalized(thing.get("allowVolumeExpansion")))
    page.line("MountOptions:" if thing.get("mountOptions") else f"MountOptions:\t{NONE}")
    for option in thing.get("mountOptions") or ():
        page.line(option, 1)
    page.optional("ReclaimPolicy", thing.get("reclaimPolicy"))
    page.optional("VolumeBindingMode", thing.get("volumeBindingMode"))
    if thing.get("allowedTopologies") is not None:
        page.field("AllowedTopologies", "" if thing["allowedTopologies"] else NONE)
        for position, term in enumerate(thing["allowedTopologies"]):
            page.several(f"Term {position}", [_expression(each) for each in term.get("matchLabelExpressions") or ()], 1)
    page.events(thing)


def volume_attributes_class(page, thing):
    page.field("Name", thing["metadata"]["name"])
    page.field("Annotations", pairs(thing["metadata"].get("annotations")))
    page.field("DriverName", thing.get("driverName", ""))
    page.field("Parameters", pairs(thing.get("parameters")))
    page.events(thing)


def csi_node(page, thing):
    page.metadata(thing, namespace=False)
    page.field("CreationTimestamp", long_time(thing["metadata"].get("creationTimestamp")))
    page.line("Spec:")
    if at(thing, "spec", "drivers") is not None:
        page.line("Drivers:", 1)
    for driver in at(thing, "spec", "drivers", default=()):
        page.line(f"{driver['name']}:", 2)
        page.field("Node ID", driver.get("nodeID", ""), 3)
        if at(driver, "allocatable", "count") is not None:
            page.line("Allocatables:", 3)
            page.field("Count", driver["allocatable"]["count"], 4)
        if driver.get("topologyKeys") is not None:
            page.field("Topology Keys", bracketed(driver["topologyKeys"]), 3)
    page.events(thing)


DESCRIBERS = {
    "persistentvolumes": persistent_volume, "persistentvolumeclaims": persistent_volume_claim, "storageclasses.storage.k8s.io": storage_class,
    "volumeattributesclasses.storage.k8s.io": volume_attributes_class, "csinodes.storage.k8s.io": csi_node,
}
