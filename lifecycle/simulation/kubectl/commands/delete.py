"""kubectl delete (kubectl/pkg/cmd/delete)."""
from lifecycle.simulation.kubectl.arguments import listed, named, selected
from lifecycle.simulation.kubectl.commands.deletion import BY_FORCE, FOR_EVER, delete_options, deleted_line, policy, uid_of, wait_until_gone
from lifecycle.simulation.kubectl.commands.raw import raw
from lifecycle.simulation.kubectl.discovery import typed_name
from lifecycle.simulation.kubectl.errors import CommandError, not_found, raise_all
from lifecycle.simulation.kubectl.flags import boolean, duration, number, text
from lifecycle.simulation.kubectl.options import ALL, ALL_NAMESPACES, CASCADE, DRY_RUN, FIELD_SELECTOR, FILES, SELECTOR, Command
from lifecycle.simulation.kubectl.report import SUFFIXES


def delete(invocation):
    """Ask for the deletion of each object, say so, then wait until all are gone."""
    flags = invocation.flags
    if flags["raw"]:
        yield from raw(invocation, "DELETE")
        return
    grace = _grace(flags)
    propagation = policy(invocation)
    if flags["output"] not in ("", "name"):
        raise CommandError(f"unexpected -o output mode: {flags['output']}. We only support '-o name'")
    if flags["force"] and grace == 0:
        invocation.warn(BY_FORCE)
    errors, deleted = [], []
    yield from _delete_each(invocation, delete_options(grace, propagation, bool(invocation.dry_run)), errors, deleted)
    raise_all(errors)
    if not deleted:
        invocation.out("No resources found")
    elif _waits(flags) and not invocation.dry_run:
        yield from _wait(invocation, deleted)


def _grace(flags):
    """The grace period to ask for, in seconds; -1 leaves it to the server."""
    grace = flags["grace-period"]
    if flags["now"]:
        if grace != -1:
            raise CommandError("--now and --grace-period cannot be specified together")
        return 1
    if flags["force"]:
        if grace > 0:
            raise CommandError("--force and --grace-period greater than 0 cannot be specified together")
        return 0
    return 1 if grace == 0 else grace


def _waits(flags):
    return flags["wait"]


def _delete_each(invocation, options, errors, deleted):
    """DELETE what the command names; `deleted` gets (Info, uid)."""
    for words in _parts(invocation):
        for info in (yield from _found(invocation, words, errors)):
            yield from _delete_one(invocation, info, options, errors, deleted)


def _parts(invocation):
    """The words of the command; several types of which everything is selected are done one after the other."""
    words = invocation.args
    if len(words) == 1 and "," in words[0] and "/" not in words[0]:
        return [[typed] for typed in words[0].split(",")]
    return [words]


def _found(invocation, words, errors):
    flags = invocation.flags
    if flags["all"] and (flags["selector"] or flags["field-selector"]) and flags["selector"]:
        raise CommandError("cannot set --all and --selector at the same time")
    if words and not flags["filename"] and (flags["all"] or flags["selector"] or flags["field-selector"]):
        resources, names = yield from named(invocation, words)
        if not names and names is not None:
            return (yield from listed(invocation, resources, errors))
    return (yield from selected(invocation, words, errors, fetch=False))


def _delete_one(invocation, info, options, errors, deleted):
    if invocation.enforce_namespace and not info.resource.namespaced:
        invocation.warn("deleting cluster-scoped resources, not scoped to the provided namespace")
    uid = ""
    if invocation.dry_run != "client":
        try:
            uid = uid_of((yield from invocation.send("DELETE", info.path, None, options)))
        except CommandError as error:
            if not (not_found(error) and invocation.flags["ignore-not-found"]):
                errors.append(error.within(info.doing("deleting")))
            else:
                deleted.append((info, ""))
            return
    deleted.append((info, uid))
    if invocation.flags["output"] == "name":
        invocation.out(f"{typed_name(info.resource)}/{info.name}")
    else:
        invocation.out(deleted_line(info, invocation.flags["force"] and options.get("gracePeriodSeconds") == 0, SUFFIXES[invocation.dry_run]))


def _wait(invocation, deleted):
    """Wait for each in turn; the time-out is for all together."""
    until = invocation.now + (invocation.flags["timeout"] or FOR_EVER)
    errors = []
    for info, uid in deleted:
        try:
            yield from wait_until_gone(invocation, info, uid, until)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


FLAGS = {**FILES, **SELECTOR, **FIELD_SELECTOR, **ALL, **ALL_NAMESPACES, **CASCADE, **DRY_RUN, "force": boolean(), "grace-period": number(-1),
         "ignore-not-found": boolean(),
         "interactive": boolean("i"), "now": boolean(), "output": text(short="o"), "raw": text(), "timeout": duration(), "wait": boolean(default=True)}
COMMANDS = {("delete",): Command(delete, "([-f FILENAME] | TYPE [(NAME | -l label | --all)])", FLAGS)}
