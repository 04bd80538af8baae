"""kubectl auth can-i and whoami (kubectl/pkg/cmd/auth)."""
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import ALL_NAMESPACES, PRINTING, Command
from lifecycle.simulation.kubectl.printing.go_values import go_text
from lifecycle.simulation.kubectl.printing.rules import rule_rows
from lifecycle.simulation.kubectl.printing.tables import MINIMUM, PADDING
from lifecycle.simulation.kubectl.printing.tabwriter import align
from lifecycle.simulation.kubectl.report import format_printer, show

TWO_ARGUMENTS = "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples."
AUTHORIZATION = "/apis/authorization.k8s.io/v1"


def can_i(invocation):
    """Ask whether something is allowed: "yes" or "no", which is exit code 1."""
    flags, words = invocation.flags, invocation.args
    namespace = "" if flags["all-namespaces"] else invocation.namespace
    if flags["list"]:
        yield from _list(invocation, namespace)
        return None
    if len(words) != 2:
        raise CommandError(TWO_ARGUMENTS)
    spec = yield from _attributes(invocation, words, namespace)
    body = {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "metadata": {}, "spec": spec}
    answer = yield from invocation.post(f"{AUTHORIZATION}/selfsubjectaccessreviews", body)
    status = answer["status"]
    if not flags["quiet"]:
        reason = f" - {status['reason']}" if status.get("reason") and not status["allowed"] else ""
        invocation.out("yes" if status["allowed"] else f"no{reason}")
    return 0 if status["allowed"] else 1


def _attributes(invocation, words, namespace):
    verb, what = words[0], words[1]
    if what.startswith("/"):
        return {"nonResourceAttributes": {"path": what, "verb": verb}}
    typed, _, name = what.partition("/")
    group, plural = "", typed
    if typed != "*":
        try:
            found = invocation.discovery.find(typed)
            group, plural = found.group, found.plural
            yield from invocation.ask("GET", f"/apis/{found.api_version}" if group else "/api/v1")
            if not found.namespaced and namespace:
                invocation.warn(f"resource '{plural}' is not namespace scoped" + (f" in group '{group}'" if group else "") + "\n")
        except CommandError:
            invocation.warn(f"the server doesn't have a resource type '{typed}'\n")
    subresource = invocation.flags["subresource"]
    asked = {"namespace": namespace, "verb": verb, "group": group, "resource": plural, "subresource": subresource, "name": name}
    return {"resourceAttributes": {key: value for key, value in asked.items() if value}}


def _list(invocation, namespace):
    body = {"kind": "SelfSubjectRulesReview", "apiVersion": "authorization.k8s.io/v1", "metadata": {}, "spec": {"namespace": namespace}}
    status = (yield from invocation.post(f"{AUTHORIZATION}/selfsubjectrulesreviews", body))["status"]
    rows = [] if invocation.flags["no-headers"] else ["Resources\tNon-Resource URLs\tResource Names\tVerbs"]
    rows += ["\t".join(row) for row in rule_rows([*(status.get("resourceRules") or ()), *(status.get("nonResourceRules") or ())])]
    invocation.write("out", align("".join(f"{row}\n" for row in rows), MINIMUM, PADDING))


def whoami(invocation):
    """Print who the server takes the caller for."""
    body = {"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1", "metadata": {}, "status": {"userInfo": {}}}
    answer = yield from invocation.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", body)
    if invocation.flags["output"]:
        show(invocation, format_printer(invocation), answer)
        return
    user = answer["status"]["userInfo"]
    rows = ["ATTRIBUTE\tVALUE", f"Username\t{user['username']}"]
    rows += [f"UID\t{user['uid']}"] if user.get("uid") else []
    rows += [f"Groups\t{go_text(list(user['groups']))}"] if user.get("groups") else []
    rows += [f"Extra: {key}\t{go_text(list(values))}" for key, values in sorted((user.get("extra") or {}).items())]
    invocation.write("out", align("".join(f"{row}\n" for row in rows), MINIMUM, PADDING))


COMMANDS = {
    ("auth", "can-i"): Command(can_i, "VERB [TYPE | TYPE/NAME | NONRESOURCEURL]", {**ALL_NAMESPACES, "list": boolean(), "no-headers": boolean(),
                                                                                   "quiet": boolean("q"),
                                                                                  "subresource": text()}),
    ("auth", "whoami"): Command(whoami, "", PRINTING),
}
