"""Endpoints below an object that are more than a part of it, as a table."""
from ....resources import resource
from ..errors import no_such_path
from . import binding, eviction, finalize, proxy, runtime, scale, token

SCALED = ("deployments.apps", "replicasets.apps", "statefulsets.apps", "replicationcontrollers")

FUNCTIONS = {
    ("pods", "binding", "create"): binding.bind,
    ("pods", "eviction", "create"): eviction.evict,
    ("pods", "log", "get"): runtime.log,
    ("pods", "exec", "create"): runtime.execute,
    ("pods", "exec", "get"): runtime.execute,
    ("pods", "attach", "create"): runtime.attach,
    ("pods", "attach", "get"): runtime.attach,
    ("pods", "portforward", "create"): runtime.port_forward,
    ("pods", "portforward", "get"): runtime.port_forward,
    ("pods", "proxy", "get"): proxy.pod,
    ("services", "proxy", "get"): proxy.service,
    ("namespaces", "finalize", "update"): finalize.finalize,
    ("serviceaccounts", "token", "create"): token.create,
    **{(kind, "scale", verb): function for kind in SCALED for verb, function in (("get", scale.get), ("update", scale.update), ("patch", scale.patch))},
}
PLAIN = ("status", "approval", "ephemeralcontainers", "resize")             # parts of the object, read and written as the object itself


def as_pod_binding(request):
    """POST bindings, the older form, as the pods/binding it means."""
    metadata = request.body.get("metadata") if isinstance(request.body, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return request._replace(resource=resource("pods"), name=name if isinstance(name, str) else "", subresource="binding")


def function_of(request):
    """The function (call) -> (code, body) of an endpoint, or None where the ordinary verbs do. Raises Refused (404)."""
    kind, subresource, verb = request.resource.qualified, request.subresource, request.verb
    function = FUNCTIONS.get((kind, subresource, verb))
    if function is None and subresource == "scale" and subresource in request.resource.subresources:
        function = FUNCTIONS.get((SCALED[0], subresource, verb))
    if function is None and (subresource not in PLAIN or verb not in (request.resource.subresources.get(subresource) or {}).get("verbs", ())):
        raise no_such_path()
    return function
