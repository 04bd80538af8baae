"""Components of the control plane and of the nodes: stopped, slow, cut off from news; and the clock of them all."""
from .. import broken
from .fault import Fault


def stop(cluster, name):
    cluster.stop(name)
    cluster.components["node-lifecycle"].expect_silence()


def start(cluster, name):
    cluster.start(name)


def slow(cluster, name, factor):
    """Each piece of its work takes longer (hindrances.py)."""
    broken.write(cluster.etcd, f"slow {name}", factor)


def mend(cluster, name):
    broken.write(cluster.etcd, f"slow {name}", None)


def _break_watches(expired):
    return lambda cluster, name: cluster.components["reflectors"].break_watches(name, expired)


def jump(cluster, duration):
    """All clocks are set forward: what would have happened meanwhile is late. Raises ValueError for a jump back."""
    if duration < 0:
        raise ValueError("the time of a whole cluster goes forward only")
    cluster.clock.now += duration


FAULTS = (
    Fault("component COMPONENT stop", stop, "StopComponent", ""),
    Fault("component COMPONENT start", start, "Mend", ""),
    Fault("component COMPONENT slow [FACTOR]", slow, "SlowComponent", ""),
    Fault("component COMPONENT mend", mend, "Mend", ""),
    Fault("component COMPONENT watch drop", _break_watches(False), "DropWatch", ""),
    Fault("component COMPONENT watch expire", _break_watches(True), "ExpireWatch", ""),
    Fault("clock DURATION", jump, "JumpClock", "apiserver"),
)
