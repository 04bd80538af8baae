"""Roles, their bindings and certificate requests."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.label_text import pairs
from lifecycle.simulation.summaries import signing_state

from ..rules import rule_rows
from .page import long_time


def role(page, thing):
    page.metadata(thing, namespace=False)
    page.line("PolicyRule:")
    page.table(1, ("Resources", "Non-Resource URLs", "Resource Names", "Verbs"), rule_rows(thing.get("rules") or ()))


def role_binding(page, thing):
    page.metadata(thing, namespace=False)
    page.line("Role:")
    page.field("Kind", thing.get("roleRef", {}).get("kind", ""), 1)
    page.field("Name", thing.get("roleRef", {}).get("name", ""), 1)
    page.line("Subjects:")
    page.table(1, ("Kind", "Name", "Namespace"), [(each["kind"], each["name"], each.get("namespace", "")) for each in thing.get("subjects") or ()])


def certificate_signing_request(page, thing):
    meta, spec = thing["metadata"], thing.get("spec", {})
    page.field("Name", meta["name"])
    page.field("Labels", pairs(meta.get("labels")))
    page.field("Annotations", pairs(meta.get("annotations")))
    page.field("CreationTimestamp", long_time(meta.get("creationTimestamp")))
    page.field("Requesting User", spec.get("username", ""))
    page.optional("Signer", spec.get("signerName"))
    if spec.get("expirationSeconds") is not None:
        page.field("Requested Duration", human_duration(spec["expirationSeconds"] * 1000))
    page.field("Status", signing_state(thing))
    page.events(thing)


GROUP = "rbac.authorization.k8s.io"
DESCRIBERS = {
    f"roles.{GROUP}": role, f"clusterroles.{GROUP}": role, f"rolebindings.{GROUP}": role_binding, f"clusterrolebindings.{GROUP}": role_binding,
    "certificatesigningrequests.certificates.k8s.io": certificate_signing_request,
}
