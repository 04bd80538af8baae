"""Room on the node, and how evenly it is used (plugins/noderesources: fit.go, least_allocated.go, balanced_allocation.go)."""
from functools import lru_cache

from ..rejection import HIGHEST, Rejection

NAME = "NodeResourcesFit"
BALANCED = "NodeResourcesBalancedAllocation"


@lru_cache(256)
def _rejected(reasons, resolvable):
    return Rejection(NAME, reasons, resolvable)


def filter(shape, node):
    """Requests must fit into what is allocatable and not yet requested by the Pods on the node; usage does not matter."""
    asked = shape.requests
    if (len(node.pods) < node.max_pods and asked.cpu <= node.cpu - node.used_cpu and asked.memory <= node.memory - node.used_memory
            and not asked.ephemeral and not asked.others):
        return None
    return _lacking(asked, node)


def _lacking(asked, node):
    wanted = [("cpu", asked.cpu, node.cpu, node.used_cpu), ("memory", asked.memory, node.memory, node.used_memory),
              ("ephemeral-storage", asked.ephemeral, node.ephemeral, node.used_ephemeral),
              *((name, number, node.others.get(name, 0), node.used_others.get(name, 0)) for name, number in sorted(asked.others.items()))]
    lacking = [(name, number > allocatable) for name, number, allocatable, used in wanted if number and number > allocatable - used]
    reasons = [f"Insufficient {name}" for name, _ in lacking]
    if len(node.pods) >= node.max_pods:
        reasons.insert(0, "Too many pods")
    return _rejected(tuple(reasons), not any(hopeless for _, hopeless in lacking)) if reasons else None


def least_allocated(shape, node):
    """The mean share of CPU and memory that would stay free, 0 to 100, in Kubernetes' integer arithmetic."""
    shares = [_free(node.scored_cpu + shape.scored.cpu, node.cpu), _free(node.scored_memory + shape.scored.memory, node.memory)]
    shares = [share for share in shares if share is not None]
    return sum(shares) // len(shares) if shares else 0


def _free(requested, capacity):
    if not capacity:
        return None
    return max(capacity - requested, 0) * HIGHEST // capacity


def balanced(shape, node):
    """100 if CPU and memory would be used to the same degree, less the further apart they are."""
    asked = shape.requests
    if not (node.cpu and node.memory):
        return HIGHEST
    cpu, memory = min((node.used_cpu + asked.cpu) / node.cpu, 1), min((node.used_memory + asked.memory) / node.memory, 1)
    return int((1 - abs(cpu - memory) / 2) * HIGHEST)


def grown(info, old, new, api):
    """Hint: a node appeared, or has more allocatable than before."""
    if old is None:
        return True
    before, after = (node["status"].get("allocatable") or {} for node in (old, new))
    return before != after


def freed(info, old, new, api):
    """Hint: a Pod on some node is gone, or asks for less than before."""
    if old is None or new is None:
        return new is None
    before, after = old.shape.requests, new.shape.requests
    return after.cpu < before.cpu or after.memory < before.memory or after.ephemeral < before.ephemeral
