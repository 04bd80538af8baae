"""Rules for roles and their bindings (pkg/apis/rbac/validation/validation.go)."""

from . import metadata, names
from .errors import each_message, invalid, not_supported, required

GROUP = "rbac.authorization.k8s.io"
NEEDED = (
    ("apiGroups", "resource rules must supply at least one api group"),
    ("resources", "resource rules must supply at least one resource"),
)


def path_segment(text):
    """What is wrong with a name that becomes part of a URL and has no other rule (pkg/api/validation/path)."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{part}'" for part in ("/", "%") if part in text]


def role(namespaced):
    """The rule for Roles, or for ClusterRoles."""

    def rule(found):
        yield from metadata.object_meta(found["metadata"], namespaced, path_segment)
        for index, policy in enumerate(found.get("rules") or ()):
            yield from _policy_rule(policy, namespaced, f"rules[{index}]")
        for index, selector in enumerate((found.get("aggregationRule") or {}).get("clusterRoleSelectors") or ()):
            yield from metadata.label_selector(selector, f"aggregationRule.clusterRoleSelectors[{index}]")

    return rule


def _policy_rule(rule, namespaced, path):
    if not rule.get("verbs"):
        yield required(f"{path}.verbs", "verbs must contain at least one value")
    urls = rule.get("nonResourceURLs")
    if urls:
        if namespaced:
            yield invalid(f"{path}.nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs")
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            yield invalid(f"{path}.nonResourceURLs", urls, "rules cannot apply to both regular resources and non-resource URLs")
        return
    for key, text in NEEDED:
        if not rule.get(key):
            yield required(f"{path}.{key}", text)


def binding(namespaced):
    """The rule for RoleBindings, or for ClusterRoleBindings."""

    def rule(found):
        yield from metadata.object_meta(found["metadata"], namespaced, path_segment)
        reference = found.get("roleRef") or {}
        kinds = ("ClusterRole", "Role") if namespaced else ("ClusterRole",)
        if reference.get("apiGroup") != GROUP:
            yield not_supported("roleRef.apiGroup", reference.get("apiGroup") or "", (GROUP,))
        if reference.get("kind") not in kinds:
            yield not_supported("roleRef.kind", reference.get("kind") or "", kinds)
        if not reference.get("name"):
            yield required("roleRef.name")
        else:
            yield from each_message("roleRef.name", reference["name"], path_segment(reference["name"]))
        for index, subject in enumerate(found.get("subjects") or ()):
            yield from _subject(subject, namespaced, f"subjects[{index}]")

    return rule


def _subject(subject, namespaced, path):
    name, kind, group = (subject.get(key) or "" for key in ("name", "kind", "apiGroup"))
    if not name:
        yield required(f"{path}.name")
    if kind == "ServiceAccount":
        if name:
            yield from each_message(f"{path}.name", name, names.dns_subdomain(name))
        if group:
            yield not_supported(f"{path}.apiGroup", group, ("",))
        if not namespaced and not subject.get("namespace"):
            yield required(f"{path}.namespace")
    elif kind in ("User", "Group"):
        if group != GROUP:
            yield not_supported(f"{path}.apiGroup", group, (GROUP,))
    else:
        yield not_supported(f"{path}.kind", kind, ("ServiceAccount", "User", "Group"))


def binding_update(namespaced):
    rule = binding(namespaced)

    def update(new, old):
        yield from rule(new)
        yield from metadata.object_meta_update(new["metadata"], old["metadata"])
        if new.get("roleRef") != old.get("roleRef"):
            reference = new.get("roleRef") or {}
            shown = {"APIGroup": reference.get("apiGroup") or "", "Kind": reference.get("kind") or "", "Name": reference.get("name") or ""}
            yield invalid("roleRef", shown, "cannot change roleRef")

    return update
