"""Who may do what: Kubernetes' own components and system:masters everything, everybody else what RBAC objects grant.

Source: plugin/pkg/auth/authorizer/rbac, apiserver/pkg/endpoints/handlers/responsewriters/errors.go (the text of the refusal).
"""
from typing import NamedTuple

from ...resources import resource
from .errors import Refused, details_of

MASTERS = "system:masters"
KNOWN = {"kubernetes-admin": (MASTERS, "system:authenticated"), "system:apiserver": (MASTERS,), "system:anonymous": ("system:unauthenticated",)}
ACCOUNT = "system:serviceaccount:"
COMPONENTS = ("system:kube-scheduler", "system:kube-controller-manager", "system:kube-proxy", "system:node:", ACCOUNT + "kube-system:")
ROLES, CLUSTER_ROLES = "roles.rbac.authorization.k8s.io", "clusterroles.rbac.authorization.k8s.io"
BINDINGS, CLUSTER_BINDINGS = "rolebindings.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io"


class Attributes(NamedTuple):
    """What is asked for: a verb on a resource ("pods" or "pods/log"), or on a path outside the resources."""

    verb: str
    group: str = ""
    plural: str = ""
    namespace: str = ""
    name: str = ""
    path: str = ""


def authorize(call):
    """403 unless the user may do it."""
    request = call.request
    if request.trusted or request.user == "kubernetes-admin":
        return
    attributes = attributes_of(request)
    if not is_allowed(call.etcd, request.user, groups_of(request.user, request.groups), attributes):
        raise refusal(request.user, attributes, call.resource)


def attributes_of(request):
    row = request.resource
    plural = f"{row.plural}/{request.subresource}" if request.subresource else row.plural
    name = "" if request.verb == "create" and not request.subresource else request.name
    return Attributes(request.verb, row.group, plural, request.namespace, name)


def groups_of(user, claimed=()):
    """The groups of a user, those of its name first."""
    if user in KNOWN:
        return (*KNOWN[user], *claimed)
    if user.startswith(ACCOUNT):
        namespace = user.split(":")[2]
        return tuple(dict.fromkeys(("system:serviceaccounts", f"system:serviceaccounts:{namespace}", "system:authenticated", *claimed)))
    return tuple(dict.fromkeys((*claimed, "system:authenticated")))


def refusal(user, attributes, row):
    """The 403 as the API server words it."""
    subject = row.qualified + (f' "{attributes.name}"' if attributes.name else "")
    where = f'in the namespace "{attributes.namespace}"' if attributes.namespace else "at the cluster scope"
    why = f'User "{user}" cannot {attributes.verb} resource "{attributes.plural}" in API group "{attributes.group}" {where}'
    return Refused(403, f"{subject} is forbidden: {why}", "Forbidden", details_of(row, attributes.name))


def refused_path(user, verb, path):
    message = f'forbidden: User "{user}" cannot {verb} path "{path}"'
    return Refused(403, message, "Forbidden", {})


def is_allowed(etcd, user, groups, attributes):
    """Whether a rule of a role bound to the user, or to one of the groups, covers what is asked for."""
    if MASTERS in groups or user.startswith(COMPONENTS):
        return True
    return any(_covers(rule, attributes) for rule in rules_for(etcd, user, groups, attributes.namespace))


def rules_for(etcd, user, groups, namespace):
    """The rules in force for a user in a namespace ("" for the cluster)."""
    for binding in etcd.range(resource(CLUSTER_BINDINGS).prefix()):
        yield from _rules(etcd, binding, user, groups, "")
    if namespace:
        for binding in etcd.range(resource(BINDINGS).prefix(namespace)):
            yield from _rules(etcd, binding, user, groups, namespace)


def _rules(etcd, binding, user, groups, namespace):
    if not any(_is_subject(subject, user, groups, namespace) for subject in binding.get("subjects") or ()):
        return ()
    reference = binding["roleRef"]
    kind = ROLES if reference["kind"] == "Role" else CLUSTER_ROLES
    role = etcd.get(resource(kind).key(namespace, reference["name"]))
    return (role or {}).get("rules") or ()


def _is_subject(subject, user, groups, namespace):
    if subject["kind"] == "User":
        return subject["name"] == user
    if subject["kind"] == "Group":
        return subject["name"] in groups
    return user == f"{ACCOUNT}{subject.get('namespace') or namespace}:{subject['name']}"


def _covers(rule, asked):
    if not _names(rule.get("verbs"), asked.verb):
        return False
    if asked.path:
        return any(path in ("*", asked.path) or path.endswith("*") and asked.path.startswith(path[:-1]) for path in rule.get("nonResourceURLs") or ())
    names = rule.get("resourceNames")
    return _names(rule.get("apiGroups"), asked.group) and _covers_plural(rule.get("resources") or (), asked.plural) and (not names or asked.name in names)


def _names(found, wanted):
    return bool(found) and ("*" in found or wanted in found)


def _covers_plural(found, plural):
    _, _, subresource = plural.partition("/")
    return "*" in found or plural in found or bool(subresource) and f"*/{subresource}" in found
