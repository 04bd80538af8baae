"""Where volumes come from: one row of SOURCES for each kind of source, in the order in which kubectl looks for them."""
from lifecycle.simulation.objects import at
from lifecycle.simulation.quantities import value
from lifecycle.simulation.summaries import class_name

from ..go_values import go_text
from .page import LONGEST_ANNOTATION, NONE, UNSET, lower

# field -> (what kubectl calls it, ((label, field of the source, default), ...)); a default of False prints a boolean, one of [] a list with commas
SOURCES = {
    "hostPath": ("HostPath (bare host directory volume)", (("Path", "path", ""), ("HostPathType", "type", NONE))),
    "emptyDir": ("EmptyDir (a temporary directory that shares a pod's lifetime)", (("Medium", "medium", ""), ("SizeLimit", "sizeLimit", UNSET))),
    "gcePersistentDisk": ("GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)", (
        ("PDName", "pdName", ""), ("FSType", "fsType", ""), ("Partition", "partition", 0), ("ReadOnly", "readOnly", False))),
    "awsElasticBlockStore": ("AWSElasticBlockStore (a Persistent Disk resource in AWS)", (
        ("VolumeID", "volumeID", ""), ("FSType", "fsType", ""), ("Partition", "partition", 0), ("ReadOnly", "readOnly", False))),
    "gitRepo": ("GitRepo (a volume that is pulled from git when the pod is created)", (("Repository", "repository", ""), ("Revision", "revision", ""))),
    "secret": ("Secret (a volume populated by a Secret)", (("SecretName", "secretName", ""), ("Optional", "optional", False))),
    "configMap": ("ConfigMap (a volume populated by a ConfigMap)", (("Name", "name", ""), ("Optional", "optional", False))),
    "nfs": ("NFS (an NFS mount that lasts the lifetime of a pod)", (("Server", "server", ""), ("Path", "path", ""), ("ReadOnly", "readOnly", False))),
    "iscsi": ("ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)", (
        ("TargetPortal", "targetPortal", ""), ("IQN", "iqn", ""), ("Lun", "lun", 0), ("ISCSIInterface", "iscsiInterface", "default"),
        ("FSType", "fsType", ""), ("ReadOnly", "readOnly", False), ("Portals", "portals", "[]"), ("DiscoveryCHAPAuth", "chapAuthDiscovery", False),
        ("SessionCHAPAuth", "chapAuthSession", False), ("InitiatorName", "initiatorName", NONE))),
    "glusterfs": ("Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)", (
        ("EndpointsName", "endpoints", ""), ("Path", "path", ""), ("ReadOnly", "readOnly", False))),
    "persistentVolumeClaim": ("PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)", (
        ("ClaimName", "claimName", ""), ("ReadOnly", "readOnly", False))),
    "ephemeral": ("EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)", ()),
    "rbd": ("RBD (a Rados Block Device mount on the host that shares a pod's lifetime)", (
        ("CephMonitors", "monitors", "[]"), ("RBDImage", "image", ""), ("FSType", "fsType", ""), ("RBDPool", "pool", ""), ("RadosUser", "user", ""),
        ("Keyring", "keyring", ""), ("ReadOnly", "readOnly", False))),
    "downwardAPI": ("DownwardAPI (a volume populated by information about the pod)", ()),
    "azureDisk": ("AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)", (
        ("DiskName", "diskName", ""), ("DiskURI", "diskURI", ""), ("Kind", "kind", ""), ("FSType", "fsType", ""), ("CachingMode", "cachingMode", ""),
        ("ReadOnly", "readOnly", False))),
    "vsphereVolume": ("vSphereVolume (a Persistent Disk resource in vSphere)", (
        ("VolumePath", "volumePath", ""), ("FSType", "fsType", ""), ("StoragePolicyName", "storagePolicyName", ""))),
    "cinder": ("Cinder (a Persistent Disk resource in OpenStack)", (("VolumeID", "volumeID", ""), ("FSType", "fsType", ""), ("ReadOnly", "readOnly", False))),
    "portworxVolume": ("PortworxVolume (a Portworx Volume resource)", (("VolumeID", "volumeID", ""),)),
    "cephfs": ("CephFS (a CephFS mount on the host that shares a pod's lifetime)", (
        ("Monitors", "monitors", "[]"), ("Path", "path", ""), ("User", "user", ""), ("SecretFile", "secretFile", ""), ("ReadOnly", "readOnly", False))),
    "local": ("LocalVolume (a persistent volume backed by local storage on a node)", (("Path", "path", ""),)),
    "fc": ("FC (a Fibre Channel disk)", (("TargetWWNs", "targetWWNs", []), ("LUN", "lun", NONE), ("FSType", "fsType", ""), ("ReadOnly", "readOnly", False))),
    "azureFile": ("AzureFile (an Azure File Service mount on the host and bind mount to the pod)", (
        ("SecretName", "secretName", ""), ("ShareName", "shareName", ""), ("ReadOnly", "readOnly", False))),
    "flexVolume": ("FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)", (
        ("Driver", "driver", ""), ("FSType", "fsType", ""), ("ReadOnly", "readOnly", False), ("Options", "options", "map[]"))),
    "projected": ("Projected (a volume that contains injected data from multiple sources)", ()),
    "csi": ("CSI (a Container Storage Interface (CSI) volume source)", (("Driver", "driver", ""), ("FSType", "fsType", ""))),
    "image": ("Image (a container image or OCI artifact)", (("Reference", "reference", ""), ("PullPolicy", "pullPolicy", ""))),
}


