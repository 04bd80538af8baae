"""Storage: the CSI driver of Pods' volumes, and etcd."""
from .. import broken
from .fault import Fault


def slow_attach(cluster, seconds):
    """The driver takes so long to attach a volume."""
    broken.write(cluster.etcd, "attach", {"seconds": seconds})


def stick_attach(cluster):
    """The driver never answers when it is to attach a volume."""
    broken.write(cluster.etcd, "attach", {"seconds": None})


def _note(what, value):
    return lambda cluster: broken.write(cluster.etcd, what, value)


def mend_etcd(cluster):
    """It stores again. Kubelets tell what they could not, and those that fell silent meanwhile are missed; everybody else tries again by himself."""
    broken.write(cluster.etcd, "etcd", None)
    for node in cluster.components["kubelet"].nodes():
        cluster.components["kubelet"].resume(node)
    cluster.components["node-lifecycle"].expect_silence()


FAULTS = (
    Fault("csi attach slow [SECONDS]", slow_attach, "SlowAttach", "csi"),
    Fault("csi attach stuck", stick_attach, "StickAttach", "csi"),
    Fault("csi attach mend", _note("attach", None), "Mend", "csi"),
    Fault("csi mount fail", _note("mount", True), "BreakMount", "csi"),
    Fault("csi mount mend", _note("mount", None), "Mend", "csi"),
    Fault("etcd read-only", _note("etcd", "read-only"), "FillEtcd", "etcd"),
    Fault("etcd down", _note("etcd", "down"), "BreakEtcd", "etcd"),
    Fault("etcd mend", mend_etcd, "Mend", "etcd"),
)
