"""kubectl patch (kubectl/pkg/cmd/patch)."""
import json

import yaml

from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.flags import text
from lifecycle.simulation.kubectl.invocation import JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH
from lifecycle.simulation.kubectl.options import DRY_RUN, FILES, LOCAL, PRINTING, Command, field_manager
from lifecycle.simulation.kubectl.report import Report, template_text

TYPES = {"json": JSON_PATCH, "merge": MERGE_PATCH, "strategic": STRATEGIC_PATCH}


def patch(invocation):
    """Send a patch as given for every named object."""
    flags = invocation.flags
    if flags["type"] not in TYPES:
        raise CommandError(f"--type must be one of [json merge strategic], not {json.dumps(flags['type'])}")
    if not flags["patch"] and not flags["patch-file"]:
        raise CommandError("must specify --patch or --patch-file containing the contents of the patch")
    if flags["patch"] and flags["patch-file"]:
        raise CommandError("cannot specify --patch and --patch-file together")
    body = _body(flags["patch"] or template_text(invocation, flags["patch-file"]))
    report, errors = Report(invocation), []
    for info in (yield from selected(invocation, invocation.args, errors, subresource=flags["subresource"])):
        try:
            yield from _patch_one(invocation, info, body, report)
        except ServerError as error:
            errors.append(error)
    raise_all(errors)


def _body(words):
    """JSON as it is; YAML as JSON."""
    if words.lstrip().startswith(("{", "[")):
        return words
    try:
        return json.dumps(yaml.safe_load(words))
    except yaml.YAMLError as error:
        raise CommandError(f"unable to parse {json.dumps(words)}: {error}") from None


def _patch_one(invocation, info, body, report):
    flags = invocation.flags
    if invocation.dry_run == "client":
        report.done(info, info.thing, "patched")
        return
    path = f"{info.path}/{flags['subresource']}" if flags["subresource"] else info.path
    thing = yield from invocation.patch(path, body, TYPES[flags["type"]], invocation.write_query())
    report.done(info, thing, "patched (no change)" if thing == info.thing else "patched")


FLAGS = {**FILES, **LOCAL, **DRY_RUN, **PRINTING, **field_manager("kubectl-patch"), "patch": text(short="p"), "patch-file": text(), "subresource": text(),
         "type": text("strategic")}
COMMANDS = {("patch",): Command(patch, "(-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE]", FLAGS)}
