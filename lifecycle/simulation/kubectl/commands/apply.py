"""kubectl apply: the file against the last applied configuration and the live object (kubectl/pkg/cmd/apply)."""
import json

from lifecycle.simulation.kubectl.arguments import matcher
from lifecycle.simulation.kubectl.commands.create import LAST_APPLIED, plain_text, with_last_applied
from lifecycle.simulation.kubectl.commands.server_side_apply import apply_on_server
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.files import field_validation, infos, required_files
from lifecycle.simulation.kubectl.flags import boolean, duration, listing, number, text
from lifecycle.simulation.kubectl.merging import three_way
from lifecycle.simulation.kubectl.options import ALL, CASCADE, DRY_RUN, FILES, PRINTING, SELECTOR, VALIDATE, Command, field_manager
from lifecycle.simulation.kubectl.process import Sleep
from lifecycle.simulation.kubectl.report import Report, format_printer, show
from lifecycle.simulation.objects import at, is_deleting
from lifecycle.simulation.timings import SECOND

RETRIES = 5                 # after a conflict
AT_ONCE = 1                 # so many of them without waiting
MISSING = ("resource {} is missing the {} annotation which is required by kubectl apply. kubectl apply should only be used on resources created "
           "declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.")


def apply(invocation):
    """Apply every object of the given files, one after the other; refusals do not stop the rest."""
    if invocation.flags["force-conflicts"] and not invocation.flags["server-side"]:
        raise CommandError("--force-conflicts only works with --server-side")
    if invocation.dry_run == "client" and invocation.flags["server-side"]:
        raise CommandError("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)")
    files = required_files(invocation)
    field_validation(invocation)
    report = _Collected(invocation)
    yield from invocation.validation_schema()
    matches = matcher(invocation)
    one, errors, found = apply_on_server if invocation.flags["server-side"] else apply_one, [], 0
    for info in infos(invocation, files, errors):
        if not matches(info.thing["metadata"].get("labels")):
            continue
        found += 1
        try:
            yield from one(invocation, info, report)
        except CommandError as error:
            errors.append(error)
    report.finish()
    raise_all(errors)
    if not found:
        raise CommandError("no objects passed to apply")


class _Collected(Report):
    """With -o, apply prints one object alone and several as a List, at the end."""

    def __init__(self, invocation):
        super().__init__(invocation)
        self.things = []

    def done(self, info, thing, operation, made_here=False):
        if self.printer:
            self.things.append(thing)
        else:
            super().done(info, thing, operation)

    def finish(self):
        if self.things:
            many = {"apiVersion": "v1", "items": self.things, "kind": "List", "metadata": {}}
            show(self.invocation, format_printer(self.invocation), self.things[0] if len(self.things) == 1 else many)


def apply_one(invocation, info, report):
    """Create or patch one object."""
    if not info.name:
        raise _without_name(info)
    try:
        live = yield from invocation.read(info.resource, info.namespace, info.name)
    except ServerError as error:
        if not not_found(error):
            raise error.within(retrieving(info)) from None
        yield from _create(invocation, info, report)
        return
    yield from _update(invocation, info, live, report)


def _without_name(info):
    metadata = info.thing["metadata"]
    if metadata.get("generateName"):
        return CommandError(f"from {metadata['generateName']}: cannot use generate name with apply")
    return CommandError(f"{retrieving(info)}: resource name may not be empty")


def retrieving(info):
    return f"error when retrieving current configuration of:\n{described(info)}\nfrom server for: {json.dumps(info.source)}"


def described(info):
    """An object in an error of apply: resource, kind, name, namespace."""
    row = info.resource
    version = f"{row.group}/{row.version}"
    return (f'Resource: "{version}, Resource={row.plural}", GroupVersionKind: "{version}, Kind={row.kind}"\n'
            f'Name: "{info.name}", Namespace: "{info.namespace}"')


def _create(invocation, info, report):
    thing = with_last_applied(info.thing)
    if invocation.dry_run != "client":
        query = {**invocation.write_query(), "fieldValidation": field_validation(invocation)}
        try:
            thing = yield from invocation.post(info.collection, thing, query)
        except ServerError as error:
            raise error.within(info.doing("creating")) from None
    report.done(info, thing, "created")


def _update(invocation, info, live, report):
    if LAST_APPLIED not in (live["metadata"].get("annotations") or {}):
        invocation.warn(MISSING.format(f"{info.resource.plural}/{info.name}", LAST_APPLIED))
    if invocation.dry_run == "client":
        report.done(info, live, "configured")
        return
    patch, thing = yield from _patch(invocation, info, live)
    if patch and is_deleting(live):
        invocation.warn(f"Detected changes to resource {info.name} which is currently being deleted.")
    report.done(info, thing, "configured" if patch else "unchanged")


def _patch(invocation, info, live):
    """Patch until there is no conflict, at most five times more, from the second on a second apart. Returns (patch, object)."""
    query = {**invocation.write_query(), "fieldValidation": field_validation(invocation)}
    for retry in range(RETRIES + 1):
        if retry > AT_ONCE:
            yield Sleep(SECOND)
        if retry:
            live = yield from invocation.read(info.resource, info.namespace, info.name)
        patch, content_type = _computed(info, live)
        if not patch:
            return patch, live
        reply = yield from invocation.ask("PATCH", info.path, query, patch, content_type)
        if reply.ok:
            return patch, reply.body
        if reply.reason != "Conflict":
            break
    written = json.dumps(patch, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    patching = f"error when patching {json.dumps(info.source)}: {reply.body.get('message', '')}"
    raise ServerError({**reply.body, "message": patching}, f"error when applying patch:\n{written}\nto:\n{described(info)}\nfor: {json.dumps(info.source)}")


def _computed(info, live):
    """(patch, content type) for what the file says; the objects are part of the error if there is none."""
    modified = with_last_applied(info.thing)
    try:
        return three_way(last_applied(live), modified, live)
    except CommandError as error:
        original = at(live, "metadata", "annotations", LAST_APPLIED, default="")
        raise error.within(f"error when creating patch with:\noriginal:\n{original}\nmodified:\n{plain_text(modified)}\ncurrent:\n{plain_text(live)}\n"
                           f"for: {json.dumps(info.source)}") from None


def last_applied(live):
    """What was applied last, or {}. Raises CommandError if somebody has broken the annotation."""
    text = at(live, "metadata", "annotations", LAST_APPLIED, default="")
    try:
        applied = json.loads(text or "{}")
    except ValueError as error:
        raise CommandError(f"the annotation {LAST_APPLIED} of {live['metadata']['name']} is no JSON: {error}") from None
    return applied if isinstance(applied, dict) else {}


FLAGS = {**FILES, **DRY_RUN, **VALIDATE, **PRINTING, **SELECTOR, **ALL, **CASCADE, **field_manager("kubectl-client-side-apply"), "force": boolean(),
         "force-conflicts": boolean(), "grace-period": number(-1), "openapi-patch": boolean(default=True), "overwrite": boolean(default=True),
         "prune": boolean(), "prune-allowlist": listing(), "server-side": boolean(), "subresource": text(), "timeout": duration(), "wait": boolean()}
COMMANDS = {("apply",): Command(apply, "(-f FILENAME | -k DIRECTORY)", FLAGS)}
