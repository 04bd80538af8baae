"""kubectl replace (kubectl/pkg/cmd/replace)."""
from lifecycle.simulation.kubectl.commands.create import SAVE_CONFIG, with_last_applied
from lifecycle.simulation.kubectl.commands.deletion import BY_FORCE, FOR_EVER, delete_options, deleted_line, policy, uid_of, wait_until_gone
from lifecycle.simulation.kubectl.commands.raw import raw
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.files import field_validation, infos, required_files
from lifecycle.simulation.kubectl.flags import boolean, duration, number, text
from lifecycle.simulation.kubectl.options import CASCADE, DRY_RUN, FILES, PRINTING, VALIDATE, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced


def replace(invocation):
    """PUT every object of the given files; with --force, delete them all first and create them anew."""
    flags = invocation.flags
    if flags["raw"]:
        return (yield from raw(invocation, "PUT"))
    if flags["grace-period"] >= 0 and not flags["force"]:
        raise CommandError("--grace-period must have --force specified")
    if flags["timeout"] and not flags["force"]:
        raise CommandError("--timeout must have --force specified")
    files, report, errors = required_files(invocation), Report(invocation), []
    field_validation(invocation)
    if not flags["force"]:
        yield from invocation.validation_schema()
    found = list(infos(invocation, files, errors)) if flags["force"] else infos(invocation, files, errors)
    yield from (_recreate if flags["force"] else _replace_each)(invocation, found, report, errors)
    raise_all(errors)
    return None


def _replace_each(invocation, found, report, errors):
    for info in found:
        try:
            report.done(info, (yield from _replace_one(invocation, info)), "replaced")
        except CommandError as error:
            errors.append(error.within(info.doing("replacing")))


def _replace_one(invocation, info):
    """PUT; an object without resourceVersion takes that of the stored one."""
    thing = with_last_applied(info.thing) if invocation.flags["save-config"] else info.thing
    if invocation.dry_run == "client":
        return thing
    path = f"{info.path}/{invocation.flags['subresource']}" if invocation.flags["subresource"] else info.path
    if not thing["metadata"].get("resourceVersion"):
        reply = yield from invocation.ask("GET", path)
        if reply.ok:
            thing = replaced(thing, reply.body["metadata"]["resourceVersion"], "metadata", "resourceVersion")
    return (yield from invocation.put(path, thing, {**invocation.write_query(), "fieldValidation": field_validation(invocation)}))


def _recreate(invocation, found, report, errors):
    grace, deleted = invocation.flags["grace-period"], []
    if grace == 0:
        invocation.warn(BY_FORCE)
    for info in found:
        try:
            answer = yield from invocation.send("DELETE", info.path, None, delete_options(grace, policy(invocation), bool(invocation.dry_run)))
        except ServerError as error:
            if not not_found(error):
                raise
            continue
        deleted.append((info, uid_of(answer)))
        invocation.out(deleted_line(info, grace == 0))
    until = invocation.now + (invocation.flags["timeout"] or FOR_EVER)
    for info, uid in deleted:
        yield from wait_until_gone(invocation, info, uid, until)
    yield from invocation.validation_schema()
    for info in found:
        try:
            query = {**invocation.write_query(), "fieldValidation": field_validation(invocation)}
            thing = with_last_applied(info.thing) if invocation.flags["save-config"] else info.thing
            report.done(info, (yield from invocation.post(info.collection, thing, query)), "replaced")
        except ServerError as error:
            errors.append(error)


FLAGS = {**FILES, **DRY_RUN, **VALIDATE, **PRINTING, **CASCADE, **SAVE_CONFIG, **field_manager("kubectl-replace"), "force": boolean(),
         "grace-period": number(-1), "raw": text(),
         "subresource": text(), "timeout": duration(), "wait": boolean()}
COMMANDS = {("replace",): Command(replace, "-f FILENAME", FLAGS)}
