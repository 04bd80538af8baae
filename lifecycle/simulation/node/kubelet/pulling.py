"""Having an image on the node before a container is made of it (pkg/kubelet/images/image_manager.go). Pulls of a node go one after another."""
from ...timings import API_CALL
from .. import images
from ..texts import go_duration
from . import backoff

WAITING = object()               # the pull takes time: `starting.pulled` goes on when it is done


def reference(image):
    """The canonical reference of an image name that is known to be valid."""
    return images.canonical(image)


def ensure(worker, container, field):
    """None if the image is there, WAITING while it is pulled, or why the container cannot start: [reason, message, None]."""
    from .starting import say_event
    name, policy = container["image"], container.get("imagePullPolicy", "IfNotPresent")
    try:
        wanted = images.canonical(name)
    except images.InvalidReference as problem:
        message = f'Failed to apply default image tag "{name}": couldn\'t parse image name "{name}": {problem}'
        say_event(worker, container, field, "Warning", "InspectFailed", message)
        return _failed(worker, container, field, "InvalidImageName", message)
    worker.say("cri", "ImageStatus", f"ImageStatus {name}", image=name)
    present = wanted in worker.kubelet.runtime.images(worker.key.node)
    if present and policy != "Always":
        say_event(worker, container, field, "Normal", "Pulled", f'Container image "{name}" already present on machine and can be accessed by the pod')
        return None
    if policy == "Never":
        message = f'Container image "{name}" is not present with pull policy of Never'
        say_event(worker, container, field, "Warning", "ErrImageNeverPull", message)
        return _failed(worker, container, field, "ErrImageNeverPull", message)
    return _backing_off(worker, container, field) or _begin(worker, container, field, wanted)


def _failed(worker, container, field, reason, message):
    from .starting import say_event
    say_event(worker, container, field, "Warning", "Failed", f"Error: {reason}")
    return [reason, message, None]


def _backing_off(worker, container, field):
    """The ImagePullBackOff error while the image's last failed pull is too young."""
    from .starting import say_event
    name = container["image"]
    entry = worker.record.get("pulls", {}).get(name)
    if entry is None or entry["until"] <= worker.now:
        return None
    say_event(worker, container, field, "Normal", "BackOff", f'Back-off pulling image "{name}"')
    return _failed(worker, container, field, "ImagePullBackOff", f'Back-off pulling image "{name}": ErrImagePull: {entry["error"]}')


def _begin(worker, container, field, wanted):
    """PullImage, as soon as the node's other pulls are done."""
    from .starting import say_event
    name = container["image"]
    say_event(worker, container, field, "Normal", "Pulling", f'Pulling image "{name}"')
    worker.say("cri", "PullImage", f"PullImage {name}", image=name, container=container["name"])
    begins, ends = _queue(worker, wanted)
    worker.begin("pull", ends - worker.now, container=container["name"], field=field, image=wanted, asked=worker.now, took=ends - begins)
    return WAITING


def _queue(worker, wanted):
    """(when the pull begins, when it ends), noted on the node so that the next pull waits for it."""
    known = worker.kubelet.etcd.read(worker.space, "pulls", {"busy": 0, "coming": {}})
    begins = max(worker.now, known["busy"])
    there = wanted in worker.kubelet.runtime.images(worker.key.node) or wanted in known["coming"]
    ends = begins + (images.RESOLVE if there else images.pull_duration(wanted))
    coming = {reference: done for reference, done in known["coming"].items() if done > worker.now}
    worker.kubelet.etcd.write(worker.space, "pulls", {"busy": ends, "coming": {**coming, wanted: ends}})
    return begins, ends


def remaining(worker):
    """ms until the pull that has begun is done."""
    return worker.record["step"]["until"] - worker.now


def pulled(worker, step):
    """PullImage has returned: go on with the container, or note why not."""
    from . import starting
    container = next(spec for spec in worker.spec[step["field"]] if spec["name"] == step["container"])
    name, error = container["image"], images.pull_error(step["image"])
    if error:
        return _pull_failed(worker, container, step["field"], error)
    worker.kubelet.runtime.add_image(worker.key.node, step["image"])
    worker.record["pulls"] = {image: entry for image, entry in worker.record.get("pulls", {}).items() if image != name}
    size, waited = images.entry(step["image"])["size"], worker.now - step["asked"]
    worker.kubelet.runtime.say("kubelet", "ImagePulled", None, worker.key.object, {**worker.key.facts, "image": name, "bytes": size, "ms": step["took"]})
    starting.say_event(worker, container, step["field"], "Normal", "Pulled",
                       f'Successfully pulled image "{name}" in {go_duration(step["took"])} ({go_duration(waited)} including waiting). Image size: {size} bytes.')
    return starting.create(worker, container, step["field"])


def _pull_failed(worker, container, field, error):
    from . import starting
    name, known = container["image"], worker.record.get("pulls", {})
    last = known.get(name)
    entry = backoff.after(last and [last["wait"], last["at"]], worker.now, worker.now)
    worker.record["pulls"] = {**known, name: {"wait": entry[0], "at": worker.now, "until": worker.now + entry[0], "error": error}}
    starting.say_event(worker, container, field, "Warning", "Failed", f'Failed to pull image "{name}": {error}')
    return starting.fail(worker, container, field, _failed(worker, container, field, "ErrImagePull", error)) or API_CALL
