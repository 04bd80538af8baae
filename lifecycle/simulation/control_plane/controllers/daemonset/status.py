"""What a DaemonSet's status says (pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus)."""
from ....objects import is_ready
from ..availability import is_available
from .daemons import is_updated

ALWAYS = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady", "observedGeneration")


def new_status(daemons):
    """The status; of several Pods on a node the first one counts."""
    here = [daemons.on(node)[0] for node, (run, _) in daemons.nodes.items() if run and daemons.on(node)]
    available = sum(is_available(pod, daemons.least, daemons.clock) for pod in here)
    known = daemons.daemon_set.get("status") or {}
    status = {
        "currentNumberScheduled": len(here), "numberMisscheduled": sum(not run and bool(daemons.on(node)) for node, (run, _) in daemons.nodes.items()),
        "desiredNumberScheduled": daemons.wanted, "numberReady": sum(map(is_ready, here)),
        "observedGeneration": daemons.daemon_set["metadata"]["generation"],
        "updatedNumberScheduled": sum(is_updated(pod, daemons.daemon_set, daemons.hash) for pod in here),
        "numberAvailable": available, "numberUnavailable": daemons.wanted - available, "collisionCount": known.get("collisionCount", 0)}
    return {name: number for name, number in status.items() if number or name in ALWAYS}
