"""kubectl rollout history (kubectl/pkg/polymorphichelpers/history.go)."""
from lifecycle.simulation.kubectl.commands.revisions import CHANGE_CAUSE, history_of, template_text
from lifecycle.simulation.kubectl.commands.rollout import each
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import number
from lifecycle.simulation.kubectl.options import FILES, PRINTING, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.tabwriter import align

WITH_HISTORY = ("deployments.apps", "daemonsets.apps", "statefulsets.apps")


def history(invocation, info, report):
    """The revisions as a list, or the template of one."""
    wanted = invocation.flags["revision"]
    if wanted < 0:
        raise CommandError(f"revision must be a positive integer: {wanted}")
    if info.resource.qualified not in WITH_HISTORY:
        raise CommandError(f'no history viewer has been implemented for "{info.resource.kind}"')
    live, revisions = yield from history_of(invocation, info)
    if report.printer or report.only_name:
        for revision in [_one(revisions, wanted)] if wanted else revisions:
            report.done(info._replace(name=revision.thing["metadata"]["name"]), revision.thing, "")
    elif wanted:
        revision = _one(revisions, wanted)
        report.done(info, live, f"with revision #{wanted}\n{template_text(revision.template, revision.annotations.get(CHANGE_CAUSE))}")
    else:
        rows = "".join(f"{revision.number}\t{revision.annotations.get(CHANGE_CAUSE) or '<none>'}\n" for revision in revisions)
        report.done(info, live, "\n" + align("REVISION\tCHANGE-CAUSE\n" + rows, 0, 2) if revisions else "No rollout history found.")


def _one(revisions, wanted):
    for revision in revisions:
        if revision.number == wanted:
            return revision
    raise CommandError("unable to find the specified revision")


COMMANDS = {("rollout", "history"): Command(each(history), "(TYPE NAME | TYPE/NAME) [flags]", {**FILES, **SELECTOR, **PRINTING, "revision": number()})}
