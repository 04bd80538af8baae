"""SyncTerminatingPod and SyncTerminatedPod: the end of a Pod on its node (pkg/kubelet/kubelet.go, status/status_manager.go)."""
from ...objects import is_deleting
from ...timings import API_CALL
from . import killing, sandbox, status, volumes

SECOND = 1000


def grace_of(worker):
    """ms that the Pod's containers get to stop: the shortest of what the delete and the kubelet itself say, at least one second."""
    told = worker.record.get("grace_override")
    if told is None:
        told = worker.pod["metadata"].get("deletionGracePeriodSeconds")
    return max(worker.grace() if told is None else told, 1) * SECOND


def terminating(worker):
    """Stop everything. Returns ms until the next step; None while the runtime works."""
    record = worker.record
    if record["stage"] is None:
        return _begin(worker)
    if record["stage"] == "kill":
        waiting = killing.advance(worker, ordered=True)
        if waiting is not None:
            return waiting
        record["stage"] = "sandbox"
        if worker.standing:
            return sandbox.stop(worker)
    return _stopped(worker)


def _begin(worker):
    """Report, and ask for the stop of every container at once."""
    failed = worker.record.get("failed")
    why = failed[0] if failed else "Deleted" if worker.record["ending"] else "Completed"
    worker.say("kubelet", "TerminatePod", None, why=why, grace=grace_of(worker) // SECOND)
    worker.record.update(stage="kill", again=False, sync_at=None, began=worker.now)
    written = worker.exists and status.report(worker)
    grace = grace_of(worker)
    for container in killing.kill_order(worker.running()):
        killing.begin(worker, container, None, grace)
    waiting = killing.advance(worker, ordered=True)
    return waiting if waiting is not None else API_CALL if written else 0


def _stopped(worker):
    """Nothing runs any more: the phase is decided."""
    worker.record.update(stage=None, work="unmounting", synced=worker.now)
    if worker.exists and status.report(worker, terminal=True):
        return API_CALL
    return 0


def unmounting(worker):
    """Nothing is used any more."""
    volumes.unmount(worker)
    worker.record["work"] = "terminated"
    return API_CALL


def terminated(worker):
    """Give the Pod back to the API server: everything of it has ended."""
    record = worker.record
    record.update(work="done", synced=worker.now)
    return API_CALL if worker.exists and status.report(worker, terminal=True, final=True) else 0


def _remove_containers(worker):
    """RemoveContainer for each; the Pod's logs go with them."""
    for container in list(worker.runtime["containers"].values()):
        worker.say("cri", "RemoveContainer", f"RemoveContainer {container['id'][:12]}", container=container["name"])
        worker.kubelet.runtime.remove_container(worker.key, container["id"])


def done(worker):
    """The worker has finished. A Pod that is being deleted is given back; what is left on the node goes with it."""
    if not worker.exists:
        _remove_containers(worker)
        worker.kubelet.prober.remove(worker.key)
        worker.kubelet.garbage.add(worker.key)
        worker.gone = True
        return None
    if worker.record.get("unsent"):
        return None          # the API server does not know yet how it ended
    if is_deleting(worker.pod) and worker.pod["metadata"].get("deletionGracePeriodSeconds") != 0:
        _remove_containers(worker)
        worker.client().delete("pods", worker.key.namespace, worker.key.name, grace=0, uid=worker.key.uid)
    return None
