"""Containers: what their programs do that they should not."""
from ..node import mishaps
from ..node.kubelet.prober import KINDS
from ..node.programs import KILLED
from .fault import Fault


def _running(cluster, target):
    """(the runtime, its record of the container that runs). Raises ValueError if none does."""
    runtime = cluster.components["cri"]
    found = [one for one in runtime.of(target.pod)["containers"].values() if one["name"] == target.container and one["state"] == "running"]
    if not found:
        raise ValueError(f'container "{target.container}" of Pod "{target.pod.namespace}/{target.pod.name}" does not run')
    return runtime, found[-1]


def crash(cluster, target):
    """The container's first process ends with code 1."""
    runtime, container = _running(cluster, target)
    mishaps.crash(runtime, target.pod, container, 1, "Error")


def run_out_of_memory(cluster, target):
    """The kernel ends it because it wants more memory than it may have."""
    runtime, container = _running(cluster, target)
    mishaps.crash(runtime, target.pod, container, KILLED, "OOMKilled")


def _hang(hung):
    def fault(cluster, target):
        runtime, container = _running(cluster, target)
        mishaps.hang(runtime, target.pod, container, hung)
    return fault


def _probe(kind, failing):
    def fault(cluster, target):
        pod = cluster.components["kubelet"].worker(target.pod)
        spec = next((one for one in pod.specs() if one["name"] == target.container), {}) if pod.pod else {}
        if KINDS[kind] not in spec:
            raise ValueError(f'container "{target.container}" of Pod "{target.pod.namespace}/{target.pod.name}" has no {kind} probe')
        cluster.components["prober"].force(target.pod, target.container, kind, failing)
    return fault


FAULTS = (
    Fault("container CONTAINER crash", crash, "CrashContainer", "cri"),
    Fault("container CONTAINER oom", run_out_of_memory, "ExhaustContainer", "cri"),
    Fault("container CONTAINER hang", _hang(True), "HangContainer", "cri"),
    Fault("container CONTAINER resume", _hang(False), "Mend", "cri"),
    *(fault for kind in KINDS for fault in (
        Fault(f"container CONTAINER {kind} fail", _probe(kind, True), "FailProbe", "kubelet"),
        Fault(f"container CONTAINER {kind} mend", _probe(kind, False), "Mend", "kubelet"))),
)
