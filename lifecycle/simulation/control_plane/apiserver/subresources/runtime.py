"""pods/log, exec and attach: the API server passes these on to the node's kubelet (pkg/registry/core/pod/rest/subresources.go)."""
from ..errors import Refused, bad_request, not_found
from ..list_options import flag

CONTAINERS = ("containers", "initContainers", "ephemeralContainers")
SWITCHING = 101                  # HTTP's answer to who asks for a connection that stays open


def log(call):
    """(200, text) of a container's log, as the kubelet gives it; (101, {"stream"}) of one that is followed through a connection."""
    pod = _pod(call)
    container = _container(call, pod)
    if not pod["spec"].get("nodeName"):
        return 200, ""
    options = dict(call.request.options)
    if call.request.connection is not None:
        stream, error = _kubelet(call).followed_log(call.namespace, call.name, container, options, call.request.connection)
    else:
        stream, (text, error) = None, _kubelet(call).logs(call.namespace, call.name, container, options)
    if error:
        raise bad_request(error)
    return (SWITCHING, {"stream": stream}) if stream else (200, text)


def execute(call):
    """(101, {"stream"}) of a command that runs in a container."""
    options = call.request.options
    command = options.get("command") or []
    if not command:
        raise bad_request("you must specify at least one command for the container")
    return _connected(call, "exec", argv=[command] if isinstance(command, str) else command, stdin=bool(flag(options, "stdin")), tty=bool(flag(options, "tty")))


def attach(call):
    """(101, {"stream"}) of what a container prints from now on."""
    return _connected(call, "attach", stdin=bool(flag(call.request.options, "stdin")))


def port_forward(call):
    """(101, {}) if there is a Pod on a node to which ports can be forwarded; each connection is opened with `streams.dial`."""
    pod = _pod(call)
    if call.request.connection is None:
        raise bad_request("Upgrade request required")
    if not pod["spec"].get("nodeName"):
        raise bad_request(f"pod {call.name} does not have a host assigned")
    return SWITCHING, {}


def _connected(call, kind, **what):
    pod = _pod(call)
    container = _container(call, pod)
    if call.request.connection is None:
        raise bad_request("Upgrade request required")
    if not any(flag(call.request.options, stream) for stream in ("stdin", "stdout", "stderr")):
        raise bad_request("you must specify at least 1 of stdin, stdout, stderr")
    if not pod["spec"].get("nodeName"):
        raise bad_request(f"pod {call.name} does not have a host assigned")
    call.tell(call.key)
    stream, error = _kubelet(call).connect(call.namespace, call.name, container, kind, call.request.connection, **what)
    if error:
        reason, message = error
        raise Refused(500, message, reason)
    return SWITCHING, {"stream": stream}


def _kubelet(call):
    return call.server.cluster.components["kubelet"]


def _pod(call):
    pod = call.etcd.get(call.key)
    if pod is None:
        raise not_found(call.resource, call.name)
    return pod


def _container(call, pod):
    """The container asked for, or the only one. 400 if that does not say which."""
    spec, asked = pod["spec"], call.request.options.get("container")
    names = {part: [container["name"] for container in spec.get(part) or ()] for part in CONTAINERS}
    if asked:
        if not any(asked in found for found in names.values()):
            raise bad_request(f"container {asked} is not valid for pod {call.name}")
        return asked
    if len(names["containers"]) == 1:
        return names["containers"][0]
    said = f"a container name must be specified for pod {call.name}, choose one of: [{' '.join(names['containers'])}]"
    if names["initContainers"]:
        said += f" or one of the init containers: [{' '.join(names['initContainers'])}]"
    raise Refused(400, said, "BadRequest")
