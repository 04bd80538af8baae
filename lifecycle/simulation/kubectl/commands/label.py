"""kubectl label and annotate (kubectl/pkg/cmd/label, kubectl/pkg/cmd/annotate)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.changing import split_changes
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.invocation import MERGE_PATCH
from lifecycle.simulation.kubectl.options import ALL, ALL_NAMESPACES, DRY_RUN, FIELD_SELECTOR, FILES, LOCAL, PRINTING, SELECTOR, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.label_syntax import label_value_problems
from lifecycle.simulation.objects import replaced

NO_RESOURCE = "one or more resources must be specified as <resource> <name> or <resource>/<name>"


def label(invocation):
    """Set and remove labels."""
    return (yield from _mark(invocation, "labels", "label"))


def annotate(invocation):
    """Set and remove annotations."""
    return (yield from _mark(invocation, "annotations", "annotation"))


def _mark(invocation, field, what):
    words, changes = split_changes(invocation, what)
    flags = invocation.flags
    if not words and not flags["filename"]:
        raise CommandError(NO_RESOURCE)
    if not changes and not flags["list"]:
        raise CommandError(f"at least one {what} update is required")
    added, gone = _parsed(changes, what)
    report, errors = Report(invocation), []
    for info in (yield from selected(invocation, words, errors)):
        try:
            yield from _mark_one(invocation, info, field, added, gone, report)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _parsed(changes, what):
    """(what to set, what to remove) of "a=b c-"."""
    added, gone = {}, []
    for word in changes:
        key, equals, value = word.partition("=")
        if equals:
            _check(word, value, what)
            added[key] = value
        elif word.endswith("-"):
            gone.append(word[:-1])
        else:
            raise CommandError(f"unknown {what} spec: {word}")
    both = [key for key in gone if key in added]
    if both:
        raise CommandError(f"can not both modify and remove {'a label' if what == 'label' else 'an annotation'} in the same command")
    return added, gone


def _check(word, value, what):
    problems = label_value_problems(value) if what == "label" else ()
    if problems:
        raise CommandError(f'invalid label value: "{word}": {"; ".join(problems)}')


def _mark_one(invocation, info, field, added, gone, report):
    flags = invocation.flags
    now = info.thing["metadata"].get(field) or {}
    if flags["list"]:
        for key, value in sorted(now.items()):
            invocation.out(f"{key}={value}")
        return
    _refuse_overwriting(now, added, flags, field)
    for key in gone:
        if key not in now and field == "labels":
            invocation.out(f'label "{key}" not found.')
    changed = {key: value for key, value in added.items() if now.get(key) != value}
    removed = [key for key in gone if key in now]
    thing = replaced(info.thing, {key: value for key, value in {**now, **added}.items() if key not in gone}, "metadata", field)
    if (changed or removed or field == "annotations") and not flags["local"] and invocation.dry_run != "client":
        patch = {"metadata": {field: {**changed, **dict.fromkeys(removed)} or None}} if changed or removed else {}
        thing = yield from invocation.patch(info.path, patch, MERGE_PATCH, invocation.write_query())
    report.done(info, thing, _operation(field, changed, removed))


def _refuse_overwriting(now, added, flags, field):
    if flags["overwrite"]:
        return
    taken = [f"'{key}' already has a value ({now[key]})" for key, value in sorted(added.items()) if key in now and now[key] != value]
    if taken and field == "labels":
        raise CommandError(f"{taken[0]}, and --overwrite is false")
    if taken:
        raise CommandError(f"--overwrite is false but found the following declared annotation(s): {'; '.join(taken)}")


def _operation(field, changed, removed):
    if field == "annotations":
        return "annotated"
    return "modified" if changed and removed else "labeled" if changed else "unlabeled" if removed else "not labeled"


COMMON = {**FILES, **SELECTOR, **FIELD_SELECTOR, **ALL, **ALL_NAMESPACES, **LOCAL, **DRY_RUN, **PRINTING, "list": boolean(), "overwrite": boolean(),
          "resource-version": text()}
USAGE = "[--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version]"
COMMANDS = {
    ("label",): Command(label, USAGE, {**COMMON, **field_manager("kubectl-label")}),
    ("annotate",): Command(annotate, USAGE, {**COMMON, **field_manager("kubectl-annotate")}),
}
