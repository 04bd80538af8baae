"""PATCH bodies of every kind, applied to the current object."""
from ...apimachinery import json_patch, merge_patch, strategic_merge
from ...apimachinery.patch_errors import PatchError
from ...apimachinery.schema import schema_for
from . import bodies, conversion, custom, null_times
from .errors import Refused, bad_request, unsupported_media_type
from .managed_fields import owners_given
from .patched import decode_patched
from .server_side_apply import ApplyConflict, apply
from .validation.errors import REQUIRED, FieldError

ACCEPTED = {"json": "application/json-patch+json", "merge": "application/merge-patch+json", "strategic": "application/strategic-merge-patch+json",
            "apply": "application/apply-patch+yaml"}


def patched(call, old):
    """`old` with the request's patch applied, decoded and in the stored version. Raises Refused."""
    request = call.request
    if request.patch_type not in ACCEPTED:
        raise unsupported_media_type(request.patch_type, list(ACCEPTED.values()))
    if request.patch_type == "apply":
        return applied(call, old)
    served = conversion.to_served(call.resource, old)
    if named := _names_owners(request):
        served = call.server.with_managed_fields(call.resource, served)
    new = tried(APPLIERS[request.patch_type], *_arguments(call, served))
    if new is served:
        return old
    if request.trusted:
        return null_times.completed(conversion.to_stored(call.resource, new))
    thing = _decoded(call, new, served)
    if named:
        call.owners = owners_given((thing.get("metadata") or {}).get("managedFields"), served["metadata"].get("managedFields"))
        call.takes_over = call.owners is not None
    return thing


def _names_owners(request):
    """Whether a patch is about metadata.managedFields, which the store does not keep beside the object."""
    body = request.body
    if isinstance(body, list):
        return any(isinstance(one, dict) and str(one.get("path")).startswith("/metadata/managedFields") for one in body)
    return isinstance(body, dict) and isinstance(body.get("metadata"), dict) and "managedFields" in body["metadata"]


def _decoded(call, new, served):
    """What a patch made of an object, checked against the schema; the answer to a mistake shows the patch (422)."""
    request, row = call.request, call.resource
    kind = bodies.kind_served(row, request.subresource)
    validation = request.options.get("fieldValidation") or "Warn"
    thing, warnings = tried(decode_patched, new, served, request.body, request.patch_type, kind, validation, custom.schema_of(call.etcd, row))
    call.warnings.extend(warnings)
    return conversion.to_stored(row, thing)


APPLIERS = {"json": json_patch.apply, "merge": merge_patch.apply, "strategic": strategic_merge.apply}


def _arguments(call, served):
    resource, patch = call.resource, call.request.body
    if call.request.patch_type != "strategic":
        return served, patch
    if not isinstance(patch, dict):
        raise bad_request("json: cannot unmarshal array into Go value of type map[string]interface {}")
    if custom.schema_of(call.etcd, call.resource) is not None:
        raise unsupported_media_type(ACCEPTED["strategic"], [ACCEPTED[kind] for kind in ("json", "merge", "apply")])
    return served, patch, schema_for(resource.group, resource.version, resource.kind)


def tried(function, *arguments):
    """What a patch function gives; its errors are the server's refusals."""
    try:
        return function(*arguments)
    except PatchError as error:
        raise Refused(error.code, error.message, error.reason, {"causes": error.causes} if error.causes else None) from None
    except RecursionError:
        raise bad_request("exceeded max depth") from None


def first_apply(call):
    """The object that a server-side apply creates. Raises Refused."""
    return bodies.decoded(call, _applied(call, None, ()))


def applied(call, old):
    """`old` after a server-side apply, decoded. Raises Refused: 409 where others own what would change."""
    managed = call.server.ownership.owned(call.key, custom.type_of(call.etcd, call.resource))
    new = _applied(call, old, managed)
    manager = call.request.options["fieldManager"]
    before = next((one["fieldsV1"] for one in managed if one["operation"] == "Apply" and one["manager"] == manager), None)
    call.takes_over = before != call.applied
    return old if new is old else bodies.decoded(call, new, old)


def _applied(call, old, managed):
    """The merged object; what the manager owns by it goes into `call.applied`."""
    request = call.request
    manager = request.options.get("fieldManager")
    if not manager:
        raise _without_manager()
    force = str(request.options.get("force", "")).lower() in ("true", "1")
    try:
        result = apply(old, _named(call, request.body), custom.type_of(call.etcd, call.resource), manager, force, managed, request.subresource)
    except ApplyConflict as conflict:
        raise Refused(409, conflict.message, "Conflict", {"causes": conflict.causes}) from None
    except PatchError as error:
        raise Refused(error.code, error.message, error.reason) from None
    call.applied = result.fields
    return result.object


def _named(call, config):
    """The configuration must say what it is; the name is in the URL."""
    if not isinstance(config, dict) or not config.get("apiVersion") or not config.get("kind"):
        raise bad_request("Object 'Kind' is missing" if isinstance(config, dict) and not config.get("kind") else "Object 'apiVersion' is missing")
    metadata = config.get("metadata") or {}
    place = {"namespace": call.namespace} if call.resource.namespaced else {}
    return {**config, "metadata": {"name": call.name, **place, **metadata}}


def _without_manager():
    error = FieldError(REQUIRED, "fieldManager", None, "is required for apply patch")
    details = {"group": "meta.k8s.io", "kind": "PatchOptions", "causes": [error.cause()]}
    return Refused(422, f'PatchOptions.meta.k8s.io "" is invalid: {error.message()}', "Invalid", details)
