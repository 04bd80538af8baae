"""What a kubelet serves on port 10250: logs, exec and attach (pkg/kubelet/kubelet_pods.go GetKubeletContainerLogs, validateContainerLogStatus)."""
from datetime import datetime

from .. import images, programs
from ..disk import PodKey, is_away
from .worker import Worker

PULLING = {"ErrImagePull": "image can't be pulled", "ImagePullBackOff": "trying and failing to pull image"}
SCHEME = "containerd://"
LISTS = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


def logs(kubelet, namespace, name, container, options):
    """(text, None) or (None, error text). `options` are the query's: previous, tailLines, sinceSeconds, sinceTime, timestamps, limitBytes."""
    pod = kubelet.api.get("pods", namespace, name)
    key = PodKey.of(pod)
    if is_away(kubelet.etcd, key.node):
        host = f"{kubelet.address(key.node)}:10250"
        return None, f'Get "https://{host}/containerLogs/{namespace}/{name}/{container}": dial tcp {host}: connect: no route to host'
    identity, error = _instance(pod, name, container, _is_set(options, "previous"))
    if error:
        return None, error
    found = Worker(kubelet, key).runtime["containers"].get(identity)
    if found is None:          # the answer has begun by then, so that this is its text (kuberuntime_container.go GetContainerLogs)
        return f"unable to retrieve container logs for {SCHEME}{identity}", None
    return _text(kubelet, key, found, options), None


def _instance(pod, name, container, previous):
    """(id of the container whose log is meant, error text)"""
    told = next((status for listed in LISTS for status in pod.get("status", {}).get(listed, ()) if status["name"] == container), None)
    if told is None:
        return None, f'container "{container}" in pod "{name}" is not available'
    state, last = told["state"], _id(told["lastState"].get("terminated", {}))
    if previous:
        return (last, None) if last else (None, f'previous terminated container "{container}" in pod "{name}" not found')
    if "running" in state:
        return _id(told), None
    ended = _id(state.get("terminated", {})) or last
    if ended:
        return ended, None
    if "terminated" in state or "terminated" in told["lastState"]:
        return None, f'container "{container}" in pod "{name}" is terminated'
    reason = state.get("waiting", {}).get("reason")
    return None, f'container "{container}" in pod "{name}" is waiting to start: {PULLING.get(reason, reason)}'


def _is_set(options, name):
    return str(options.get(name, "")).lower() in ("true", "1", "t")


def _id(told):
    return told.get("containerID", "").removeprefix(SCHEME)


def _text(kubelet, key, container, options):
    lines = kubelet.runtime.log(key, container)
    since = _since(kubelet.clock, options)
    if since is not None:
        lines = [line for line in lines if line[0] >= since]
    if options.get("tailLines") not in (None, ""):
        lines = lines[-int(options["tailLines"]):] if int(options["tailLines"]) else []
    stamped = _is_set(options, "timestamps")
    text = "".join((f"{_stamp(kubelet.clock, at)} " if stamped else "") + line + "\n" for at, _, line in lines)
    return text[:int(options["limitBytes"])] if options.get("limitBytes") else text


def _since(clock, options):
    if options.get("sinceSeconds"):
        return clock.now - int(options["sinceSeconds"]) * 1000
    return clock.parse(datetime.fromisoformat(options["sinceTime"]).isoformat()) if options.get("sinceTime") else None


def _stamp(clock, at):
    return clock.microtime(at)[:-1] + "000Z"


def followed_log(kubelet, namespace, name, container, options, connection):
    """(id of a stream, None) through which a log comes, and with `follow` what is printed later; or (None, error text)."""
    text, error = logs(kubelet, namespace, name, container, options)
    if error:
        return None, error
    pod = kubelet.api.get("pods", namespace, name)
    key = PodKey.of(pod)
    found = Worker(kubelet, key).runtime["containers"].get(_instance(pod, name, container, _is_set(options, "previous"))[0])
    if found is None or not _is_set(options, "follow"):
        return kubelet.streaming.open(key, {"id": ""}, "log", connection, text=text), None
    told = kubelet.runtime.inside.lines_from(key, kubelet.runtime.of(key), found, 0, kubelet.clock.now)[1]
    return kubelet.streaming.open(key, found, "log", connection, text=text, told=told, stamped=_is_set(options, "timestamps")), None


def connect(kubelet, namespace, name, container, kind, connection, **what):
    """(id of a stream, None) for exec {"argv", "stdin", "tty"} and attach {"stdin"}, or (None, (reason of the Status, error text))."""
    pod = kubelet.api.get("pods", namespace, name)
    key = PodKey.of(pod)
    worker = Worker(kubelet, key)
    found = worker.container(container)
    if is_away(kubelet.etcd, key.node):
        return None, ("", f"error dialing backend: dial tcp {kubelet.address(key.node)}:10250: connect: no route to host")
    if found is None or found["state"] != "running":
        missing = f'container not found ("{container}")' if kind == "exec" else f"container {container} not found in pod {name}_{namespace}"
        return None, ("InternalError", f"Internal error occurred: unable to upgrade connection: {missing}")
    if kind == "exec":
        command = what["argv"]
        worker.say("cri", "Exec", f"Exec {' '.join(command)}", container=container)
        if not programs.exists(found["image"], command) and images.is_known(found["image"]):
            return None, ("InternalError", "Internal error occurred: Internal error occurred: error executing command in container: failed to exec in "
                          f'container: failed to start exec "{kubelet.random.hexadecimal()}": OCI runtime exec failed: exec failed: '
                          f'unable to start container process: exec: "{command[0]}": {programs.not_found(command[0])}')
    else:
        worker.say("cri", "Attach", f"Attach {container}", container=container)
        what["once"] = found.get("stdin_once", False)
    return kubelet.streaming.open(key, found, kind, connection, **what), None
