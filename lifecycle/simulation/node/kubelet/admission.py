"""Whether a node takes a Pod that was bound to it (pkg/kubelet/lifecycle/predicate.go). What does not fit is Failed at once, and never tried again."""
from ...host_ports import TAKEN, host_ports, is_taken
from ...objects import at, is_terminal
from ...quantities import milli, value
from ...selectors import match_node_selector_terms
from ...tolerations import untolerated
from . import signals
from .resources import requests

UNITS = {"cpu": milli, "memory": value, "ephemeral-storage": value}


def admit(worker):
    """Decide about a new Pod; returns whether the node takes it."""
    reason, message = _problem(worker)
    if reason is None:
        worker.say("kubelet", "AdmitPod", None)
        return True
    worker.say("kubelet", "RejectPod", None, reason=reason, message=message)
    worker.event("Warning", reason, message)
    status = {"phase": "Failed", "reason": reason, "message": f"Pod was rejected: {message}", "startTime": worker.timestamp(),
              "observedGeneration": worker.pod["metadata"].get("generation")}
    worker.client().patch("pods", worker.key.namespace, worker.key.name, {"metadata": {"uid": worker.key.uid}, "status": status}, "status")
    worker.record.update(work="done", again=False)
    return False


def _problem(worker):
    """(reason, message) of a refusal, or (None, None)."""
    node, refused = worker.node, signals.refusal(worker)
    if refused or node is None:
        return refused or (None, None)
    others = _others(worker)
    refused = _too_much(worker, node, others)
    if refused:
        return refused
    if not _selected(worker.spec, node):
        return "NodeAffinity", "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"
    if _lacks_a_port(worker.spec, others):
        return "NodePorts", f"Predicate NodePorts failed: {TAKEN}"
    if untolerated(worker.spec.get("tolerations", ()), at(node, "spec", "taints", default=()), ("NoExecute",)):
        return "TaintToleration", "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate"
    return None, None


def _others(worker):
    """The node's other Pods that have not ended."""
    bound = worker.kubelet.indexes.find("pods by node", worker.key.node).values()
    return [pod for pod in bound if pod["metadata"]["uid"] != worker.key.uid and not is_terminal(pod)]


def _lacks_a_port(spec, others):
    """Whether another Pod has one of the host ports."""
    wanted = host_ports(spec)
    used = {port for pod in others for port in host_ports(pod["spec"])} if wanted else ()
    return any(is_taken(port, used) for port in wanted)


def _selected(spec, node):
    """Whether nodeSelector and required node affinity allow the node."""
    labels = node["metadata"].get("labels") or {}
    if any(labels.get(name) != text for name, text in (spec.get("nodeSelector") or {}).items()):
        return False
    required = at(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return required is None or match_node_selector_terms(required.get("nodeSelectorTerms", ()), node)


def _too_much(worker, node, others):
    """OutOf... if the node's other Pods leave too little, or None."""
    allocatable, wanted = node["status"]["allocatable"], requests(worker.spec)
    if len(others) + 1 > value(allocatable["pods"]):
        return "OutOfpods", _text("pods", 1, len(others), value(allocatable["pods"]))
    for name, asked in wanted.items():
        used, capacity = sum(requests(pod["spec"]).get(name, 0) for pod in others), UNITS[name](allocatable.get(name, "0"))
        if asked and asked + used > capacity:
            return f"OutOf{name}", _text(name, asked, used, capacity)
    return None


def _text(name, requested, used, capacity):
    return f"Node didn't have enough resource: {name}, requested: {requested}, used: {used}, capacity: {capacity}"
