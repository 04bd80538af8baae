"""kubectl create -f, and what its subcommands share (kubectl/pkg/cmd/create)."""
from lifecycle.simulation.kubectl.arguments import matcher
from lifecycle.simulation.kubectl.commands.raw import raw
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.files import Info, field_validation, infos, required_files
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import DRY_RUN, FILES, PRINTING, SELECTOR, VALIDATE, Command, field_manager
from lifecycle.simulation.kubectl.printing.json_text import to_compact_json
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
SAVE_CONFIG = {"save-config": boolean()}
COMMON = {**DRY_RUN, **VALIDATE, **PRINTING, **SAVE_CONFIG, **field_manager("kubectl-create")}      # the flags that every subcommand has


def create(invocation):
    """Create every object of the given files; one that is refused does not keep the others from being created."""
    if invocation.flags["raw"]:
        return (yield from raw(invocation, "POST"))
    errors, found = [], 0
    files = required_files(invocation)
    report = Report(invocation)
    yield from invocation.validation_schema()
    matches = matcher(invocation)
    for info in infos(invocation, files, errors):
        if not matches(info.thing["metadata"].get("labels")):
            continue
        found += 1
        try:
            yield from create_one(invocation, info, report)
        except CommandError as error:
            errors.append(error.within(info.doing("creating")))
    raise_all(errors)
    if not found:
        raise CommandError("no objects passed to create")


def create_one(invocation, info, report):
    """POST one object and report it; its name is what the server made of it."""
    thing = with_last_applied(info.thing) if invocation.flags.get("save-config") else info.thing
    if invocation.dry_run != "client":
        query = {**invocation.write_query(), "fieldValidation": field_validation(invocation)}
        thing = yield from invocation.post(info.collection, thing, query)
    report.done(info._replace(name=thing["metadata"].get("name", "")), thing, "created", not info.source and invocation.dry_run == "client")


def with_last_applied(thing):
    """An object that carries its own configuration in the annotation that `kubectl apply` compares with."""
    return replaced(thing, {**(thing["metadata"].get("annotations") or {}), LAST_APPLIED: applied_text(thing)}, "metadata", "annotations")


def applied_text(thing):
    """The last applied configuration of an object: JSON with sorted keys, without that annotation itself."""
    annotations = {key: value for key, value in (thing["metadata"].get("annotations") or {}).items() if key != LAST_APPLIED}
    return plain_text(replaced(thing, annotations, "metadata", "annotations"))


def plain_text(thing):
    """An object as compact JSON with its line end."""
    return to_compact_json(thing) + "\n"


# -- subcommands -----------------------------------------------------------------------------------------------------------
def subcommand(kind, make, flags=None, required=(), aliases=(), api_version="v1", usage="NAME", what=""):
    """The Command `kubectl create KIND NAME`: `make(invocation, name)` gives the object without apiVersion and kind.

    It may be a generator that asks the server first. `what` is how an error names the object: by default the kind in small letters.
    """
    def run(invocation):
        name = invocation.only_name()
        report = Report(invocation)
        field_validation(invocation)
        made = make(invocation, name)
        body = made if isinstance(made, dict) else (yield from made)
        yield from post_generated(invocation, report, {"kind": kind, "apiVersion": api_version, **body}, f"{kind.lower()}:" if what == "" else what)
    return Command(run, usage, {**COMMON, **(flags or {})}, required, aliases)


def post_generated(invocation, report, thing, what):
    """Create an object that the command itself has made; errors begin with "failed to create `what`" if there is a `what`."""
    resource = invocation.discovery.of_kind(thing["apiVersion"], thing["kind"])
    namespace = invocation.namespace if resource.namespaced else ""
    if namespace and invocation.enforce_namespace:
        thing = replaced(thing, namespace, "metadata", "namespace")
    try:
        yield from create_one(invocation, Info(resource, namespace, thing["metadata"]["name"], thing), report)
    except ServerError as error:
        raise CommandError(f"failed to create {what} {error.message}") if what else error from None


FLAGS = {**FILES, **COMMON, **SELECTOR, "raw": text(), "edit": boolean(), "windows-line-endings": boolean()}
COMMANDS = {("create",): Command(create, "-f FILENAME", FLAGS)}
