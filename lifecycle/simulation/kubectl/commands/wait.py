"""kubectl wait (kubectl/pkg/cmd/wait)."""
from lifecycle.simulation.jsonpath import JSONPathError, find_results, parse, relaxed
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.deletion import wait_until_gone
from lifecycle.simulation.kubectl.errors import CommandError, Failures, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.flags import boolean, duration, repeated
from lifecycle.simulation.kubectl.options import ALL, ALL_NAMESPACES, FIELD_SELECTOR, FILES, LOCAL, PRINTING, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.go_values import go_text
from lifecycle.simulation.kubectl.process import Sleep
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.kubectl.watcher import Watcher
from lifecycle.simulation.objects import at

WEEK = 7 * 24 * 3600 * 1000
POLL = 1000


def wait(invocation):
    """Wait until every object named meets the condition of --for; each may take --timeout."""
    flags = invocation.flags
    wanted = flags["for"][-1] if flags["for"] else ""
    if wanted.lower() == "create":
        yield from _wait_for_creation(invocation)
        return
    gone = wanted.lower() == "delete"
    met = None if gone else condition_of(wanted)
    report, errors = Report(invocation), []
    found = yield from selected(invocation, invocation.args, errors)
    errors = [error for error in errors if not (gone and not_found(error))]
    if not found and not errors and not gone:
        raise CommandError("no matching resources found")
    for info in found:
        try:
            yield from (_wait_for_deletion(invocation, info) if gone else _wait_for(invocation, info, met))
            report.done(info, info.thing, "condition met")
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _until(invocation):
    """A negative time-out is a week."""
    limit = invocation.flags["timeout"]
    return invocation.now + (WEEK if limit < 0 else limit)


def _timed_out(info):
    return CommandError(f"timed out waiting for the condition on {info.resource.plural}/{info.name}")


def _wait_for_deletion(invocation, info):
    yield from wait_until_gone(invocation, info, info.thing["metadata"]["uid"], _until(invocation))


def _wait_for(invocation, info, met):
    if not invocation.flags["timeout"]:
        thing = yield from invocation.get(info.path)
        if not met(thing):
            raise CommandError(f"condition not met for {info.resource.plural}/{info.name}")
        return
    watcher = Watcher(info.resource, info.namespace, info.name, _until(invocation))
    while True:
        events = yield from watcher.events()
        if events is None:
            raise _timed_out(info)
        for event in events:
            if event["type"] != "DELETED" and met(event["object"]):
                return


def _wait_for_creation(invocation):
    """Look once a second until the objects are there."""
    report, until = Report(invocation), _until(invocation)
    while True:
        errors = []
        found = yield from selected(invocation, invocation.args, errors)
        if found and not errors:
            break
        if any(not not_found(error) for error in errors):
            raise Failures(errors)
        if invocation.now >= until and invocation.flags["timeout"]:
            raise CommandError("timed out waiting for the condition")
        if invocation.now >= until:
            raise ServerError(errors[0].body) if errors else CommandError("no matching resources found")
        yield Sleep(min(POLL, until - invocation.now))
    for info in found:
        report.done(info, info.thing, "condition met")


def condition_of(wanted):
    """The test (object -> bool) that --for names. Raises CommandError."""
    if wanted.startswith("condition="):
        name, equals, value = wanted.removeprefix("condition=").partition("=")
        return lambda thing: _has_condition(thing, name, value if equals else "true")
    if wanted.startswith("jsonpath="):
        return _path_test(wanted.removeprefix("jsonpath="))
    raise CommandError(f'unrecognized condition: "{wanted}"' if wanted else "unrecognized condition: []")


def _has_condition(thing, name, value):
    """Whether a condition has a status; one that was made for an older generation says nothing."""
    for found in at(thing, "status", "conditions", default=()):
        if found["type"].lower() == name.lower():
            current = thing["metadata"].get("generation", 0)
            return found.get("observedGeneration", current) >= current and at(thing, "status", "observedGeneration", default=current) >= current \
                and found["status"].lower() == value.lower()
    return False


def _path_test(words):
    """"{.status.phase}=Running", or a path alone: any value will do."""
    end = words.rfind("}=") if words.startswith("{") else words.find("=") - 1
    path, value = (words[:end + 1], words[end + 2:].strip("'\"")) if end >= 0 else (words, None)
    if value == "":
        raise CommandError("jsonpath wait condition must have a value")
    try:
        nodes = parse(relaxed(path))
    except JSONPathError as error:
        raise CommandError(str(error)) from None
    return lambda thing: _matches(nodes, value, thing)


def _matches(nodes, value, thing):
    try:
        results = [one for found in find_results(nodes, thing) for one in found]
    except JSONPathError:
        return False
    if value is None:
        return bool(results)
    if len(results) != 1 or isinstance(results[0], (dict, list)):
        return False
    return go_text(results[0]) == value


FLAGS = {**FILES, **SELECTOR, **FIELD_SELECTOR, **ALL, **ALL_NAMESPACES, **LOCAL, **PRINTING, "for": repeated(), "timeout": duration(30_000),
         "recursive": boolean("R", True)}
COMMANDS = {("wait",): Command(wait, "([-f FILENAME] | TYPE/NAME | TYPE [(-l label | --all)]) [--for=create|--for=delete|--for condition=available]",
                               FLAGS)}
