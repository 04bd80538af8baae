"""Rules for volume mounts and raw block devices of a container (pkg/apis/core/validation/validation.go)."""

from . import paths
from .errors import forbidden, invalid, not_found, not_supported, required

PROPAGATION = ("Bidirectional", "HostToContainer", "None")
RECURSIVE = ("Disabled", "Enabled", "IfPossible")


def volume_mounts(container, volumes, path):
    """Errors in the mounts. `volumes`: name -> volume, those of the Pod that are right."""
    devices = container.get("volumeDevices") or ()
    device_names, device_paths = {device.get("name") for device in devices}, {device.get("devicePath") for device in devices}
    seen = set()
    for index, mount in enumerate(container.get("volumeMounts") or ()):
        here, name, target = f"{path}[{index}]", mount.get("name") or "", mount.get("mountPath") or ""
        if not name:
            yield required(f"{here}.name")
        if name not in volumes:
            yield not_found(f"{here}.name", name)
        if not target:
            yield required(f"{here}.mountPath")
        if target in seen:
            yield invalid(f"{here}.mountPath", target, "must be unique")
        seen.add(target)
        if name in device_names:
            yield invalid(f"{here}.name", name, "must not already exist in volumeDevices")
        if target in device_paths:
            yield invalid(f"{here}.mountPath", target, "must not already exist as a path in volumeDevices")
        yield from _sub_path(mount, path, here)
        yield from _propagation(mount, container, path)


def _sub_path(mount, path, here):
    sub_path, expression = mount.get("subPath") or "", mount.get("subPathExpr") or ""
    yield from paths.descending(f"{path}.subPath", sub_path)
    if sub_path and expression:
        yield invalid(f"{here}.subPathExpr", expression, "subPathExpr and subPath are mutually exclusive")
    yield from paths.descending(f"{path}.subPathExpr", expression)


def _propagation(mount, container, path):
    mode, recursive = mount.get("mountPropagation"), mount.get("recursiveReadOnly")
    if mode is not None and mode not in PROPAGATION:
        yield not_supported(f"{path}.mountPropagation", mode, PROPAGATION)
    if mode == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
        yield forbidden(f"{path}.mountPropagation", "Bidirectional mount propagation is available only to privileged containers")
    if recursive is not None and recursive not in RECURSIVE:
        yield not_supported(f"{path}.recursiveReadOnly", recursive, RECURSIVE)
    if recursive in ("Enabled", "IfPossible"):
        if not mount.get("readOnly"):
            yield forbidden(f"{path}.recursiveReadOnly", "may only be specified when readOnly is true")
        if mode not in (None, "None"):
            yield forbidden(f"{path}.recursiveReadOnly", "may only be specified when mountPropagation is None or not specified")


def volume_devices(container, volumes, path):
    mounts = container.get("volumeMounts") or ()
    mount_names, mount_paths = {mount.get("name") for mount in mounts}, {mount.get("mountPath") for mount in mounts}
    seen_names, seen_paths = set(), set()
    for index, device in enumerate(container.get("volumeDevices") or ()):
        here, name, target = f"{path}[{index}]", device.get("name") or "", device.get("devicePath") or ""
        if not name:
            yield required(f"{here}.name")
        if name in seen_names:
            yield invalid(f"{here}.name", name, "must be unique")
        volume = volumes.get(name)
        if volume is None:
            yield not_found(f"{here}.name", name)
        elif not (volume.get("persistentVolumeClaim") or volume.get("ephemeral")):
            yield invalid(f"{here}.name", name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode")
        yield from _device_path(target, seen_paths, here)
        if name in mount_names:
            yield invalid(f"{here}.name", name, "must not already exist in volumeMounts")
        if target in mount_paths:
            yield invalid(f"{here}.devicePath", target, "must not already exist as a path in volumeMounts")
        seen_names.add(name)


def _device_path(target, seen, here):
    if not target:
        yield required(f"{here}.devicePath")
    if target in seen:
        yield invalid(f"{here}.devicePath", target, "must be unique")
    if ".." in target.split("/"):
        yield invalid(f"{here}.devicePath", target, "can not contain backsteps ('..')")
    else:
        seen.add(target)
