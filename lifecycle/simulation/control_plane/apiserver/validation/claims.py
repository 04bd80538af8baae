"""Rules for PersistentVolumeClaims and templates of them (pkg/apis/core/validation/validation.go)."""

from .... import quantities
from ....objects import at, removed, replaced
from . import amounts, metadata, names
from .errors import each_message, forbidden, invalid, not_supported, required, unchanged
from .internal import difference, internal

ACCESS_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES = ("Block", "Filesystem")
TEMPLATE_META = ("labels", "annotations")
SPEC_IMMUTABLE = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"


def access_modes(modes, path):
    for mode in modes:
        if mode not in ACCESS_MODES:
            yield not_supported(path, mode, ACCESS_MODES)
    if "ReadWriteOncePod" in modes and any(mode in ACCESS_MODES[:3] for mode in modes):
        yield forbidden(path, "may not use ReadWriteOncePod with other access modes")


def volume_mode(spec, path):
    if spec.get("volumeMode") is not None and spec["volumeMode"] not in VOLUME_MODES:
        yield not_supported(f"{path}.volumeMode", spec["volumeMode"], VOLUME_MODES)


def class_name(spec, path, key="storageClassName"):
    if spec.get(key):
        yield from each_message(f"{path}.{key}", spec[key], names.dns_subdomain(spec[key]))


def claim_spec(spec, path):
    modes = spec.get("accessModes") or ()
    if not modes:
        yield required(f"{path}.accessModes", "at least 1 access mode is required")
    yield from metadata.label_selector(spec.get("selector"), f"{path}.selector")
    yield from access_modes(modes, f"{path}.accessModes")
    size = at(spec, "resources", "requests", "storage")
    if size is None:
        yield required(f"{path}.resources[storage]")
    else:
        yield from amounts.positive(size, f"{path}.resources[storage]")
    yield from class_name(spec, path)
    yield from volume_mode(spec, path)
    for key in ("dataSource", "dataSourceRef"):
        if spec.get(key) is not None:
            yield from _data_source(spec[key], f"{path}.{key}")
    yield from class_name(spec, path, "volumeAttributesClassName")


def _data_source(source, path):
    for key in ("name", "kind"):
        if not source.get(key):
            yield required(f"{path}.{key}")
    if not source.get("apiGroup") and source.get("kind") != "PersistentVolumeClaim":
        yield invalid(path, source.get("kind") or "", "must be 'PersistentVolumeClaim' when referencing the default apiGroup")
    if source.get("apiGroup"):
        yield from each_message(f"{path}.apiGroup", source["apiGroup"], names.dns_subdomain(source["apiGroup"]))


def claim_template(template, path):
    """Errors in the template of an ephemeral volume's claim: of its metadata only labels and annotations may be set."""
    meta = template.get("metadata") or {}
    yield from metadata.annotations(meta.get("annotations"), f"{path}.metadata.annotations")
    yield from metadata.labels(meta.get("labels"), f"{path}.metadata.labels")
    for key in meta:
        if key not in TEMPLATE_META and meta[key]:
            yield forbidden(f"{path}.metadata.{key}", "cannot be set")
    yield from claim_spec(template.get("spec") or {}, f"{path}.spec")


def claim(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from claim_spec(found["spec"], "spec")


def claim_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from claim(new)
    before, after = _comparable(new, old)
    if before != after:
        shown = difference(internal("ClaimSpec", before), internal("ClaimSpec", after))
        yield forbidden("spec", SPEC_IMMUTABLE + shown)
    yield from _size_update(new, old)
    yield from unchanged("volumeMode", new["spec"].get("volumeMode"), old["spec"].get("volumeMode"))
    attributes = new["spec"].get("volumeAttributesClassName")
    if old["spec"].get("volumeAttributesClassName") is not None and not attributes:
        what = "nil" if attributes is None else "an empty string"
        yield forbidden("spec.volumeAttributesClassName", f"update from non-nil value to {what} is forbidden")


def _comparable(new, old):
    """The specs of both, without what an update may change: the name of the volume and of the class once, the size while bound."""
    before, after = old["spec"], new["spec"]
    for key in ("volumeName", "storageClassName"):
        if not before.get(key) and (key == "volumeName" or before.get(key) is None) and after.get(key):
            before = {**before, key: after[key]}
    if at(new, "status", "phase") == "Bound":
        size = at(before, "resources", "requests", "storage")
        if at(after, "resources", "requests") and size:
            after = replaced(after, size, "resources", "requests", "storage")
        if after.get("volumeAttributesClassName") is not None:
            kept = before.get("volumeAttributesClassName")
            after = {**after, "volumeAttributesClassName": kept} if kept is not None else removed(after, "volumeAttributesClassName")
    return before, after


def _size_update(new, old):
    asked, was = (at(thing, "spec", "resources", "requests", "storage", default="0") for thing in (new, old))
    real = at(old, "status", "capacity", "storage", default="0")
    if quantities.value(asked) < quantities.value(was) and quantities.value(asked) <= quantities.value(real):
        yield forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")


def claim_status_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    if not new["spec"].get("accessModes"):
        yield required("Spec.accessModes")
