"""pods/log, exec and attach: the API server passes these on to the node's kubelet."""
from ..errors import Refused, bad_request, not_found

CONTAINERS = ("containers", "initContainers", "ephemeralContainers")


def log(call):
    """(200, text) of a container's log, as the kubelet gives it."""
    pod = _pod(call)
    container = _container(call, pod)
    if not pod["spec"].get("nodeName"):
        return 200, ""
    text, error = _pair(_kubelet(call).logs(call.namespace, call.name, container, dict(call.request.options)))
    if error:
        raise bad_request(error)
    return 200, text


def execute(call):
    """(200, {"output", "exit"}) of a command run in a container."""
    pod = _pod(call)
    container = _container(call, pod)
    if not pod["spec"].get("nodeName"):
        raise bad_request(f"pod {call.name} does not have a host assigned")
    if pod["status"].get("phase") in ("Succeeded", "Failed"):
        raise bad_request(f"cannot exec into a container in a completed pod; current phase is {pod['status']['phase']}")
    command = call.request.options.get("command") or []
    output, code = _kubelet(call).exec(call.namespace, call.name, container, [command] if isinstance(command, str) else command)
    return 200, {"output": output, "exit": code}


def attach(call):
    """Attaching shows what the container prints from now on; here, its log."""
    return log(call)


def _kubelet(call):
    return call.server.cluster.components["kubelet"]


def _pair(answer):
    return answer if isinstance(answer, tuple) else (answer, None)


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
