"""kubectl create role, clusterrole, their bindings, and token."""
from lifecycle.simulation.kubectl.arguments import resolve
from lifecycle.simulation.kubectl.commands.create import subcommand
from lifecycle.simulation.kubectl.errors import CommandError, PlainError, ServerError
from lifecycle.simulation.kubectl.flags import duration, listing, repeated, text
from lifecycle.simulation.kubectl.options import PRINTING, Command
from lifecycle.simulation.kubectl.report import format_printer, show

GROUP = "rbac.authorization.k8s.io"
VERBS = {"*", "get", "delete", "list", "create", "update", "patch", "watch", "proxy", "deletecollection", "use", "bind", "escalate", "impersonate"}


def cluster_role(invocation, name):
    flags = invocation.flags
    if flags["aggregation-rule"]:
        labels = {key: value for key, _, value in (word.partition("=") for word in flags["aggregation-rule"])}
        return {"metadata": {"name": name}, "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": labels}]}, "rules": None}
    return (yield from role(invocation, name))


def role(invocation, name):
    flags = invocation.flags
    if not flags["verb"]:
        raise CommandError("at least one verb must be specified")
    if not flags["resource"] and not flags.get("non-resource-url"):
        raise CommandError("at least one resource must be specified")
    verbs = ["*"] if "*" in flags["verb"] else list(dict.fromkeys(flags["verb"]))
    for verb in verbs:
        if verb not in VERBS and not flags.get("non-resource-url"):
            invocation.warn(f"'{verb}' is not a standard resource verb")
    rules = yield from _resource_rules(invocation, verbs)
    if flags.get("non-resource-url"):
        rules.append({"verbs": verbs, "nonResourceURLs": list(flags["non-resource-url"])})
    return {"metadata": {"name": name}, "rules": rules}


def _resource_rules(invocation, verbs):
    """One rule for each API group, in the order of the groups' names."""
    groups = {}
    for word in invocation.flags["resource"]:
        typed, _, subresource = word.partition("/")
        if typed == "*":
            group, plural = "", "*"
        else:
            try:
                resource = yield from resolve(invocation, typed)
            except CommandError as error:
                raise PlainError(error.message) from None
            group, plural = resource.group, resource.plural
        groups.setdefault(group, []).append(f"{plural}/{subresource}" if subresource else plural)
    names = {"resourceNames": list(invocation.flags["resource-name"])} if invocation.flags["resource-name"] else {}
    return [{"verbs": verbs, "apiGroups": [group], "resources": list(dict.fromkeys(plurals)), **names} for group, plurals in sorted(groups.items())]


def subjects_of(invocation):
    """{"subjects": [...]} of --user, --group and --serviceaccount; {} without any."""
    flags = invocation.flags
    subjects = [{"kind": "User", "apiGroup": GROUP, "name": name} for name in flags["user"]]
    subjects += [{"kind": "Group", "apiGroup": GROUP, "name": name} for name in flags["group"]]
    for word in flags["serviceaccount"]:
        namespace, colon, name = word.partition(":")
        if not colon or not namespace or not name:
            raise CommandError("serviceaccount must be <namespace>:<name>")
        subjects.append({"kind": "ServiceAccount", "name": name, "namespace": namespace})
    return {"subjects": subjects} if subjects else {}


def binding(invocation, name):
    flags = invocation.flags
    cluster, local = flags["clusterrole"], flags.get("role", "")
    if bool(cluster) == bool(local):
        raise CommandError("exactly one of clusterrole or role must be specified")
    reference = {"apiGroup": GROUP, "kind": "ClusterRole" if cluster else "Role", "name": cluster or local}
    return {"metadata": {"name": name}, **subjects_of(invocation), "roleRef": reference}


def token(invocation):
    """Ask for a token of a service account and print it."""
    name, flags = invocation.only_name(), invocation.flags
    spec = {"audiences": list(flags["audience"]) or None, "expirationSeconds": flags["duration"] // 1000 or None, "boundObjectRef": _bound(flags)}
    body = {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": {}, "spec": spec, "status": {"token": "",
                                                                                                                       "expirationTimestamp": None}}
    try:
        answer = yield from invocation.post(f"/api/v1/namespaces/{invocation.namespace}/serviceaccounts/{name}/token", body)
    except ServerError as error:
        raise CommandError(f"failed to create token: {error.message}") from None
    if flags["output"]:
        show(invocation, format_printer(invocation), answer)
    else:
        invocation.out(answer["status"]["token"])


def _bound(flags):
    if not flags["bound-object-kind"]:
        return None
    return {"kind": flags["bound-object-kind"], "apiVersion": "v1", "name": flags["bound-object-name"],
            **({"uid": flags["bound-object-uid"]} if flags["bound-object-uid"] else {})}


RULES = {"verb": listing(), "resource": listing(), "resource-name": repeated()}
SUBJECTS = {"clusterrole": text(), "user": listing(), "group": listing(), "serviceaccount": listing()}
TOKEN = {**PRINTING, "audience": listing(), "duration": duration(), "bound-object-kind": text(), "bound-object-name": text(), "bound-object-uid": text()}
COMMANDS = {
    ("create", "role"): subcommand("Role", role, RULES, (), (), f"{GROUP}/v1"),
    ("create", "clusterrole"): subcommand("ClusterRole", cluster_role, {**RULES, "non-resource-url": listing(), "aggregation-rule": listing()}, (), (),
                                          f"{GROUP}/v1"),
    ("create", "rolebinding"): subcommand("RoleBinding", binding, {**SUBJECTS, "role": text()}, (), (), f"{GROUP}/v1"),
    ("create", "clusterrolebinding"): subcommand("ClusterRoleBinding", binding, SUBJECTS, ("clusterrole",), (), f"{GROUP}/v1"),
    ("create", "token"): Command(token, "SERVICE_ACCOUNT_NAME", TOKEN),
}
