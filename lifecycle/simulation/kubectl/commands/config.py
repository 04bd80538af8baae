"""kubectl config: the client's own settings, of which there is one cluster, one user and one context here."""
from lifecycle.simulation.kubectl.errors import CommandError, PlainError
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import PRINTING, Command
from lifecycle.simulation.kubectl.printing.tables import MINIMUM, PADDING
from lifecycle.simulation.kubectl.printing.tabwriter import align
from lifecycle.simulation.kubectl.process import Configure
from lifecycle.simulation.kubectl.report import format_printer, show

SERVER = "https://10.0.0.2:6443"
CLUSTER, USER, CONTEXT = "lifecycle", "kubernetes-admin", "kubernetes-admin@lifecycle"


def check_configuration(flags):
    """Raise CommandError if --context, --cluster or --user names what the kubeconfig does not have; `flags` are those that mean these three."""
    context, user, cluster = (flags.get(name) for name in ("context", "user", "cluster"))
    if context not in (None, "", CONTEXT):
        raise PlainError(f"Error in configuration: context was not found for specified context: {context}")
    if user not in (None, "", USER):
        raise CommandError(f'auth info "{user}" does not exist')
    if cluster not in (None, "", CLUSTER):
        raise CommandError(f'no server found for cluster "{cluster}"')


def configuration(invocation):
    """The kubeconfig as an object."""
    namespace = {} if invocation.context_namespace == "default" else {"namespace": invocation.context_namespace}
    return {"apiVersion": "v1", "kind": "Config", "clusters": [{"cluster": {"certificate-authority-data": "DATA+OMITTED", "server": SERVER}, "name": CLUSTER}],
            "contexts": [{"context": {"cluster": CLUSTER, **namespace, "user": USER}, "name": CONTEXT}], "current-context": CONTEXT,
            "users": [{"name": USER, "user": {"client-certificate-data": "DATA+OMITTED", "client-key-data": "DATA+OMITTED"}}]}


def view(invocation):
    yield from ()
    if invocation.flags["output"] == "name":
        raise CommandError("a configuration has no name to print")
    show(invocation, format_printer(invocation), configuration(invocation))


def current_context(invocation):
    yield from ()
    invocation.out(CONTEXT)


def get_contexts(invocation):
    yield from ()
    if invocation.flags["output"] == "name":
        invocation.out(CONTEXT)
        return
    namespace = "" if invocation.context_namespace == "default" else invocation.context_namespace
    rows = [] if invocation.flags["no-headers"] else ["CURRENT\tNAME\tCLUSTER\tAUTHINFO\tNAMESPACE"]
    rows.append(f"*\t{CONTEXT}\t{CLUSTER}\t{USER}\t{namespace}")
    invocation.write("out", align("".join(f"{row}\n" for row in rows), MINIMUM, PADDING))


def set_context(invocation):
    """Set the namespace that commands without -n use."""
    flags = invocation.flags
    if bool(invocation.args) == flags["current"]:
        raise invocation.usage_error("you must specify a non-empty context name or --current")
    if invocation.args and invocation.args[0] != CONTEXT:
        raise CommandError(f'this console has one context, "{CONTEXT}"')
    if "namespace" in invocation.given:
        yield Configure({"namespace": flags["namespace"] or "default"})
    invocation.out(f'Context "{CONTEXT}" modified.')


def use_context(invocation):
    yield from ()
    if invocation.args != [CONTEXT]:
        raise CommandError(f'no context exists with the name: "{" ".join(invocation.args)}"')
    invocation.out(f'Switched to context "{CONTEXT}".')


COMMANDS = {
    ("config", "view"): Command(view, "[flags]", {**PRINTING, "output": text("yaml", "o"), "flatten": boolean(), "merge": boolean(default=True),
                                                  "minify": boolean(),
                                                  "raw": boolean()}),
    ("config", "current-context"): Command(current_context),
    ("config", "get-contexts"): Command(get_contexts, "[(-o|--output=)name)]", {"no-headers": boolean(), "output": text(short="o")}),
    ("config", "set-context"): Command(set_context, "[NAME | --current] [--namespace=namespace]", {"current": boolean()}),
    ("config", "use-context"): Command(use_context, "CONTEXT_NAME"),
}
