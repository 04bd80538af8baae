"""The rows of webhooks and admission policies."""
from lifecycle.simulation.objects import at

from .cells import created


def webhook_configuration(thing, clock):
    return [thing["metadata"]["name"], len(thing.get("webhooks") or ()), created(thing, clock)]


def _policy(field):
    def cells(thing, clock):
        kind = at(thing, "spec", "paramKind")
        return [thing["metadata"]["name"], len(at(thing, "spec", field, default=())), f"{kind['apiVersion']}/{kind['kind']}" if kind else "<unset>",
                created(thing, clock)]
    return cells


def policy_binding(thing, clock):
    return [thing["metadata"]["name"], at(thing, "spec", "policyName", default=""), _parameter(at(thing, "spec", "paramRef")), created(thing, clock)]


def _parameter(reference):
    if not reference:
        return "<unset>"
    name = reference.get("name") or "*"
    return f"{reference['namespace']}/{name}" if reference.get("namespace") else name


GROUP = "admissionregistration.k8s.io"
CELLS = {
    f"validatingwebhookconfigurations.{GROUP}": webhook_configuration, f"mutatingwebhookconfigurations.{GROUP}": webhook_configuration,
    f"validatingadmissionpolicies.{GROUP}": _policy("validations"), f"mutatingadmissionpolicies.{GROUP}": _policy("mutations"),
    f"validatingadmissionpolicybindings.{GROUP}": policy_binding, f"mutatingadmissionpolicybindings.{GROUP}": policy_binding,
}
