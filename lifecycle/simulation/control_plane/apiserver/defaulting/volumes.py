"""Defaults of volumes, those of a Pod and those of a PersistentVolume (pkg/apis/core/v1/defaults.go)."""

from .containers import default_field_selector, default_pull_policy, default_resource_selector
from .filling import absent, applied, deep, each, empty, inside

FILE_MODE = 420  # 0644

AZURE_DISK = {"cachingMode": "ReadWrite", "fsType": "ext4", "kind": "Shared", "readOnly": False}
RBD = {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"}


def default_volume(volume):
    """A volume of a Pod: one without a source becomes an emptyDir."""
    sources = [key for key, source in volume.items() if key != "name" and source is not None]
    if not sources:
        return {**volume, "emptyDir": {}}
    for key in sources:
        if key in SOURCES:
            volume = inside(volume, key, SOURCES[key])
    return volume


def default_persistent_source(spec):
    """A PersistentVolume's spec with the defaults of its source."""
    for key in PERSISTENT_SOURCES:
        spec = inside(spec, key, SOURCES[key])
    return spec


def default_claim_spec(spec):
    """The spec of a PersistentVolumeClaim or of a template of one."""
    return absent(spec, {"volumeMode": "Filesystem", "resources": {}})


def _with_mode(source):
    return absent(source, {"defaultMode": FILE_MODE})


def _downward(source):
    return each(source, "items", _downward_file)


def _downward_file(item):
    return inside(inside(item, "fieldRef", default_field_selector), "resourceFieldRef", default_resource_selector)


def _projection(source):
    source = inside(source, "downwardAPI", _downward)
    return inside(source, "serviceAccountToken", lambda token: absent(token, {"expirationSeconds": 3600}))


def _projected(source):
    return each(_with_mode(source), "sources", _projection)


def _ephemeral(source):
    return deep(inside(source, "volumeClaimTemplate", lambda template: absent(template, {"metadata": {}})), default_claim_spec, "volumeClaimTemplate", "spec")


def _image(source):
    return source if source.get("pullPolicy") else {**source, "pullPolicy": default_pull_policy(source.get("reference") or "")}


SOURCES = {
    "secret": _with_mode,
    "configMap": _with_mode,
    "downwardAPI": lambda source: applied(source, (_with_mode, _downward)),
    "projected": _projected,
    "ephemeral": _ephemeral,
    "image": _image,
    "hostPath": lambda source: absent(source, {"type": ""}),
    "iscsi": lambda source: empty(source, {"iscsiInterface": "default"}),
    "rbd": lambda source: empty(source, RBD),
    "azureDisk": lambda source: absent(source, AZURE_DISK),
    "scaleIO": lambda source: empty(source, {"storageMode": "ThinProvisioned", "fsType": "xfs"}),
}
PERSISTENT_SOURCES = ("hostPath", "iscsi", "rbd", "azureDisk", "scaleIO")
