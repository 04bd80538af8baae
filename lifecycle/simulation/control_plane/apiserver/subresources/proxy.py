"""pods/proxy and services/proxy: the API server passes a GET on to what listens there (pkg/registry/core/{pod,service}, apimachinery/pkg/util/proxy)."""
import re

from ..errors import Refused, not_found

NAME = re.compile(r"(?:(https?):)?([^:]*)(?::([^:]*))?", re.ASCII)         # "web", "web:80", "http:web:metrics"


def pod(call):
    """(code, text) that a Pod answers."""
    name, port = _named(call)
    found = call.stored(call.resource, call.namespace, name)
    if found is None:
        raise not_found(call.resource, name)
    number = int(port) if port.isdigit() else _port_of_pod(found, port)
    call.tell(call.resource.key(call.namespace, name))
    return _answered(_runtime(call).http_get(call.namespace, name, number, call.request.rest or "/"), found.get("status", {}).get("podIP", ""), number)


def service(call):
    """(code, text) that one of the Pods behind a Service answers."""
    name, port = _named(call)
    found = call.stored(call.resource, call.namespace, name)
    if found is None:
        raise not_found(call.resource, name)
    ports = found["spec"].get("ports") or ()
    wanted = [each for each in ports if port in (each.get("name", ""), str(each["port"]))] if port else ports[:1]
    if not wanted:
        raise _unavailable(f'no service port "{port}" found for service "{name}"')
    call.tell(call.resource.key(call.namespace, name))
    endpoints, answer = _runtime(call).outside.through(found, wanted[0]["port"], call.request.rest or "/")
    if not endpoints:
        raise _unavailable(f'no endpoints available for service "{name}"')
    return _answered(answer, *endpoints[0])


def _named(call):
    """(name, port as it was written or "")"""
    found = NAME.fullmatch(call.name)
    if found is None:
        raise Refused(400, f'invalid {call.resource.singular} request "{call.name}"', "BadRequest")
    _, name, port = found.groups()
    return name, port or ""


def _port_of_pod(found, name):
    """The number of a Pod's port by its name; its first one, if no port was asked for, else 80."""
    ports = [port for container in found["spec"]["containers"] for port in container.get("ports") or ()]
    return next((port["containerPort"] for port in ports if not name or port.get("name") == name), 80)


def _answered(answer, address, port):
    if answer is None:
        raise _unavailable(f"error trying to reach service: dial tcp {address}:{port}: connect: connection refused")
    return answer


def _runtime(call):
    return call.server.cluster.components["cri"]


def _unavailable(message):
    return Refused(503, message, "ServiceUnavailable")
