"""The API server: every request goes through here, whoever asks."""
from ...client import Request, Response
from ...resources import resource as built_in
from . import conversion, creating, custom, deletion, event_ttl, http, listing, metrics, routes, subresources, tables, updating, virtual, watching
from .authorization import authorize
from .call import Call
from .errors import Refused, method_not_allowed, not_found
from .ownership import Ownership
from .storage_faults import check as check_storage
from .subresources import reviews
from .validation import deprecation


class APIServer:
    """Stateless over the store of `cluster`; what it answers depends on the request and on what is stored."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.etcd, self.clock, self.random = cluster.etcd, cluster.clock, cluster.random
        self.event_ages = event_ttl.EventAges(self.etcd, self.clock)
        self.ownership = Ownership(self.etcd)

    def handle(self, request: Request) -> Response:
        """Carry out a request: a code and a body, as HTTP would give them. Refusals are answers too."""
        if request.resource.qualified == "bindings":
            request = subresources.as_pod_binding(request)
        call = Call(self, request)
        try:
            authorize(call)
            code, body = carry_out(call)
        except Refused as refusal:
            code, body = refusal.code, refusal.status
            call.tell(call.key if request.name else None, refusal)
        call.tell(call.key if request.name else call.resource.prefix(request.namespace or None))
        if not request.trusted and (warning := deprecation(request.resource.qualified)):
            call.warnings.append(warning)
        call.narrator.answered(code)
        return Response(code, body, tuple(call.warnings))

    def http(self, method, path, query=None, body=None, content_type="application/json", **caller):
        """Answer an HTTP request; see http.http."""
        return http.http(self, method, path, query, body, content_type, **caller)

    def connect(self, path, query, connection=(), **caller):
        """Open a connection to a container: a Response with code 101 and {"stream": id} (see `streams`), or a refusal. `caller` is actor, user and groups."""
        try:
            return self.handle(http.request_of(self, "GET", path, query)._replace(connection=connection, **caller))
        except Refused as refusal:
            return Response(refusal.code, refusal.status)

    @property
    def streams(self):
        """The open connections, which the server only passes on: see node.streaming.Streaming for send, end_input, fetch, fetched and close."""
        return self.cluster.components["streaming"]

    def watch(self, request: Request, since):
        """The frames of a watch after a revision; see watching.frames."""
        return watching.frames(self, request, since)

    def request(self, method, path, query):
        """The Request that a path and a query name. Raises Refused."""
        return http.request_of(self, method, path, query)

    def watching(self, request: Request):
        """The watching.Watching that a request asks for. Raises Refused."""
        return watching.watching(Call(self, request))

    def shape(self, request: Request, kind):
        """The shapes.Shape in which a request wants its answers."""
        return http.shape_of(self, request, kind)

    def table(self, resource, things):
        """Objects of a resource as the Table that printing clients ask for."""
        return tables.table(resource.qualified, things, self.clock, printer_columns=self.printer_columns(resource))

    def printer_columns(self, resource):
        """What a custom resource's definition wants printed, or None for built-in kinds."""
        version = custom.version_of(self.etcd, resource)
        return None if version is None else version.get("additionalPrinterColumns") or []

    def route(self, path):
        """The Route that a URL path names, or None."""
        return routes.built_in(path) or routes.route(path, lambda *place: metrics.find(self.etcd, *place) or custom.find(self.etcd, *place))

    def resource(self, qualified):
        """The Resource of a qualified name, built in or custom; KeyError if nobody serves it."""
        try:
            return built_in(qualified)
        except KeyError:
            return metrics.find_qualified(self.etcd, qualified) or custom.find_qualified(self.etcd, qualified)

    def with_managed_fields(self, resource, body):
        """An object or a list as stored, with metadata.managedFields."""
        return self.ownership.shown(resource, body, custom.type_of(self.etcd, resource))

    def custom_resources(self):
        """The Resources that are not built in: those of CustomResourceDefinitions, and of a metrics-server."""
        return (*custom.custom_resources(self.etcd), *metrics.rows(self.etcd))

    def remove_instance(self, qualified, thing):
        """Delete a custom resource because its definition goes: the server's own doing, not a request."""
        meta = thing["metadata"]
        row = self.resource(qualified)
        call = Call(self, Request("delete", row, meta.get("namespace", ""), meta["name"], actor="apiserver", user="system:apiserver"))
        call.told = True
        deletion.delete_object(call, call.key, thing, {})


def carry_out(call):
    """(code, body) of an authorized request."""
    if call.request.subresource and (function := subresources.function_of(call.request)):
        return function(call)
    if call.resource.kind in reviews.STATUS:
        return reviews.review(call)
    check_storage(call, call.key if call.request.name else call.resource.prefix(call.namespace or None))
    if not call.request.subresource and call.request.verb not in call.resource.verbs:
        raise method_not_allowed()
    return VERBS[call.request.verb](call)


def _get(call):
    thing = call.current() or virtual.find(call.server.cluster, call.resource.qualified, call.name, call.namespace)
    if thing is None:
        raise not_found(call.resource, call.name)
    return 200, conversion.to_served(call.resource, thing, custom.schema_of(call.etcd, call.resource))


def _list(call):
    return 200, listing.list_objects(call)


def _create(call):
    return 201, conversion.to_served(call.resource, creating.create(call))


def _update(call):
    thing, created = updating.update(call)
    return 201 if created else 200, conversion.to_served(call.resource, thing)


def _patch(call):
    thing, created = updating.patch(call)
    return 201 if created else 200, conversion.to_served(call.resource, thing)


def _delete(call):
    return 200, deletion.delete(call)


def _delete_collection(call):
    found = listing.found(call)
    deletion.delete_collection(call, found)
    row = call.resource
    return 200, {"kind": f"{row.kind}List", "apiVersion": row.api_version, "metadata": {"resourceVersion": str(call.etcd.revision)}, "items": found}


def _watch(call):
    return 200, watching.opening(call)


VERBS = {"get": _get, "list": _list, "watch": _watch, "create": _create, "update": _update, "patch": _patch, "delete": _delete,
         "deletecollection": _delete_collection}
