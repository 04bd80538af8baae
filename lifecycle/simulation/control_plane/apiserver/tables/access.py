"""The rows of role bindings, certificates and the API's own machinery."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.objects import at, condition
from lifecycle.simulation.summaries import signing_state

from .cells import created

SUBJECTS = ("User", "Group", "ServiceAccount")


def role_binding(thing, clock):
    role = thing.get("roleRef", {})
    return [thing["metadata"]["name"], f"{role.get('kind', '')}/{role.get('name', '')}", created(thing, clock),
            *[", ".join(_subjects(thing, kind)) for kind in SUBJECTS]]


def _subjects(thing, kind):
    found = [subject for subject in thing.get("subjects") or () if subject["kind"] == kind]
    return [f"{subject.get('namespace', '')}/{subject['name']}" if kind == "ServiceAccount" else subject["name"] for subject in found]


def certificate_signing_request(thing, clock):
    spec, seconds = thing.get("spec", {}), at(thing, "spec", "expirationSeconds")
    return [thing["metadata"]["name"], created(thing, clock), spec.get("signerName") or "<none>", spec.get("username", ""),
            "<none>" if seconds is None else human_duration(seconds * 1000), signing_state(thing)]


def api_service(thing, clock):
    service, available = at(thing, "spec", "service"), condition(thing, "Available") or {"status": "Unknown"}
    text = "True" if available["status"] == "True" else f"{available['status']} ({available['reason']})" if available.get("reason") else available["status"]
    return [thing["metadata"]["name"], f"{service['namespace']}/{service['name']}" if service else "Local", text, created(thing, clock)]


def flow_schema(thing, clock):
    spec = thing.get("spec", {})
    return [thing["metadata"]["name"], at(spec, "priorityLevelConfiguration", "name", default=""), spec.get("matchingPrecedence", 0),
            at(spec, "distinguisherMethod", "type", default="<none>"), created(thing, clock), at(condition(thing, "Dangling"), "status", default="?")]


def priority_level(thing, clock):
    limited = at(thing, "spec", "limited", default={})
    queuing = at(limited, "limitResponse", "queuing", default={})
    return [thing["metadata"]["name"], at(thing, "spec", "type", default=""), limited.get("nominalConcurrencyShares", "<none>"),
            *[queuing.get(name, "<none>") for name in ("queues", "handSize", "queueLengthLimit")], created(thing, clock)]


CELLS = {
    "rolebindings.rbac.authorization.k8s.io": role_binding, "clusterrolebindings.rbac.authorization.k8s.io": role_binding,
    "certificatesigningrequests.certificates.k8s.io": certificate_signing_request, "apiservices.apiregistration.k8s.io": api_service,
    "flowschemas.flowcontrol.apiserver.k8s.io": flow_schema, "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": priority_level,
}
