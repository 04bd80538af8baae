"""What the commands that change objects field by field share: read, change a copy, send the difference."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.merging import two_way
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import at, replaced

TEMPLATES = {"pods": (), "podtemplates": ("template",), "cronjobs.batch": ("spec", "jobTemplate", "spec", "template")}
TEMPLATE = ("spec", "template")


def split_changes(invocation, what):
    """The words of a command as (those that name objects, those that say what to change): the first with "=" or a trailing "-" begins the changes."""
    words = invocation.args
    for place, word in enumerate(words):
        if "=" in word or (word.endswith("-") and len(word) > 1):
            return words[:place], words[place:]
    return words, []


def pod_spec_path(resource):
    """Where the pod template's spec is in objects of a resource."""
    return (*TEMPLATES.get(resource.qualified, TEMPLATE), "spec")


def pod_spec(info):
    """The spec of the pods that an object makes. Raises CommandError if it makes none."""
    found = at(info.thing, *pod_spec_path(info.resource))
    if not isinstance(found, dict) or "containers" not in found:
        version = info.resource.version
        raise CommandError(f"{info.resource.plural}/{info.name} the object is not a pod or does not have a pod template: *{version}.{info.resource.kind}")
    return found


def with_pod_spec(info, spec):
    return replaced(info.thing, spec, *pod_spec_path(info.resource))


def change_each(invocation, words, change, operation, problem=""):
    """Change every object that `words` name: `change(info)` gives the new object. Objects that stay as they are are not reported.

    `problem` is what is wrong with the rest of the command; kubectl looks for the objects first.
    """
    report, errors = Report(invocation), []
    found = yield from selected(invocation, words, errors)
    raise_all(errors)
    if problem:
        raise CommandError(problem)
    for info in found:
        try:
            yield from _change_one(invocation, info, change(info), report, operation)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _change_one(invocation, info, modified, report, operation):
    patch, content_type = two_way(info.thing, modified)
    if not patch and not report.printer:
        return
    thing = modified
    if not (invocation.flags.get("local") or invocation.dry_run == "client"):
        try:
            thing = yield from invocation.patch(info.path, patch, content_type, invocation.write_query())
        except ServerError as error:
            raise CommandError(f"failed to patch {operation.split()[0]} update to pod template: {error.message}") from None
    report.done(info, thing, operation)