def describe_volumes(page, volumes, level=0):
    """The volumes of a Pod (level 0) or a template (level 1)."""
    if not volumes:
        page.field("Volumes", NONE, level)
        return
    page.line("Volumes:", level)
    for volume in volumes:
        page.line(f"{' ' if level else ''}{volume['name']}:", 1)
        describe_source(page, volume)


def describe_source(page, holder):
    """The source of a volume, or of a PersistentVolume's spec."""
    kind = next((kind for kind in SOURCES if holder.get(kind) is not None), None)
    if kind is None:
        page.line("<unknown>", 1)
        return
    title, fields = SOURCES[kind]
    source = holder[kind]
    page.field("Type", title, 2)
    for label, field, default in fields:
        page.field(label, _text(source.get(field), default), 2)
    if kind in DETAILS:
        DETAILS[kind](page, source)


def _text(found, default):
    if default is False:
        return lower(found)
    if default == []:
        return ", ".join(found or ())
    return default if found is None or default == UNSET and value(found) == 0 else go_text(found)


def _projected(page, source):
    for part in source.get("sources") or ():
        if part.get("secret"):
            page.field("SecretName", part["secret"].get("name", ""), 2)
            page.field("Optional", lower(part["secret"].get("optional")), 2)
        elif part.get("downwardAPI"):
            page.field("DownwardAPI", "true", 2)
        elif part.get("configMap"):
            page.field("ConfigMapName", part["configMap"].get("name", ""), 2)
            page.field("Optional", lower(part["configMap"].get("optional")), 2)
        elif part.get("serviceAccountToken"):
            page.field("TokenExpirationSeconds", part["serviceAccountToken"].get("expirationSeconds", 3600), 2)


def _downward(page, source):
    page.line("Items:", 2)
    for item in source.get("items") or ():
        field = at(item, "fieldRef", "fieldPath") or at(item, "resourceFieldRef", "resource", default="")
        page.line(f"{field} -> {item.get('path', '')}", 3)


def _csi(page, source):
    page.optional("VolumeHandle", source.get("volumeHandle"), 2)
    page.field("ReadOnly", lower(source.get("readOnly")), 2)
    attributes = source.get("volumeAttributes") or {}
    texts = [f"{name}={attributes[name]}" for name in sorted(attributes)]
    texts = [text if len(text) <= LONGEST_ANNOTATION else f"{text[:LONGEST_ANNOTATION]}..." for text in texts] or [NONE]
    page.field("VolumeAttributes", f"    {texts[0]}" if attributes else NONE, 2)
    for text in texts[1:]:
        page.line(f"\t    {text}", 4)


def _ephemeral(page, source):
    template = source.get("volumeClaimTemplate")
    if template:
        _claim(page, {"metadata": template.get("metadata") or {}, "spec": template.get("spec", {})}, 2)


def _claim(page, claim, level):
    page.field("StorageClass", class_name(claim), level)
    page.field("Volume", at(claim, "spec", "volumeName", default=""), level)
    page.labels("Labels", claim["metadata"].get("labels"), level)
    page.annotations(claim["metadata"].get("annotations"), level)
    page.field("Capacity", "", level)
    page.field("Access Modes", "", level)
    page.optional("VolumeMode", at(claim, "spec", "volumeMode"), level)


DETAILS = {"projected": _projected, "downwardAPI": _downward, "csi": _csi, "ephemeral": _ephemeral}
