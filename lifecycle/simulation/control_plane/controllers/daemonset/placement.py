"""On which nodes a DaemonSet's Pods should be (pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod, util/daemonset_util.go)."""
from ....objects import at
from ....selectors import match_node_selector_terms
from ....tolerations import untolerated

ALWAYS_TOLERATED = tuple({"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": effect} for key, effect in (
    ("not-ready", "NoExecute"), ("unreachable", "NoExecute"), ("disk-pressure", "NoSchedule"), ("memory-pressure", "NoSchedule"),
    ("pid-pressure", "NoSchedule"), ("unschedulable", "NoSchedule")))
ON_HOST_NETWORK = {"key": "node.kubernetes.io/network-unavailable", "operator": "Exists", "effect": "NoSchedule"}

_tolerations = {}       # id(Pod spec) -> (Pod spec, tolerations); keeps the spec alive, so that its id stays its own


def tolerations(spec):
    """The tolerations of a template's Pod spec and those that every daemon Pod has."""
    known = _tolerations.get(id(spec))
    if known is None:
        if len(_tolerations) > 1024:
            _tolerations.clear()
        own, added = spec.get("tolerations") or [], [*ALWAYS_TOLERATED, *([ON_HOST_NETWORK] if spec.get("hostNetwork") else [])]
        known = _tolerations[id(spec)] = (spec, [*own, *(one for one in added if one not in own)])
    return known[1]


def standing_of(node, daemon_set):
    """(whether a Pod should be made on the node, whether one that is there may stay)."""
    spec, taints = daemon_set["spec"]["template"]["spec"], node["spec"].get("taints") or ()
    if spec.get("nodeName", node["metadata"]["name"]) != node["metadata"]["name"] or not _is_wanted(node, spec):
        return False, False
    if untolerated(tolerations(spec), taints) is None:
        return True, True
    return False, untolerated(tolerations(spec), taints, ("NoExecute",)) is None


def _is_wanted(node, spec):
    """Whether the node has the labels that the template asks for."""
    labels = node["metadata"].get("labels") or {}
    if any(labels.get(key) != value for key, value in (spec.get("nodeSelector") or {}).items()):
        return False
    required = at(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return required is None or match_node_selector_terms(required["nodeSelectorTerms"], node)


def bound_to(spec, node):
    """A template's Pod spec for one node: it names the node in its affinity, and the scheduler does the rest."""
    affinity = spec.get("affinity") or {}
    terms = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]}
    node_affinity = {**(affinity.get("nodeAffinity") or {}), "requiredDuringSchedulingIgnoredDuringExecution": terms}
    return {**spec, "affinity": {**affinity, "nodeAffinity": node_affinity}, "tolerations": tolerations(spec)}


def target_of(pod):
    """The node for which a daemon Pod was made, or None if it was not made for one."""
    if pod["spec"].get("nodeName"):
        return pod["spec"]["nodeName"]
    required = at(pod, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", default={})
    fields = [field for term in required.get("nodeSelectorTerms") or () for field in term.get("matchFields") or ()]
    return next((field["values"][0] for field in fields if field["key"] == "metadata.name" and field["operator"] == "In" and field.get("values")), None)
