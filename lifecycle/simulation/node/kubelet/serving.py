"""What a kubelet serves on port 10250: logs and exec (pkg/kubelet/kubelet_pods.go GetKubeletContainerLogs, validateContainerLogStatus)."""
from datetime import datetime

from .. import images, programs
from ..disk import PodKey, is_down
from .worker import Worker

PULLING = {"ErrImagePull": "image can't be pulled", "ImagePullBackOff": "trying and failing to pull image"}
LISTS = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


def logs(kubelet, namespace, name, container, options):
    """(text, None) or (None, error text). `options` are the query's: previous, tailLines, sinceSeconds, sinceTime, timestamps, limitBytes."""
    pod = kubelet.api.get("pods", namespace, name)
    key = PodKey.of(pod)
    if is_down(kubelet.etcd, key.node):
        host = f"{kubelet.address(key.node)}:10250"
        return None, f'Get "https://{host}/containerLogs/{namespace}/{name}/{container}": dial tcp {host}: connect: no route to host'
    previous = options.get("previous") in ("true", True)
    identity, error = _instance(pod, name, container, previous)
    if error:
        return None, error
    found = Worker(kubelet, key).runtime["containers"].get(identity)
    return (_text(kubelet, key, found, options), None) if found else ("", None)


def _instance(pod, name, container, previous):
    """(id of the container whose log is meant, error text)"""
    told = next((status for listed in LISTS for status in pod.get("status", {}).get(listed, ()) if status["name"] == container), None)
    if told is None:
        return None, f'container "{container}" in pod "{name}" is not available'
    state, last = told["state"], told["lastState"].get("terminated")
    if previous:
        return (_id(last), None) if last else (None, f'previous terminated container "{container}" in pod "{name}" not found')
    if "running" in state:
        return _id(told), None
    if "terminated" in state and state["terminated"].get("containerID"):
        return _id(state["terminated"]), None
    if last:
        return _id(last), None
    reason = state.get("waiting", {}).get("reason")
    return None, f'container "{container}" in pod "{name}" is waiting to start: {PULLING.get(reason, reason)}'


def _id(told):
    return told.get("containerID", "").removeprefix("containerd://")


def _text(kubelet, key, container, options):
    lines = kubelet.runtime.log(key, container)
    since = _since(kubelet.clock, options)
    if since is not None:
        lines = [line for line in lines if line[0] >= since]
    if options.get("tailLines") not in (None, ""):
        lines = lines[-int(options["tailLines"]):] if int(options["tailLines"]) else []
    stamped = options.get("timestamps") in ("true", True)
    text = "".join((f"{_stamp(kubelet.clock, at)} " if stamped else "") + line + "\n" for at, _, line in lines)
    return text[:int(options["limitBytes"])] if options.get("limitBytes") else text


def _since(clock, options):
    if options.get("sinceSeconds"):
        return clock.now - int(options["sinceSeconds"]) * 1000
    return clock.parse(datetime.fromisoformat(options["sinceTime"]).isoformat()) if options.get("sinceTime") else None


def _stamp(clock, at):
    return clock.microtime(at)[:-1] + "000Z"


def execute(kubelet, namespace, name, container, command):
    """(output, exit code) of a command in a running container; the code is None if it could not be started, and the output says why."""
    pod = kubelet.api.get("pods", namespace, name)
    key = PodKey.of(pod)
    worker = Worker(kubelet, key)
    found = worker.container(container)
    if is_down(kubelet.etcd, key.node):
        return f"error dialing backend: dial tcp {kubelet.address(key.node)}:10250: connect: no route to host", None
    if found is None or found["state"] != "running":
        return f'unable to upgrade connection: container not found ("{container}")', None
    worker.say("cri", "ExecSync", f"Exec {' '.join(command)}", container=container)
    if not programs.exists(found["image"], command) and images.is_known(found["image"]):
        return ("Internal error occurred: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "
                f'"{kubelet.random.hexadecimal()}": OCI runtime exec failed: exec failed: unable to start container process: '
                f'exec: "{command[0]}": {programs.not_found(command[0])}'), None
    _, code, output = kubelet.runtime.exec(key, found, command)
    kubelet.eviction.look(worker)
    kubelet.pressure.look(key.node)
    return output, code if code is not None else 0
