"""Rules for an object's metadata (apimachinery/pkg/api/validation/objectmeta.go, apimachinery/pkg/apis/meta/v1/validation)."""

from . import names
from .errors import each_message, forbidden, invalid, not_negative, required, too_long, unchanged

ANNOTATIONS_LIMIT = 256 * 1024  # bytes, of all keys and values together
STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")
IDENTITY = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def object_meta(meta, namespaced, name_check, path="metadata", core=True):
    """Errors in the metadata of a new object, its name already generated. `core`: finalizers must have a domain; not so in custom resources."""
    if meta.get("generateName"):
        yield from each_message(f"{path}.generateName", meta["generateName"], names.generated(name_check)(meta["generateName"]))
    if not meta.get("name"):
        yield required(f"{path}.name", "name or generateName is required")
    else:
        yield from each_message(f"{path}.name", meta["name"], name_check(meta["name"]))
    yield from _namespace(meta.get("namespace") or "", namespaced, f"{path}.namespace")
    yield from not_negative(f"{path}.generation", meta.get("generation"))
    yield from _common(meta, path, core)


def _namespace(namespace, namespaced, path):
    if not namespaced:
        if namespace:
            yield forbidden(path, "not allowed on this type")
    elif not namespace:
        yield required(path)
    else:
        yield from each_message(path, namespace, names.dns_label(namespace))


def _common(meta, path, core):
    yield from labels(meta.get("labels"), f"{path}.labels")
    yield from annotations(meta.get("annotations"), f"{path}.annotations")
    yield from owner_references(meta.get("ownerReferences"), f"{path}.ownerReferences")
    yield from finalizers(meta.get("finalizers"), f"{path}.finalizers")
    if core:
        yield from _core_finalizers(meta.get("finalizers"), f"{path}.finalizers")


def object_meta_update(new, old, path="metadata", core=True):
    """Errors in what an update does to the metadata."""
    if old.get("deletionTimestamp"):
        yield from _no_new_finalizers(new.get("finalizers") or (), old.get("finalizers") or (), f"{path}.finalizers")
    if not new.get("resourceVersion"):
        yield invalid(f"{path}.resourceVersion", "", "must be specified for an update")
    if new.get("generation", 0) < old.get("generation", 0):
        yield invalid(f"{path}.generation", new.get("generation", 0), "must not be decremented")
    for key in IDENTITY:
        yield from unchanged(f"{path}.{key}", new.get(key), old.get(key))
    yield from _common(new, path, core)


def _no_new_finalizers(new, old, path):
    extra = sorted(set(new) - set(old))
    if extra:
        listed = ", ".join(f'"{name}"' for name in extra)
        yield forbidden(path, f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}")


def labels(found, path):
    for key, value in (found or {}).items():
        yield from each_message(path, key, names.qualified_name(key))
        yield from each_message(path, value, names.label_value(value))


def label_key(key, path):
    yield from each_message(path, key, names.qualified_name(key))


def annotations(found, path):
    for key in found or ():
        yield from each_message(path, key, names.qualified_name(key.lower()))
    if sum(len(key.encode()) + len(value.encode()) for key, value in (found or {}).items()) > ANNOTATIONS_LIMIT:
        yield too_long(path, ANNOTATIONS_LIMIT)


def owner_references(references, path):
    controller = None
    for reference in references or ():
        yield from _owner_reference(reference, path)
        if reference.get("controller"):
            name = f"{reference.get('kind')}/{reference.get('name')}"
            if controller:
                found = f'Only one reference can have Controller set to true. Found "true" in references for {controller} and {name}'
                yield invalid(path, references, found)
            controller = controller or name


def _owner_reference(reference, path):
    if not (reference.get("apiVersion") or "").split("/")[-1]:
        yield invalid(f"{path}.apiVersion", reference.get("apiVersion") or "", "version must not be empty")
    for key in ("kind", "name", "uid"):
        if not reference.get(key):
            yield invalid(f"{path}.{key}", "", "must not be empty")
    if reference.get("apiVersion") == "v1" and reference.get("kind") == "Event":
        yield invalid(path, reference, "/v1, Kind=Event is disallowed from being an owner")


def finalizers(found, path):
    for name in found or ():
        yield from each_message(path, name, names.qualified_name(name))
    if found and "orphan" in found and "foregroundDeletion" in found:
        yield invalid(path, found, "finalizer orphan and foregroundDeletion cannot be both set")


def _core_finalizers(found, path):
    for index, name in enumerate(found or ()):
        if "/" not in name and name not in STANDARD_FINALIZERS:
            yield invalid(f"{path}[{index}]", name, "name is neither a standard finalizer name nor is it fully qualified")


def label_selector(selector, path):
    """Errors in a LabelSelector, or nothing for none."""
    if not selector:
        return
    yield from labels(selector.get("matchLabels"), f"{path}.matchLabels")
    for index, requirement in enumerate(selector.get("matchExpressions") or ()):
        yield from label_requirement(requirement, f"{path}.matchExpressions[{index}]")


def label_requirement(requirement, path, compares=False, check_values=True):
    """Errors in one of matchExpressions. `compares`: Gt and Lt are operators too, as they are for nodes."""
    operator, values = requirement.get("operator") or "", requirement.get("values") or ()
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    elif compares and operator in ("Gt", "Lt"):
        if len(values) != 1:
            yield required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    else:
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from label_key(requirement.get("key") or "", f"{path}.key")
    for index, value in enumerate(values if check_values else ()):
        yield from each_message(f"{path}.values[{index}]", value, names.label_value(value))
