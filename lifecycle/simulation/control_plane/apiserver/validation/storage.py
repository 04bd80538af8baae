"""Rules for PersistentVolumes and StorageClasses (pkg/apis/core/validation/validation.go, pkg/apis/storage/validation/validation.go)."""

import posixpath

from ....objects import at
from . import amounts, claims, metadata, names, paths
from .errors import IMMUTABLE, each_message, forbidden, invalid, not_supported, one_of, required, unchanged
from .internal import difference, internal
from .scheduling import node_selector
from .sources import SHARED_SOURCES, csi_driver_name, missing

RECLAIM_POLICIES = ("Delete", "Recycle", "Retain")
BINDING_MODES = ("Immediate", "WaitForFirstConsumer")
FIXED_IN_CLASS = ("parameters", "provisioner", "reclaimPolicy")


def persistent_volume(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_subdomain)
    yield from _spec(found["spec"])


def _spec(spec, path="spec"):
    modes = spec.get("accessModes") or ()
    if not modes:
        yield required(f"{path}.accessModes")
    yield from claims.access_modes(modes, f"{path}.accessModes")
    yield from _capacity(spec.get("capacity") or {}, f"{path}.capacity")
    policy = spec.get("persistentVolumeReclaimPolicy")
    if policy and policy not in RECLAIM_POLICIES:
        yield not_supported(f"{path}.persistentVolumeReclaimPolicy", policy, RECLAIM_POLICIES)
    yield from _node_affinity(spec, f"{path}.nodeAffinity")
    yield from _source(spec, path)
    host_path = at(spec, "hostPath", "path")
    if host_path and posixpath.normpath(host_path) == "/" and policy == "Recycle":
        yield forbidden(f"{path}.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'")
    yield from claims.class_name(spec, path)
    yield from claims.volume_mode(spec, path)


def _capacity(capacity, path):
    if not capacity:
        yield required(path)
    if set(capacity) != {"storage"}:
        yield not_supported(path, dict(sorted(capacity.items())) or None, ("storage",))
    for name in sorted(capacity):
        yield from amounts.positive(capacity[name], f"{path}[{name}]")


def _node_affinity(spec, path):
    affinity = spec.get("nodeAffinity")
    if affinity is None:
        return
    if affinity.get("required") is None:
        yield required(f"{path}.required", "must specify required node constraints")
    else:
        yield from node_selector(affinity["required"], f"{path}.required")


def _source(spec, path):
    given = [kind for kind in SOURCES if spec.get(kind) is not None]
    if not given:
        yield required(path, "must specify a volume type")
    for kind in given[:1]:
        yield from SOURCES[kind](spec[kind], f"{path}.{kind}")
        if kind == "local" and spec.get("nodeAffinity") is None:
            yield required(f"{path}.nodeAffinity", "Local volume requires node affinity")
    for kind in given[1:]:
        yield forbidden(f"{path}.{kind}", "may not specify more than 1 volume type")


def _local(source, path):
    yield from missing(source, path, "path")
    yield from paths.without_backsteps(f"{path}.path", source.get("path") or "")


def _csi(source, path):
    yield from csi_driver_name(source.get("driver") or "", f"{path}.driver")
    yield from missing(source, path, "volumeHandle")
    for key in ("controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"):
        if source.get(key) is not None:
            yield from missing(source[key], f"{path}.{key}", "name", "namespace")


# In the order in which the server looks for them.
PERSISTENT = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
)
SOURCES = {kind: {"local": _local, "csi": _csi}.get(kind) or SHARED_SOURCES[kind] for kind in PERSISTENT}


def persistent_volume_update(new, old):
    yield from persistent_volume(new)
    before, after = (internal("PersistentSource", thing["spec"]) for thing in (old, new))
    if before != after:
        yield forbidden("spec.persistentvolumesource", f"spec.persistentvolumesource is immutable after creation\n{difference(before, after)}")
    yield from unchanged("volumeMode", new["spec"].get("volumeMode"), old["spec"].get("volumeMode"))
    affinity, old_affinity = new["spec"].get("nodeAffinity"), old["spec"].get("nodeAffinity")
    if old_affinity is not None and affinity != old_affinity:
        shown = None if affinity is None else {"Required": internal("NodeSelector", affinity.get("required") or {})}
        yield invalid("nodeAffinity", shown, f"{IMMUTABLE}, except for updating from beta label to GA")


def storage_class(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_subdomain)
    provisioner = found.get("provisioner") or ""
    if not provisioner:
        yield required("provisioner")
    else:
        yield from each_message("provisioner", provisioner, names.qualified_name(provisioner.lower()))
    if any(not key for key in found.get("parameters") or ()):
        yield invalid("parameters", "", "parameter keys must not be empty")
    if found.get("reclaimPolicy") and found["reclaimPolicy"] not in ("Delete", "Retain"):
        yield not_supported("reclaimPolicy", found["reclaimPolicy"], ("Delete", "Retain"))
    yield from one_of("volumeBindingMode", found.get("volumeBindingMode"), BINDING_MODES)


def storage_class_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    for key in FIXED_IN_CLASS:
        if (new.get(key) or {}) != (old.get(key) or {}):
            yield forbidden(key, f"updates to {key} are forbidden.")
    yield from unchanged("volumeBindingMode", new.get("volumeBindingMode"), old.get("volumeBindingMode"))
    yield from storage_class(new)
