"""The API server's door for HTTP: paths, query parameters, bodies and media types, in and out."""
from urllib.parse import parse_qsl

from ...client import Request, Response
from . import discovery, list_options, request_text
from .authorization import Attributes, groups_of, is_allowed, refused_path
from .bodies import kind_served
from .errors import Refused, method_not_allowed, no_such_path, not_tabled, unauthorized, unsupported_media_type
from .routes import verb_of
from .shapes import METADATA, TABLE, WHOLE, Shape
from .subresources import reviews

PATCH_TYPES = {"application/json-patch+json": "json", "application/merge-patch+json": "merge", "application/strategic-merge-patch+json": "strategic",
               "application/apply-patch+yaml": "apply"}
BODIES = ("application/json", "application/yaml", "application/vnd.kubernetes.protobuf")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
REPEATED = ("command", "dryRun")
OPEN_TO_ALL = ("/healthz", "/livez", "/readyz", "/version")
SHAPED = {TABLE: ("get", "list"), METADATA: ("get", "list", "create", "update", "patch")}
OWNED = ("get", "list", "create", "update", "patch")


def http(server, method, path, query=None, body=None, content_type="application/json", user="kubernetes-admin", groups=(), actor="kubectl", accept_table=False,
         manager="", show_managed_fields=False, only_metadata=False):
    """Answer an HTTP request: a Response whose body is JSON-shaped, a text for logs and health checks, or the first frames of a watch, whole.

    `query` is a dict or the text behind "?"; `body` a dict, list, text, bytes or None. `accept_table` asks for a Table, as kubectl does for printing,
    `only_metadata` for PartialObjectMetadata. `user` None: credentials that nobody knows.
    """
    try:
        if user is None:
            raise unauthorized()
        if method not in METHODS:
            raise method_not_allowed()
        path, options = path.partition("?")[0], options_of(path, query)
        found = server.route(path)
        if found is None:
            return _outside(server, path, options, user, groups)
        request = _request(method, found, options, body, content_type)._replace(actor=actor, user=user, groups=tuple(groups), manager=manager)
    except Refused as refusal:
        return Response(refusal.code, refusal.status)
    response = server.handle(request)
    if response.ok and isinstance(response.body, dict):
        if accept_table and request.resource.kind in reviews.STATUS:
            refusal = not_tabled(request.resource)
            return Response(refusal.code, refusal.status)
        kind = TABLE if accept_table else METADATA if only_metadata else WHOLE
        response = response._replace(body=_shown(server, request, response.body, kind, show_managed_fields))
    return response


def request_of(server, method, path, query):
    """The Request that a path and a query name, without a body. Raises Refused (404, 405, 422)."""
    found = server.route(path)
    if found is None:
        raise no_such_path()
    return _request(method, found, options_of(path, query), None, "")


def shape_of(server, request, kind):
    """The shapes.Shape in which a request wants its answers."""
    return Shape(request.resource, kind, request.options.get("includeObject") or "Metadata", server.printer_columns(request.resource))


def options_of(path, query):
    """Query parameters as a dict; those that may come several times become lists where they do."""
    if isinstance(query, dict):
        pairs = [(name, one) for name, value in query.items() for one in (value if isinstance(value, list) else [value])]
    else:
        pairs = parse_qsl(query or path.partition("?")[2], keep_blank_values=True)
    options = {}
    for name, value in pairs:
        if name in options and name in REPEATED:
            options[name] = [*(options[name] if isinstance(options[name], list) else [options[name]]), value]
        elif name not in options:
            options[name] = value
    return options


def _request(method, found, options, body, content_type):
    verb = verb_of(method, found, list_options.flag(options, "watch"))
    if verb in ("list", "watch"):
        list_options.check(options, verb == "watch")
    media = content_type.partition(";")[0].strip() if content_type else "application/json"
    if verb == "patch" and media not in PATCH_TYPES:
        raise unsupported_media_type(media, list(PATCH_TYPES))
    parsed, duplicates = _parsed(body, verb, media, kind_served(found.resource, found.subresource)[2])
    patch_type = PATCH_TYPES.get(media, "") if verb == "patch" else ""
    return Request(verb, found.resource, found.namespace, found.name, found.subresource, parsed, options, patch_type, duplicates=duplicates,
                   rest=found.rest)


def _parsed(body, verb, media, kind):
    """(the body as JSON-shaped data, the paths of its fields that are there twice)."""
    if body is None or isinstance(body, (dict, list)) or body in ("", b""):
        if verb in ("create", "update", "patch") and not isinstance(body, (dict, list)):
            return {}, ()
        return body or {} if verb in ("delete", "deletecollection") else body, ()
    if verb in ("create", "update") and media not in BODIES:
        raise unsupported_media_type(media, BODIES)
    return request_text.read(body, verb, media, kind)


# -- answers ---------------------------------------------------------------------------------------------------------------
def _shown(server, request, body, kind, show_managed_fields):
    """The body as the client wants it."""
    if request.verb in SHAPED.get(kind, ()):
        return shape_of(server, request, kind).body(body, server.clock)
    if show_managed_fields and request.verb in OWNED and ("items" in body or _is_stored(request, body)):
        return server.with_managed_fields(request.resource, body)
    return body


def _is_stored(request, body):
    """Whether an answer is the object itself, as the store has it."""
    return body.get("kind") == request.resource.kind and "uid" in body["metadata"] and not request.options.get("dryRun")


def _outside(server, path, options, user, groups):
    """Paths that are no resources: discovery, health, versions."""
    if not path.startswith(OPEN_TO_ALL) and not is_allowed(server.etcd, user, groups_of(user, groups), Attributes("get", path=path)):
        raise refused_path(user, "get", path)
    body = discovery.document(path, options, server)
    if body is None:
        raise no_such_path()
    return Response(200, body)
