"""Pods, and the pod templates of what makes them."""
from lifecycle.simulation.label_text import selector_text
from lifecycle.simulation.objects import at

from .containers import describe_containers, describe_resources
from .page import NONE, controller_text, long_time
from .volumes import describe_volumes

MIRROR = "kubernetes.io/config.mirror"


def pod(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    mirror = at(meta, "annotations", MIRROR)
    _identity(page, meta, spec, status)
    _standing(page, thing, meta, status)
    _addresses(page, status)
    page.optional("Controlled By", controller_text(thing))
    page.optional("NominatedNodeName", status.get("nominatedNodeName"))
    if spec.get("resources"):
        page.line("Resources:")
        describe_resources(page, spec["resources"], 1)
    for name, containers, statuses in (("Init Containers", "initContainers", "initContainerStatuses"), ("Containers", "containers", "containerStatuses"),
                                       ("Ephemeral Containers", "ephemeralContainers", "ephemeralContainerStatuses")):
        if spec.get(containers) or name == "Containers":
            describe_containers(page, name, spec.get(containers) or (), status.get(statuses) or (), thing)
    _conditions(page, spec, status)
    describe_volumes(page, spec.get("volumes"))
    page.field("QoS Class", status.get("qosClass") or "BestEffort")
    _scheduling(page, spec)
    page.events(thing, kind=False, uid=mirror)


def _identity(page, meta, spec, status):
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.optional("Priority", spec.get("priority"))
    page.optional("Priority Class Name", spec.get("priorityClassName"))
    page.optional("Runtime Class Name", spec.get("runtimeClassName"))
    page.optional("Service Account", spec.get("serviceAccountName"))
    page.field("Node", f"{spec['nodeName']}/{status.get('hostIP', '')}" if spec.get("nodeName") else NONE)
    if status.get("startTime"):
        page.field("Start Time", long_time(status["startTime"]))
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))


def _standing(page, thing, meta, status):
    if "deletionTimestamp" in meta and status.get("phase") not in ("Failed", "Succeeded"):
        page.field("Status", f"Terminating (lasts {page.age(meta['deletionTimestamp'])})")
        page.field("Termination Grace Period", f"{meta.get('deletionGracePeriodSeconds', 0)}s")
    else:
        page.field("Status", status.get("phase", ""))
    page.optional("Reason", status.get("reason"))
    page.optional("Message", status.get("message"))
    profile = at(thing, "spec", "securityContext", "seccompProfile")
    if profile:
        page.field("SeccompProfile", profile.get("type", ""))
        page.optional("LocalhostProfile", profile.get("localhostProfile"))


def _addresses(page, status):
    page.field("IP", status.get("podIP", ""))
    if not status.get("podIPs"):
        page.field("IPs", NONE)
        return
    page.line("IPs:")
    for each in status["podIPs"]:
        page.field("IP", each.get("ip", ""), 1)


def _conditions(page, spec, status):
    conditions = {each["type"]: each["status"] for each in reversed(status.get("conditions") or ())}
    if spec.get("readinessGates"):
        page.line("Readiness Gates:")
        gates = [each["conditionType"] for each in spec["readinessGates"]]
        page.table(1, ("Type", "Status"), [(f"{gate} ", f"{conditions.get(gate, NONE)} ") for gate in gates], False)
    if status.get("conditions"):
        page.line("Conditions:")
        page.table(1, ("Type", "Status"), [(f"{each['type']} ", f"{each['status']} ") for each in status["conditions"]], False)


def _scheduling(page, spec, level=0):
    page.labels("Node-Selectors", spec.get("nodeSelector"), level)
    tolerations = sorted(spec.get("tolerations") or (), key=lambda each: each.get("key", ""))
    page.several("Tolerations", [toleration_text(each) for each in tolerations], level)
    if level == 0:
        _spread(page, spec, level)


def _spread(page, spec, level):
    constraints = sorted(spec.get("topologySpreadConstraints") or (), key=lambda each: each["topologyKey"])
    texts = []
    for each in constraints:
        selector = f" for selector {selector_text(each['labelSelector'])}" if "labelSelector" in each else ""
        texts.append(f"{each['topologyKey']}:{each['whenUnsatisfiable']} when max skew {each['maxSkew']} is exceeded{selector}")
    if texts:
        page.several("Topology Spread Constraints", texts, level)


def toleration_text(toleration):
    """"node.kubernetes.io/not-ready:NoExecute op=Exists for 300s"."""
    key, value, effect = toleration.get("key", ""), toleration.get("value", ""), toleration.get("effect", "")
    text = key + (f"={value}" if value else "") + (f":{effect}" if effect else "")
    if toleration.get("operator") == "Exists" and not value:
        text += " op=Exists" if text else "op=Exists"
    seconds = toleration.get("tolerationSeconds")
    return text if seconds is None else f"{text} for {seconds}s"


def pod_template(page, template):
    """The template of a workload, one level deeper."""
    page.line("Pod Template:")
    spec, meta = template.get("spec", {}), template.get("metadata") or {}
    page.labels("Labels", meta.get("labels"), 1)
    if meta.get("annotations"):
        page.annotations(meta["annotations"], 1)
    page.optional("Service Account", spec.get("serviceAccountName"), 1)
    if spec.get("initContainers"):
        describe_containers(page, "Init Containers", spec["initContainers"], (), None, 1)
    describe_containers(page, "Containers", spec.get("containers") or (), (), None, 1)
    describe_volumes(page, spec.get("volumes"), 1)
    _spread(page, spec, 1)
    page.optional("Priority Class Name", spec.get("priorityClassName"), 1)
    _scheduling(page, spec, 1)


DESCRIBERS = {"pods": pod}
