"""kubectl set resources, serviceaccount and selector."""
import re

from lifecycle.simulation.kubectl.commands.changing import change_each, pod_spec, with_pod_spec
from lifecycle.simulation.kubectl.commands.create_policy import selector_of
from lifecycle.simulation.kubectl.commands.set_image import FLAGS
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.objects import at, replaced
from lifecycle.simulation.quantities import canonical


def set_resources(invocation):
    """Give containers of pod templates requests and limits; "0" removes one."""
    flags = invocation.flags
    problem = "" if flags["limits"] or flags["requests"] else "you must specify an update to requests or limits (in the form of --requests/--limits)"
    amounts = {name: _amounts(flags[name]) for name in ("limits", "requests") if flags[name]}
    pattern = re.compile(re.escape(flags["containers"]).replace(r"\*", ".*"))

    def change(info):
        spec = pod_spec(info)
        containers = [_with_amounts(container, amounts) if pattern.fullmatch(container["name"]) else container for container in spec["containers"]]
        return with_pod_spec(info, {**spec, "containers": containers})
    yield from change_each(invocation, invocation.args, change, "resource requirements updated", problem)


def _amounts(words):
    found = {}
    for word in words.split(","):
        name, equals, amount = word.partition("=")
        if not equals:
            raise CommandError(f"Invalid argument syntax {word}, expected <resource>=<value>")
        found[name] = _quantity(amount)
    return found


def _quantity(amount):
    try:
        return canonical(amount)
    except ValueError as error:
        raise CommandError(str(error)) from None


def _with_amounts(container, amounts):
    resources = dict(container.get("resources") or {})
    for part, wanted in amounts.items():
        merged = {name: amount for name, amount in {**(resources.get(part) or {}), **wanted}.items() if amount != "0"}
        resources = {**resources, part: merged}
    return {**container, "resources": {name: part for name, part in resources.items() if part}}


def set_service_account(invocation):
    """Give pod templates another service account: the last word."""
    if len(invocation.args) < 2 and not (invocation.args and invocation.flags["filename"]):
        raise CommandError("serviceaccount is required")
    *words, account = invocation.args
    yield from change_each(invocation, words, lambda info: with_pod_spec(info, {**pod_spec(info), "serviceAccountName": account}), "serviceaccount updated")


def set_selector(invocation):
    """Give a Service another selector: the last word."""
    if not invocation.args:
        raise CommandError("one selector is required")
    if len(invocation.args) < 2 and not invocation.flags["filename"]:
        raise CommandError("resource(s) were provided, but no name was specified")
    *words, wanted = invocation.args

    def change(info):
        if info.resource.qualified == "services":
            return replaced(info.thing, dict(selector_of(wanted).get("matchLabels") or {}), "spec", "selector")
        if not at(info.thing, "spec", "selector"):
            raise CommandError(f"selector is not a settable field for {info.resource.kind}")
        return replaced(info.thing, selector_of(wanted), "spec", "selector")
    yield from change_each(invocation, words, change, "selector updated")


RESOURCES = {**FLAGS, "containers": text("*", "c"), "limits": text(), "requests": text()}
COMMANDS = {
    ("set", "resources"): Command(set_resources, "(-f FILENAME | TYPE NAME)  ([--limits=LIMITS & --requests=REQUESTS]", RESOURCES),
    ("set", "serviceaccount"): Command(set_service_account, "(-f FILENAME | TYPE NAME) SERVICE_ACCOUNT", FLAGS, (), ("sa",)),
    ("set", "selector"): Command(set_selector, "(-f FILENAME | TYPE NAME) EXPRESSIONS [--resource-version=version]", {**FLAGS, "resource-version": text()}),
}
