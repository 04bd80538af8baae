"""Images and the registries that they come from. What a node has already is not touched."""
from .. import broken
from .fault import Fault


def _image(how):
    return lambda cluster, image: broken.write(cluster.etcd, f"image {image}", how and {"how": how})


def slow(cluster, image, factor):
    """A pull takes `factor` times as long."""
    broken.write(cluster.etcd, f"image {image}", {"how": "slow", "factor": factor})


def _registry(unreachable):
    return lambda cluster, host: broken.write(cluster.etcd, f"registry {host}", unreachable)


FAULTS = (
    Fault("image IMAGE missing", _image("missing"), "LoseImage", "cri"),
    Fault("image IMAGE denied", _image("denied"), "DenyImage", "cri"),
    Fault("image IMAGE slow [FACTOR]", slow, "SlowImage", "cri"),
    Fault("image IMAGE mend", _image(None), "Mend", "cri"),
    Fault("registry HOST unreachable", _registry(True), "BreakRegistry", "cri"),
    Fault("registry HOST mend", _registry(None), "Mend", "cri"),
)
