"""kubectl set subject: who a binding is about (kubectl/pkg/cmd/set/set_subject.go)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.create_access import SUBJECTS, subjects_of
from lifecycle.simulation.kubectl.commands.set_image import FLAGS
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.merging import two_way
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced

BINDINGS = ("RoleBinding", "ClusterRoleBinding")


def set_subject(invocation):
    """Add users, groups and service accounts to bindings; one that has them all already is not told of."""
    added = subjects_of(invocation).get("subjects")
    report, errors = Report(invocation), []
    found = yield from selected(invocation, invocation.args, errors)
    raise_all(errors)
    if not added:
        raise CommandError("you must specify at least one value of user, group or serviceaccount")
    for info in found:
        try:
            yield from _add(invocation, info, added, report)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _add(invocation, info, added, report):
    if info.resource.kind not in BINDINGS:
        raise CommandError("setting subjects is only supported for RoleBinding/ClusterRoleBinding")
    known = list(info.thing.get("subjects") or ())
    new = [subject for subject in added if subject not in known]
    if not new:
        return
    thing = replaced(info.thing, known + new, "subjects")
    if not (invocation.flags["local"] or invocation.dry_run == "client"):
        patch, content_type = two_way(info.thing, thing)
        try:
            thing = yield from invocation.patch(info.path, patch, content_type, invocation.write_query())
        except ServerError as error:
            raise CommandError(f"failed to patch subjects to rolebinding: {error.message}") from None
    report.done(info, thing, "subjects updated")


GIVEN = {name: SUBJECTS[name] for name in ("user", "group", "serviceaccount")}
COMMANDS = {("set", "subject"): Command(set_subject, "(-f FILENAME | TYPE NAME) [--user=username] [--group=groupname] "
                                        "[--serviceaccount=namespace:serviceaccountname] [--dry-run=server|client|none]", {**FLAGS, **GIVEN})}
