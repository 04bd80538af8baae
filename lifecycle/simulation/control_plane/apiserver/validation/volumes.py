"""Rules for the volumes of a Pod (pkg/apis/core/validation/validation.go: ValidateVolumes, validateVolumeSource)."""

from .... import quantities
from . import names, paths
from .claims import claim_template
from .environment import FILE_FIELDS, field_selector, resource_selector
from .errors import duplicate, each_message, forbidden, invalid, one_of, required
from .sources import SHARED_SOURCES, csi_driver_name, missing, mode

TEN_MINUTES, LONGEST_TOKEN = 600, 2**32  # seconds
PULL_POLICIES = ("Always", "IfNotPresent", "Never")


def volumes(found, path):
    """(name -> volume of those that are right, errors)."""
    good, wrong = {}, []
    for index, volume in enumerate(found or ()):
        here = f"{path}[{index}]"
        errors = [*_source(volume, here), *_name(volume.get("name") or "", good, f"{here}.name")]
        wrong += errors
        if not errors:
            good[volume["name"]] = volume
    return good, wrong


def _name(name, taken, path):
    if not name:
        yield required(path)
    else:
        yield from each_message(path, name, names.dns_label(name))
    if name in taken:
        yield duplicate(path, name)


def _source(volume, path):
    given = [kind for kind in SOURCES if volume.get(kind) is not None]
    if not given:
        yield required(path, "must specify a volume type")
    for kind in given[:1]:
        yield from SOURCES[kind](volume[kind], f"{path}.{kind}")
    for kind in given[1:]:
        yield forbidden(f"{path}.{kind}", "may not specify more than 1 volume type")


def _empty_dir(source, path):
    limit = source.get("sizeLimit")
    if limit is not None and quantities.parse(limit).nano < 0:
        yield forbidden(f"{path}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def _git_repo(source, path):
    yield from missing(source, path, "repository")
    yield from paths.descending(f"{path}.directory", source.get("directory") or "")


def _secret(source, path):
    yield from missing(source, path, "secretName")
    yield from mode(source, path, "defaultMode")
    yield from _items(source, path)


def _config_map(source, path):
    yield from missing(source, path, "name")
    yield from mode(source, path, "defaultMode")
    yield from _items(source, path)


def _items(source, path):
    for index, item in enumerate(source.get("items") or ()):
        here = f"{path}.items[{index}]"
        yield from missing(item, here, "key", "path")
        yield from paths.local(f"{here}.path", item.get("path") or "")
        yield from mode(item, here, "mode")


def _claim(source, path):
    yield from missing(source, path, "claimName")


def _downward(source, path):
    yield from mode(source, path, "defaultMode")
    for item in source.get("items") or ():
        yield from _downward_file(item, path)


def _downward_file(item, path):
    yield from missing(item, path, "path")
    yield from paths.local(f"{path}.path", item.get("path") or "")
    if item.get("fieldRef") is not None:
        yield from field_selector(item["fieldRef"], f"{path}.fieldRef", FILE_FIELDS)
        if item.get("resourceFieldRef") is not None:
            yield invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
    elif item.get("resourceFieldRef") is not None:
        yield from resource_selector(item["resourceFieldRef"], f"{path}.resourceFieldRef", in_file=True)
    else:
        yield required(path, "one of fieldRef and resourceFieldRef is required")
    yield from mode(item, path, "mode")


def _projected(source, path):
    yield from mode(source, path, "defaultMode")
    seen = set()
    for index, part in enumerate(source.get("sources") or ()):
        here = f"{path}.sources[{index}]"
        given = [kind for kind in PROJECTIONS if part.get(kind) is not None]
        for kind in given:
            yield from PROJECTIONS[kind](part[kind], f"{here}.{kind}", path)
            yield from _unique_paths(kind, part[kind], seen, path)
        if len(given) > 1:
            yield forbidden(here, "may not specify more than 1 volume type per source")


def _unique_paths(kind, part, seen, path):
    for item in part.get("items") or ():
        target = item.get("path")
        if target in seen:
            yield invalid(path, target if kind == "downwardAPI" else part.get("name") or "", "conflicting duplicate paths")
        if target:
            seen.add(target)


def _projected_files(part, path, whole):
    yield from missing(part, path, "name")
    yield from _items(part, path)


def _projected_downward(part, path, whole):
    for item in part.get("items") or ():
        yield from _downward_file(item, path)


def _token(part, path, whole):
    seconds = part.get("expirationSeconds", 0)
    if seconds < TEN_MINUTES:
        yield invalid(f"{path}.expirationSeconds", seconds, "may not specify a duration less than 10 minutes")
    if seconds > LONGEST_TOKEN:
        yield invalid(f"{path}.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds")
    yield from missing(part, whole, "path")
    yield from paths.local(f"{whole}.path", part.get("path") or "")


def _trust_bundle(part, path, whole):
    if not (part.get("name") or part.get("signerName")):
        yield required(path, "either name or signerName must be specified")
    yield from missing(part, path, "path")
    yield from paths.local(f"{path}.path", part.get("path") or "")


PROJECTIONS = {
    "secret": _projected_files,
    "configMap": _projected_files,
    "downwardAPI": _projected_downward,
    "serviceAccountToken": _token,
    "clusterTrustBundle": _trust_bundle,
}


def _csi(source, path):
    yield from csi_driver_name(source.get("driver") or "", f"{path}.driver")
    if source.get("nodePublishSecretRef") is not None:
        yield from missing(source["nodePublishSecretRef"], f"{path}.nodePublishSecretRef", "name")


def _ephemeral(source, path):
    if source.get("volumeClaimTemplate") is None:
        yield required(f"{path}.volumeClaimTemplate")
    else:
        yield from claim_template(source["volumeClaimTemplate"], f"{path}.volumeClaimTemplate")


def _image(source, path):
    yield from one_of(f"{path}.pullPolicy", source.get("pullPolicy"), PULL_POLICIES)


SOURCES = {
    "emptyDir": _empty_dir,
    "hostPath": SHARED_SOURCES["hostPath"],
    "gitRepo": _git_repo,
    "gcePersistentDisk": SHARED_SOURCES["gcePersistentDisk"],
    "awsElasticBlockStore": SHARED_SOURCES["awsElasticBlockStore"],
    "secret": _secret,
    "nfs": SHARED_SOURCES["nfs"],
    "iscsi": SHARED_SOURCES["iscsi"],
    "glusterfs": SHARED_SOURCES["glusterfs"],
    "flocker": SHARED_SOURCES["flocker"],
    "persistentVolumeClaim": _claim,
    "rbd": SHARED_SOURCES["rbd"],
    "cinder": SHARED_SOURCES["cinder"],
    "cephfs": SHARED_SOURCES["cephfs"],
    "quobyte": SHARED_SOURCES["quobyte"],
    "downwardAPI": _downward,
    "fc": SHARED_SOURCES["fc"],
    "flexVolume": SHARED_SOURCES["flexVolume"],
    "configMap": _config_map,
    "azureFile": SHARED_SOURCES["azureFile"],
    "vsphereVolume": SHARED_SOURCES["vsphereVolume"],
    "photonPersistentDisk": SHARED_SOURCES["photonPersistentDisk"],
    "portworxVolume": SHARED_SOURCES["portworxVolume"],
    "azureDisk": SHARED_SOURCES["azureDisk"],
    "storageos": SHARED_SOURCES["storageos"],
    "projected": _projected,
    "scaleIO": SHARED_SOURCES["scaleIO"],
    "csi": _csi,
    "ephemeral": _ephemeral,
    "image": _image,
}
