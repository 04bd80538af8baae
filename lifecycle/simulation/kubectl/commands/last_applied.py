"""kubectl apply view-last-applied and set-last-applied: the annotation with which apply compares (kubectl/pkg/cmd/apply)."""
import json

from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.create import LAST_APPLIED, applied_text
from lifecycle.simulation.kubectl.commands.unavailable import unavailable
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.files import infos, required_files
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.invocation import MERGE_PATCH
from lifecycle.simulation.kubectl.options import ALL, DRY_RUN, FILES, PRINTING, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.json_text import to_json
from lifecycle.simulation.kubectl.printing.yaml_text import to_yaml
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import at


def view(invocation):
    """Print what was applied last to each object."""
    output = invocation.flags["output"]
    if output not in ("json", "yaml"):
        raise invocation.usage_error(f"Unexpected -o output mode: {output}, the flag 'output' must be one of yaml|json")
    errors = []
    found = yield from selected(invocation, invocation.args, errors)
    raise_all(errors)
    for info in found:
        applied = at(info.thing, "metadata", "annotations", LAST_APPLIED)
        if applied is None:
            raise CommandError(f"no last-applied-configuration annotation found on resource: {info.name}")
        thing = json.loads(applied)
        invocation.write("out", to_yaml(thing) if output == "yaml" else to_json(thing, 2) + "\n")


def set_last(invocation):
    """Write the files' objects into the annotation, and nothing else."""
    errors, report, found = [], Report(invocation), []
    for info in infos(invocation, required_files(invocation), errors):
        found.append((info, (yield from invocation.read(info.resource, info.namespace, info.name))))
    raise_all(errors)
    for info, live in found:
        yield from _set_one(invocation, info, live, report)


def _set_one(invocation, info, live, report):
    wanted, known = applied_text(info.thing), at(live, "metadata", "annotations", LAST_APPLIED)
    if known is None and not invocation.flags["create-annotation"]:
        raise CommandError(f"no last-applied-configuration annotation found on resource: {info.name}, to create the annotation, run the command with "
                           "--create-annotation")
    if known != wanted and invocation.dry_run != "client":
        patch = {"metadata": {"annotations": {LAST_APPLIED: wanted}}}
        live = yield from invocation.patch(info.path, patch, MERGE_PATCH, invocation.dry_run_query())
    report.done(info, live, "configured")


COMMANDS = {
    ("apply", "view-last-applied"): Command(view, "(TYPE [NAME | -l label] | TYPE/NAME | -f FILENAME)",
                                            {**FILES, **SELECTOR, **ALL, "output": text("yaml", "o")}),
    ("apply", "set-last-applied"): Command(set_last, "-f FILENAME", {**FILES, **DRY_RUN, **PRINTING, "create-annotation": boolean()}),
    ("apply", "edit-last-applied"): Command(unavailable("apply edit-last-applied", "it has no editor; use kubectl apply set-last-applied"), flags=None),
}
