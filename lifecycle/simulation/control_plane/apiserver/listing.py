"""GET of collections: selectors, pages, versions."""
from base64 import urlsafe_b64decode, urlsafe_b64encode
from json import dumps, loads

from ...selectors import SelectorError, parse_field_selector, parse_label_selector
from . import conversion, custom, event_ttl, virtual
from .errors import bad_request, expired
from .fields import fields_of, supported

TOO_OLD = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, "
    "or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.")
NOW = -1                       # the version in a token that goes on with what is there now


def selection(call):
    """A function object -> bool for the request's selectors, or None if it has none. Raises Refused (400)."""
    options = call.request.options
    labels, fields = options.get("labelSelector"), options.get("fieldSelector")
    try:
        by_labels = parse_label_selector(labels) if labels else None
    except SelectorError as error:
        raise bad_request(str(error)) from None
    by_fields = _field_selection(call, fields) if fields else None
    if not by_labels and not by_fields:
        return None
    if not by_fields:
        return lambda thing: by_labels(thing["metadata"].get("labels"))
    row = call.resource
    return lambda thing: by_fields(fields_of(row, thing)) and (not by_labels or by_labels(thing["metadata"].get("labels")))


def _field_selection(call, text):
    try:
        selector = parse_field_selector(text)
    except SelectorError as error:
        raise bad_request(str(error)) from None
    for field, _, _ in selector.terms:
        if field not in supported(call.resource):
            raise bad_request(f"field label not supported: {field}")
    return selector


def found(call):
    """The stored objects the request selects, in order of keys, in the version that is served."""
    chosen = selection(call)
    stored = event_ttl.served(call, call.etcd.range(call.resource.prefix(call.namespace or None)))
    everything = [*virtual.objects(call.server.cluster, call.resource.qualified, call.namespace), *stored]
    return [thing for thing in everything if chosen(thing)] if chosen else everything


def list_objects(call):
    """The body of a list: {"kind": "PodList", "apiVersion", "metadata": {"resourceVersion", "continue", "remainingItemCount"}, "items"}."""
    options, row = call.request.options, call.resource
    things = found(call)
    metadata = {"resourceVersion": str(call.etcd.revision)}
    start = _start(call, options.get("continue"), metadata)
    if start:
        things = [thing for thing in things if _key(row, thing) > start]
    limit = number(options.get("limit") or "0")
    if 0 < limit < len(things):
        metadata["continue"] = _token(metadata["resourceVersion"], _key(row, things[limit - 1]))
        if not (options.get("labelSelector") or options.get("fieldSelector")):
            metadata["remainingItemCount"] = len(things) - limit
        things = things[:limit]
    schema = custom.schema_of(call.etcd, row)
    items = [conversion.to_served(row, thing, schema) for thing in things]
    return {"kind": f"{row.kind}List", "apiVersion": row.api_version, "metadata": metadata, "items": items}


def number(text):
    """A query parameter's whole number. Raises Refused (400)."""
    try:
        return int(text)
    except ValueError:
        raise bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax') from None


def _key(row, thing):
    return row.key(thing["metadata"].get("namespace", ""), thing["metadata"]["name"])


def _token(version, key):
    return urlsafe_b64encode(dumps({"v": "meta.k8s.io/v1", "rv": int(version), "start": key}).encode()).decode().rstrip("=")


def _start(call, token, metadata):
    """The key after which a page begins; the pages of one list carry the version of the first."""
    if not token:
        return None
    try:
        said = loads(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        version, start = said["rv"], said["start"]
    except (ValueError, KeyError, TypeError):
        raise bad_request(f"continue key is not valid: {token}") from None
    if version == NOW:
        return start
    if version < call.etcd.compacted:
        raise expired(TOO_OLD, _token(NOW, start))
    metadata["resourceVersion"] = str(version)
    return start
