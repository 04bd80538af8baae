"""Field selectors: which fields each kind can be selected by (pkg/apis/*/v1/conversion.go and the registry's GetAttrs)."""
from ...objects import at

ORDINARY = {"metadata.name": ("metadata", "name"), "metadata.namespace": ("metadata", "namespace")}
PATHS = {
    "pods": ("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork", "status.phase", "status.podIP",
             "status.podIPs", "status.nominatedNodeName"),
    "nodes": ("spec.unschedulable",),
    "namespaces": ("status.phase",),
    "events": ("involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion",
               "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type"),
    "secrets": ("type",),
    "replicationcontrollers": ("status.replicas",),
    "replicasets.apps": ("status.replicas",),
    "jobs.batch": ("status.successful",),
    "services": ("spec.clusterIP", "spec.type"),
    "certificatesigningrequests.certificates.k8s.io": ("spec.signerName",),
    "customresourcedefinitions.apiextensions.k8s.io": (),
}
NEW_EVENT = {name.replace("involvedObject", "regarding"): name for name in PATHS["events"] if name not in ("source", "reportingComponent")}
NEW_EVENT["reportingController"] = "reportingComponent"


def supported(resource):
    """The names of the fields a kind can be selected by."""
    if resource.qualified == "events.events.k8s.io":
        return {**ORDINARY, **NEW_EVENT}
    return {**ORDINARY, **dict.fromkeys(PATHS.get(resource.qualified, ()))}


def fields_of(resource, thing):
    """{field: text} of an object."""
    return {name: _text(_value(thing, NEW_EVENT.get(name, name) if resource.group == "events.k8s.io" else name)) for name in supported(resource)}


def _value(thing, name):
    if name == "source":
        return at(thing, "source", "component") or thing.get("reportingComponent")
    if name == "status.podIPs":
        return ",".join(one["ip"] for one in at(thing, "status", "podIPs", default=()))
    if name == "status.successful":
        return at(thing, "status", "succeeded", default=0)
    found = at(thing, *name.split("."))
    if found is None and name in ("spec.hostNetwork", "spec.unschedulable"):
        return False
    return 0 if found is None and name == "status.replicas" else found


def _text(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
