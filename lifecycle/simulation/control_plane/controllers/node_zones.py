"""How fast nodes of a zone may be emptied (pkg/controller/nodelifecycle: ComputeZoneState, handleDisruption)."""
from lifecycle.simulation.timings import SECOND

INTERVAL, SLOW_INTERVAL = 10 * SECOND, 100 * SECOND     # --node-eviction-rate 0.1/s, --secondary-node-eviction-rate 0.01/s
UNHEALTHY, LARGE = 0.55, 50                             # --unhealthy-zone-threshold, --large-cluster-size-threshold
LABELS = ("topology.kubernetes.io/region", "topology.kubernetes.io/zone")


def zone_of(node):
    """What tells the node's zone from others."""
    labels = node["metadata"].get("labels") or {}
    return "/".join(labels.get(label, "") for label in LABELS)


def interval_of(zone, nodes, readiness):
    """Virtual ms between two NoExecute taints in a zone, or None while none may be put: a zone that is mostly down, or a whole cluster that is,
    more likely lost its network than its nodes. `readiness(node)` is the status of Ready."""
    if all(readiness(node) != "True" for node in nodes):
        return None
    mine = [readiness(node) for node in nodes if zone_of(node) == zone]
    down = sum(status != "True" for status in mine)
    if down < len(mine) and down > 2 and down / len(mine) >= UNHEALTHY:
        return SLOW_INTERVAL if len(mine) > LARGE else None
    return INTERVAL
