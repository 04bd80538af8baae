"""Rules for the sources that volumes of Pods and PersistentVolumes have in common (pkg/apis/core/validation/validation.go)."""

from . import names, paths
from .errors import between, each_message, invalid, not_supported, required, too_long

FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive"
HOST_PATH_TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")


def missing(source, path, *keys):
    """Required for each of `keys` that is empty."""
    for key in keys:
        if not source.get(key):
            yield required(f"{path}.{key}")


def mode(source, path, key):
    bits = source.get(key)
    if bits is not None and not 0 <= bits <= 0o777:
        yield invalid(f"{path}.{key}", bits, FILE_MODE)


def host_path(source, path):
    if not source.get("path"):
        yield required(f"{path}.path")
        return
    yield from paths.without_backsteps(f"{path}.path", source["path"])
    kind = source.get("type") or ""
    if kind not in HOST_PATH_TYPES:
        yield not_supported(f"{path}.type", kind, HOST_PATH_TYPES)


def csi_driver_name(name, path):
    if not name:
        yield required(path)
    if len(name) > 63:
        yield too_long(path, 63)
    yield from each_message(path, name, names.dns_subdomain(name.lower()))


def _nfs(source, path):
    yield from missing(source, path, "server", "path")
    target = source.get("path") or ""
    if not target.startswith("/"):
        yield invalid(f"{path}.path", target, "must be an absolute path")


def _iscsi(source, path):
    yield from missing(source, path, "targetPortal", "iqn")
    if source.get("iqn") and not source["iqn"].startswith(("iqn", "eui", "naa")):
        yield invalid(f"{path}.iqn", source["iqn"], "must be valid format starting with iqn, eui, or naa")
    yield from _lun(source, path)


def _lun(source, path):
    if not 0 <= (source.get("lun") or 0) <= 255:
        yield invalid(f"{path}.lun", source["lun"], between(0, 255))


def _fibre(source, path):
    targets, wwids = source.get("targetWWNs") or (), source.get("wwids") or ()
    if not targets and not wwids:
        yield required(f"{path}.targetWWNs", "must specify either targetWWNs or wwids, but not both")
    if targets and wwids:
        yield invalid(f"{path}.targetWWNs", targets, "targetWWNs and wwids can not be specified simultaneously")
    if targets and source.get("lun") is None:
        yield required(f"{path}.lun", "lun is required if targetWWNs is specified")
    yield from _lun(source, path)


def _flocker(source, path):
    name, uuid = source.get("datasetName"), source.get("datasetUUID")
    if not name and not uuid:
        yield required(path, "one of datasetName and datasetUUID is required")
    if name and uuid:
        yield invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously")
    if "/" in (name or ""):
        yield invalid(f"{path}.datasetName", name, "must not contain '/'")


def _disk(key):
    """A cloud disk: its id under `key`, the partition counted in a byte. Errors of it are told under another path for GCE."""

    def rule(source, path):
        path = path.replace("gcePersistentDisk", "persistentDisk")
        yield from missing(source, path, key)
        if not 0 <= (source.get("partition") or 0) <= 255:
            yield invalid(f"{path}.partition", source["partition"], between(1, 255))

    return rule


def _needs(*keys):
    """A source for which nothing is asked but that `keys` are there."""
    return lambda source, path: missing(source, path, *keys)


SHARED_SOURCES = {
    "hostPath": host_path,
    "gcePersistentDisk": _disk("pdName"),
    "awsElasticBlockStore": _disk("volumeID"),
    "nfs": _nfs,
    "iscsi": _iscsi,
    "glusterfs": _needs("endpoints", "path"),
    "flocker": _flocker,
    "rbd": _needs("monitors", "image"),
    "cinder": _needs("volumeID"),
    "cephfs": _needs("monitors"),
    "quobyte": _needs("registry", "volume"),
    "fc": _fibre,
    "flexVolume": _needs("driver"),
    "azureFile": _needs("secretName", "shareName"),
    "vsphereVolume": _needs("volumePath"),
    "photonPersistentDisk": _needs("pdID"),
    "portworxVolume": _needs("volumeID"),
    "azureDisk": _needs("diskName", "diskURI"),
    "storageos": _needs("volumeName"),
    "scaleIO": _needs("gateway", "system", "volumeName"),
}
