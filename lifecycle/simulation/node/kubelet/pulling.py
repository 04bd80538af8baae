"""Having an image on the node before a container is made of it (pkg/kubelet/images/image_manager.go). Pulls of a node go one after another."""
from .. import images, registries
from ..texts import go_duration
from . import backoff
from .outcome import fail_loudly, tell


def ensure(worker, container, field):
    """Make sure that a container's image is there. None if it is; else ms until the next step, of the pull or after a failure."""
    name, policy = container["image"], container.get("imagePullPolicy", "IfNotPresent")
    try:
        wanted = images.canonical(name)
    except images.InvalidReference as problem:
        message = f'Failed to apply default image tag "{name}": couldn\'t parse image name "{name}": {problem}'
        tell(worker, container, field, "Warning", "InspectFailed", message)
        return fail_loudly(worker, container, field, "InvalidImageName", message)
    worker.say("cri", "ImageStatus", f"ImageStatus {name}", image=name)
    if policy != "Always" and wanted in worker.kubelet.runtime.images(worker.key.node):
        tell(worker, container, field, "Normal", "Pulled", f'Container image "{name}" already present on machine and can be accessed by the pod')
        return None
    if policy == "Never":
        message = f'Container image "{name}" is not present with pull policy of Never'
        tell(worker, container, field, "Warning", "ErrImageNeverPull", message)
        return fail_loudly(worker, container, field, "ErrImageNeverPull", message)
    return _begin(worker, container, field, wanted)


def _begin(worker, container, field, wanted):
    """PullImage, as soon as the node's other pulls are done, unless the last failure is too young."""
    name = container["image"]
    failed = worker.record.get("pulls", {}).get(name)
    if failed and failed["until"] > worker.now:
        tell(worker, container, field, "Normal", "BackOff", f'Back-off pulling image "{name}"')
        return fail_loudly(worker, container, field, "ImagePullBackOff", f'Back-off pulling image "{name}": ErrImagePull: {failed["error"]}')
    tell(worker, container, field, "Normal", "Pulling", f'Pulling image "{name}"')
    worker.say("cri", "PullImage", f"PullImage {name}", image=name, container=container["name"])
    begins, ends = _queue(worker, wanted)
    error = registries.pull_error(worker.kubelet.etcd, wanted)
    worker.begin("pull", ends - worker.now, container=container["name"], field=field, image=wanted, asked=worker.now, took=ends - begins, error=error)
    return ends - worker.now


def _queue(worker, wanted):
    """(when the pull begins, when it ends), noted on the node so that the next pull waits for it."""
    known = worker.kubelet.etcd.read(worker.space, "pulls", {"busy": 0, "coming": {}})
    begins = max(worker.now, known["busy"])
    there = wanted in worker.kubelet.runtime.images(worker.key.node) or wanted in known["coming"]
    ends = begins + registries.pull_duration(worker.kubelet.etcd, wanted, there)
    coming = {reference: done for reference, done in known["coming"].items() if done > worker.now}
    worker.kubelet.etcd.write(worker.space, "pulls", {"busy": ends, "coming": {**coming, wanted: ends}})
    return begins, ends


def finished(worker, container, step):
    """PullImage has returned. None if the image is there now, else ms until the next step."""
    if step.get("error"):
        return _failed(worker, container, step["field"], step["error"])
    name, size, waited = container["image"], images.entry(step["image"])["size"], worker.now - step["asked"]
    worker.kubelet.runtime.add_image(worker.key.node, step["image"])
    worker.record["pulls"] = {image: entry for image, entry in worker.record.get("pulls", {}).items() if image != name}
    worker.kubelet.runtime.say("kubelet", "ImagePulled", None, worker.key.object, {**worker.key.facts, "image": name, "bytes": size, "ms": step["took"]})
    times = f"{go_duration(step['took'])} ({go_duration(waited)} including waiting)"
    tell(worker, container, step["field"], "Normal", "Pulled", f'Successfully pulled image "{name}" in {times}. Image size: {size} bytes.')
    return None


def _failed(worker, container, field, error):
    """The pull has failed: the next one must wait, longer each time."""
    name, known = container["image"], worker.record.get("pulls", {})
    last = known.get(name)
    wait, _ = backoff.after(last and [last["wait"], last["at"]], worker.now, worker.now)
    worker.record["pulls"] = {**known, name: {"wait": wait, "at": worker.now, "until": worker.now + wait, "error": error}}
    tell(worker, container, field, "Warning", "Failed", f'Failed to pull image "{name}": {error}')
    return fail_loudly(worker, container, field, "ErrImagePull", error)
