"""kubectl explain (kubectl/pkg/cmd/explain)."""
from lifecycle.simulation.kubectl.arguments import resolve
from lifecycle.simulation.kubectl.errors import CommandError, PlainError
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.printing.errors import OutputError
from lifecycle.simulation.kubectl.printing.explain import NoSuchField
from lifecycle.simulation.kubectl.printing.explain import explain as explanation
from lifecycle.simulation.resources import resource

DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
NOTHING_GIVEN = 'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.'


def explain(invocation):
    """Print the documentation of a kind or of one of its fields."""
    if len(invocation.args) != 1:
        raise PlainError(f"error: {NOTHING_GIVEN}" if not invocation.args else "error: We accept only this format: explain RESOURCE")
    typed, *path = invocation.args[0].split(".")
    try:
        found, path = yield from _found(invocation, typed, path)
    except CommandError as error:
        raise PlainError(error.message) from None
    yield from invocation.ask("GET", "/openapi/v3", {"timeout": "32s"})
    api_version = invocation.flags["api-version"] or found.api_version
    group, _, version = api_version.rpartition("/")
    schema = yield from _custom_schema(invocation, found)
    try:
        invocation.write("out", explanation(group, version, found.kind, path, invocation.flags["recursive"], schema))
    except NoSuchField as error:
        invocation.write("out", error.printed)
        raise CommandError(str(error)) from None
    except OutputError as error:
        raise CommandError(f"couldn't find resource for \"{error}\"") from None


def _found(invocation, typed, path):
    """The Resource and the path of fields: "pods.spec", "deployments.apps.spec"."""
    qualified = ".".join([typed, *path]).lower()
    for row in invocation.discovery.resources:
        if row.group and (qualified + ".").startswith(f"{row.plural}.{row.group}."):
            return row, path[len(row.group.split(".")):]
    return (yield from resolve(invocation, typed)), path


def _custom_schema(invocation, found):
    """The schema of a custom resource's version, None for what is built in."""
    if found not in invocation.discovery.custom:
        return None
    reply = yield from invocation.ask("GET", resource(DEFINITIONS).path(None, found.qualified))
    versions = reply.body["spec"]["versions"] if reply.ok else ()
    return next((version["schema"]["openAPIV3Schema"] for version in versions if version["name"] == found.version), None)


FLAGS = {"api-version": text(), "output": text("plaintext", "o"), "recursive": boolean("R")}
COMMANDS = {("explain",): Command(explain, "TYPE [--recursive=FALSE|TRUE] [--api-version=api-version-group] [-o|--output=plaintext|plaintext-openapiv2]",
                                  FLAGS)}
