"""Roles, their bindings and certificate requests."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.label_text import pairs
from lifecycle.simulation.summaries import signing_state

from .page import bracketed, long_time


def role(page, thing):
    page.metadata(thing, namespace=False)
    page.line("PolicyRule:")
    page.table(1, ("Resources", "Non-Resource URLs", "Resource Names", "Verbs"), _compact(thing.get("rules") or ()))


def _compact(rules):
    """One row for each resource, with the verbs of all rules about it (kubectl/pkg/util/rbac)."""
    verbs = {}
    for rule in rules:
        for subject in _subjects(rule):
            known = verbs.setdefault(subject, [])
            known += [verb for verb in rule.get("verbs") or () if verb not in known]
    rows = [(_resource(resource, group), bracketed([url] if url else []), bracketed([name] if name else []), bracketed(verbs[group, resource, url, name]))
            for group, resource, url, name in verbs]
    return sorted(rows, key=lambda row: row[:3])


def _subjects(rule):
    """(group, resource, URL, name) for everything a rule is about."""
    for group in rule.get("apiGroups") or ():
        for resource in rule.get("resources") or ():
            for name in rule.get("resourceNames") or ("",):
                yield group, resource, "", name
    for url in rule.get("nonResourceURLs") or ():
        yield "", "", url, ""


def _resource(resource, group):
    name, slash, rest = resource.partition("/")
    return f"{name}{'.' + group if group else ''}{slash}{rest}"


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
