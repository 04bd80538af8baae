"""From what a client sent to an object the server can work with."""
from . import conversion, custom
from .decode import DecodeError, decode
from .errors import bad_request
from .request_text import check_head


def kind_served(resource, subresource=""):
    """(group, version, kind) of the bodies that an endpoint takes."""
    row = resource.subresources.get(subresource) or {}
    if row.get("group"):
        return row["group"], row["version"], row["kind"]
    if subresource:
        return resource.group, row.get("version") or resource.version, row.get("kind") or resource.kind
    return resource.group, resource.version, resource.kind


def received(call):
    """The body of a create or an update, decoded, in the version that is stored."""
    request = call.request
    if request.trusted:
        return conversion.to_stored(call.resource, request.body)
    return decoded(call, request.body)


def decoded(call, body, base=None):
    """A body checked against the schema of the kind, with the warnings kept for the answer; `base` is what it was made from. Raises Refused (400)."""
    group, version, kind = kind_served(call.resource, call.request.subresource)
    api_version = f"{group}/{version}" if group else version
    check_head(body, kind)
    _check_kind(body, api_version, kind, group)
    named = {"kind": kind, "apiVersion": api_version, **{key: value for key, value in body.items() if key not in ("kind", "apiVersion")}}
    open_api = None if call.request.subresource == "scale" else custom.schema_of(call.etcd, call.resource)
    try:
        thing, warnings = decode(named, (group, version, kind), call.request.options.get("fieldValidation") or "Warn", base,
                                 call.request.duplicates, open_api)
    except DecodeError as error:
        raise bad_request(str(error)) from None
    call.warnings.extend(warnings)
    thing = {**thing, "metadata": thing.get("metadata") or {}}
    return conversion.to_stored(call.resource, thing)


def _check_kind(body, api_version, kind, group):
    """A body may leave out what it is, but not claim to be something else."""
    said, said_kind = body.get("apiVersion") or api_version, body.get("kind") or kind
    if said != api_version or said_kind != kind:
        version = said.rpartition("/")[2]
        internal = group.partition(".")[0] or "core"
        raise bad_request(f'{said_kind} in version "{version}" cannot be handled as a {kind}: '
                          f"converting ({version}.{said_kind}) to ({internal}.{kind}): unknown conversion")
