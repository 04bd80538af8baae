"""The API server's door for HTTP: paths, query parameters, bodies and media types, in and out."""
from urllib.parse import parse_qsl

from ...client import Request, Response
from . import discovery, request_text, tables
from .authorization import Attributes, groups_of, is_allowed, refused_path
from .bodies import kind_served
from .errors import Refused, no_such_path, unauthorized, unsupported_media_type
from .routes import verb_of

PATCH_TYPES = {"application/json-patch+json": "json", "application/merge-patch+json": "merge", "application/strategic-merge-patch+json": "strategic",
               "application/apply-patch+yaml": "apply"}
BODIES = ("application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor")
TRUE = ("1", "t", "T", "true", "TRUE", "True", "")
REPEATED = ("command", "dryRun")
OPEN_TO_ALL = ("/healthz", "/livez", "/readyz", "/version")
TABLED = ("get", "list", "watch")


def http(server, method, path, query=None, body=None, content_type="application/json", user="kubernetes-admin", groups=(), actor="kubectl", accept_table=False,
         manager="", show_managed_fields=False):
    """Answer an HTTP request: a Response whose body is JSON-shaped, or a text for logs and health checks.

    `query` is a dict or the text behind "?"; `body` a dict, list, text, bytes or None. `accept_table` asks for a Table, as kubectl does for printing.
    `user` None: credentials that nobody knows.
    """
    try:
        if user is None:
            raise unauthorized()
        options = options_of(path, query)
        path = path.partition("?")[0]
        found = server.route(path)
        if found is None:
            return _outside(server, path, options, user, groups)
        request = _request(method, found, options, body, content_type)._replace(actor=actor, user=user, groups=tuple(groups), manager=manager)
    except Refused as refusal:
        return Response(refusal.code, refusal.status)
    response = server.handle(request)
    if response.ok and isinstance(response.body, dict):
        response = response._replace(body=_shown(server, request, response.body, accept_table, show_managed_fields))
    return response


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


def is_true(options, name):
    return name in options and str(options[name]) in TRUE


def _request(method, found, options, body, content_type):
    verb = verb_of(method, found, is_true(options, "watch"))
    media = content_type.partition(";")[0].strip() if content_type else "application/json"
    if verb == "patch" and media not in PATCH_TYPES:
        raise unsupported_media_type(media, list(PATCH_TYPES))
    parsed, duplicates = _parsed(body, verb, media, kind_served(found.resource, found.subresource)[2])
    patch_type = PATCH_TYPES.get(media, "") if verb == "patch" else ""
    return Request(verb, found.resource, found.namespace, found.name, found.subresource, parsed, options, patch_type, duplicates=duplicates)


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
def _shown(server, request, body, accept_table, show_managed_fields):
    """The body as the client wants it: a Table, or the object with its managedFields."""
    if show_managed_fields and request.verb in ("get", "list"):
        body = server.with_managed_fields(request.resource, body)
    if not accept_table or request.verb not in TABLED or body.get("kind") in ("Status", "Scale"):
        return body
    items, metadata = ([body], {"resourceVersion": body["metadata"].get("resourceVersion", "")}) if "items" not in body else (body["items"], body["metadata"])
    include = request.options.get("includeObject") or "Metadata"
    return tables.table(request.resource.qualified, items, server.clock, metadata, include, printer_columns=server.printer_columns(request.resource))


def _outside(server, path, options, user, groups):
    """Paths that are no resources: discovery, health, versions."""
    if not path.startswith(OPEN_TO_ALL) and not is_allowed(server.etcd, user, groups_of(user, groups), Attributes("get", path=path)):
        raise refused_path(user, "get", path)
    body = discovery.document(path, options, server)
    if body is None:
        raise no_such_path()
    return Response(200, body)
