"""SyncPod: bring a Pod's containers to what its spec asks for, and report what is (pkg/kubelet/kubelet.go, kuberuntime_manager.go).

A sync goes through the stages "status" (report what is) and "act" (volumes, sandbox, containers), one step per work item. What goes wrong is noted
in `tried`; it is reported by the next sync, as the kubelet's reason cache has it.
"""
from ...timings import API_CALL
from ..durations import RELIST, RESYNC, RETRY
from . import actions, pleg, resizing, status, volumes


def wanted(worker):
    """Whether a sync is to begin now."""
    sync_at = worker.record["sync_at"]
    return worker.record["again"] or sync_at is not None and sync_at <= worker.now


def advance(worker):
    """Do the next step of the running sync, or begin one. Returns ms until the next step, or None if nothing is to be done now."""
    record = worker.record
    if record["stage"] is None:
        record.update(stage="status", again=False, sync_at=None, began=worker.now, tried={}, started=False)
    if record["stage"] == "status":
        resizing.look(worker)
        written = status.report(worker)
        record["stage"] = "act"
        worker.kubelet.prober.look(worker.key, trigger=True)
        if record.get("cleanup"):
            pleg.clean_up(worker)
        if worker.phase in status.ENDED:
            record.update(stage=None, work="terminating", synced=worker.now)
            return API_CALL
        if written and volumes.wanted(worker):
            return volumes.begin(worker)
        if written and actions.next_action(worker):
            return API_CALL
    return _act(worker)


def _act(worker):
    waiting = volumes.mount(worker)
    if waiting is volumes.FAILED:
        worker.record["tried"] = {"volumes": ["FailedMount", worker.record["volume_error"], None]}
        _finish(worker)
        return None
    if waiting is not None:
        return waiting
    worker.kubelet.prober.add(worker)
    action = actions.next_action(worker)
    if action is not None:
        return action(worker)
    _finish(worker)
    return None


def _finish(worker):
    """The sync is over: remember why containers did not start, and when to try again."""
    record = worker.record
    reasons = {**record["reasons"], **{name: error[:2] for name, error in record["tried"].items() if error}}
    record["reasons"] = {name: reason for name, reason in reasons.items() if record["tried"].get(name, True)}
    record.update(stage=None, synced=worker.now)
    if record["started"]:
        record["relist_at"] = worker.now + RELIST
    failures = [error for error in record["tried"].values() if error]
    if failures:
        _retry(worker, failures)


def _retry(worker, failures):
    """The next sync after a failed one: when the first back-off ends, else after RETRY; in any case some way late, as the kubelet's work queue is."""
    ends = [until for _, _, until in failures if until is not None]
    delay = min(max(min(ends) - worker.now, 0), RESYNC) if ends else RETRY
    worker.sync_in(delay + worker.kubelet.random.below(delay // 2 + 1))
