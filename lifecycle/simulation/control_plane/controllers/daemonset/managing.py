"""Which Pods a DaemonSet has to create and delete, updates aside (pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode)."""
from ....objects import is_deleting, is_ready
from ....timings import MINUTE, SECOND
from ..availability import is_available
from ..deployment.fenceposts import resolve
from .daemons import is_updated

FIRST_DELAY, LONGEST_DELAY = SECOND, 15 * MINUTE


def rolling(daemon_set):
    """(most additional Pods, most unavailable ones) of an update, as written in the DaemonSet; (0, 1) where nothing is."""
    limits = daemon_set["spec"]["updateStrategy"].get("rollingUpdate") or {}
    return limits.get("maxSurge", 0), limits.get("maxUnavailable", 1)


def limits(daemons):
    """The same in Pods; at least one may be missing if none may be added."""
    surge, unavailable = (resolve(value, daemons.wanted, up=True) for value in rolling(daemons.daemon_set))
    return surge, unavailable if surge or unavailable else 1


def allows_surge(daemon_set):
    return daemon_set["spec"]["updateStrategy"]["type"] == "RollingUpdate" and rolling(daemon_set)[0] not in (0, "0%")


def managed(daemons, ended):
    """(nodes to create a Pod on, Pods to delete). `ended(node, Pod)` says whether a Pod that has ended may be deleted already."""
    nodes, victims = [], []
    for node, (run, stay) in daemons.nodes.items():
        pods = daemons.on(node)
        staying = [pod for pod in pods if not is_deleting(pod)]
        if run and not pods:
            nodes.append(node)
        elif not stay:
            victims += staying
        else:
            over = [pod for pod in staying if pod["status"].get("phase") in ("Failed", "Succeeded")]
            running = [pod for pod in staying if pod not in over]
            victims += [pod for pod in over if ended(node, pod)] + _excess(daemons, running)
            if run and not running and allows_surge(daemons.daemon_set):
                nodes.append(node)
    lost = [pod for node, pods in daemons.pods.items() if node not in daemons.nodes for pod in pods if not pod["spec"].get("nodeName") and not is_deleting(pod)]
    return nodes, victims + lost


def _excess(daemons, running):
    """All but the oldest Pod of a node; during a surge, an old Pod stays until a new one is available."""
    if len(running) <= 1 or not allows_surge(daemons.daemon_set):
        return running[1:]
    new = [pod for pod in running if is_updated(pod, daemons.daemon_set, daemons.hash)]
    old = [pod for pod in running if pod not in new]
    excess = new[1:] + old[1:]
    if new and old and (not is_ready(old[0]) or is_available(new[0], daemons.least, daemons.clock)):
        excess.append(old[0])
    return excess


def backed_off(known, now):
    """(whether a failed Pod may be deleted now, the record for the next time, virtual ms to wait). Records are [delay, time] or None; `known` is the last."""
    delay, last = known or (0, now)
    if known and now - last < delay:
        return False, known, delay
    expired = known is None or now - last > 2 * LONGEST_DELAY
    return True, [FIRST_DELAY if expired else min(2 * delay, LONGEST_DELAY), now], 0
