"""The Pod's sandbox: RunPodSandbox, its network, and its end."""
from ...timings import API_CALL
from ..disk import POD_CIDR
from ..durations import SANDBOX, STOP_SANDBOX
from . import status


def create(worker):
    """RunPodSandbox; the runtime calls CNI."""
    worker.say("cri", "RunPodSandbox", f"RunPodSandbox {worker.key.namespace}/{worker.key.name}")
    address = worker.kubelet.address(worker.key.node) if worker.spec.get("hostNetwork") else None
    _, error = worker.kubelet.runtime.run_pod_sandbox(worker.key, worker.kubelet.etcd.read(worker.space, POD_CIDR), address)
    if error:
        worker.event("Warning", "FailedCreatePodSandBox", f"Failed to create pod sandbox: {error}")
        worker.record["tried"] = {**worker.record["tried"], "sandbox": ["CreatePodSandboxError", error, None]}
        return 0
    worker.begin("sandbox", SANDBOX)
    return SANDBOX


def created(worker, step):
    """RunPodSandbox has returned: ask for the addresses, and report that containers can start."""
    worker.say("cri", "PodSandboxStatus", f"PodSandboxStatus {worker.sandbox['id'][:12]}", ip=worker.sandbox["ip"])
    return API_CALL if status.report(worker) else 0


def change(worker):
    """The sandbox is gone under the Pod's feet: everything in it is over, and a new one is made."""
    worker.event("Normal", "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.")
    if worker.standing:
        _stop(worker)
    return create(worker)


def stop(worker):
    """StopPodSandbox; the runtime calls CNI."""
    _stop(worker)
    worker.begin("stop sandbox", STOP_SANDBOX)
    return STOP_SANDBOX


def _stop(worker):
    sandbox = worker.standing
    worker.say("cri", "StopPodSandbox", f"StopPodSandbox {sandbox['id'][:12]}", ip=sandbox["ip"])
    worker.kubelet.runtime.stop_pod_sandbox(worker.key)
