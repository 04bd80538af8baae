"""kubectl scale (kubectl/pkg/cmd/scale)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.flags import duration, number, text
from lifecycle.simulation.kubectl.invocation import MERGE_PATCH
from lifecycle.simulation.kubectl.options import ALL, DRY_RUN, FILES, PRINTING, SELECTOR, Command
from lifecycle.simulation.kubectl.process import Sleep
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced

INTERVAL = 3000             # between two looks at whether the scale has been reached


def scale(invocation):
    """Set the number of replicas of every named object."""
    if invocation.flags["replicas"] < 0:
        raise CommandError("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
    report, errors = Report(invocation), []
    found = yield from selected(invocation, invocation.args, errors, fetch=not invocation.flags["filename"])
    if not found and not errors:
        raise CommandError("no objects passed to scale")
    for info in found:
        try:
            thing = yield from _scale_one(invocation, info)
            report.done(info, thing, "scaled")
        except ServerError as error:
            errors.append(error)
    raise_all(errors)


def _scale_one(invocation, info):
    flags, path = invocation.flags, f"{info.path}/scale"
    if invocation.dry_run == "client":
        return info.thing
    if flags["current-replicas"] >= 0 or flags["resource-version"]:
        scale = yield from _checked_scale(invocation, info, path)
        yield from invocation.put(path, replaced(scale, flags["replicas"], "spec", "replicas"), invocation.dry_run_query())
    else:
        yield from invocation.patch(path, {"spec": {"replicas": flags["replicas"]}}, MERGE_PATCH, invocation.dry_run_query())
    if flags["timeout"] and not invocation.dry_run:
        yield from _wait(invocation, info, path)
    if flags["output"] and flags["output"] != "name":
        return (yield from invocation.get(info.path))
    return info.thing


def _checked_scale(invocation, info, path):
    """The scale, if it is what the command says it must be."""
    flags = invocation.flags
    scale = yield from invocation.get(path)
    current, version = scale["spec"].get("replicas", 0), scale["metadata"]["resourceVersion"]
    if 0 <= flags["current-replicas"] != current:
        raise CommandError(f"Expected replicas to be {flags['current-replicas']}, was {current}")
    if flags["resource-version"] and flags["resource-version"] != version:
        raise CommandError(f"Expected resource version to be {flags['resource-version']}, was {version}")
    return scale


def _wait(invocation, info, path):
    """Wait until the object has as many replicas as wanted."""
    until = invocation.now + invocation.flags["timeout"]
    while True:
        yield Sleep(min(INTERVAL, max(until - invocation.now, 0)))
        scale = yield from invocation.get(path)
        wanted = scale["spec"].get("replicas", 0)
        if wanted != invocation.flags["replicas"] or scale["status"]["replicas"] == wanted:
            return
        if invocation.now >= until:
            raise CommandError(f"timed out waiting for {info.name!r} to be synced".replace("'", '"'))


FLAGS = {**FILES, **SELECTOR, **ALL, **DRY_RUN, **PRINTING, "current-replicas": number(-1), "replicas": number(), "resource-version": text(),
         "timeout": duration()}
COMMANDS = {("scale",): Command(scale, "[--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME)", FLAGS,
                                ("replicas",))}
