"""kubectl create quota, poddisruptionbudget and priorityclass."""
import re

from lifecycle.simulation.kubectl.commands.create import subcommand
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, number, text
from lifecycle.simulation.label_selector_text import SelectorError, parsed_requirements


def quota(invocation, name):
    hard = {}
    for word in filter(None, invocation.flags["hard"].split(",")):
        resource, equals, value = word.partition("=")
        if not equals:
            raise CommandError(f"Invalid argument syntax {word}, expected <resource>=<value>")
        hard[resource] = value
    scopes = [word for word in invocation.flags["scopes"].split(",") if word]
    spec = {**({"hard": hard} if hard else {}), **({"scopes": scopes} if scopes else {})}
    return {"metadata": {"name": name}, "spec": spec, "status": {}}


def disruption_budget(invocation, name):
    flags = invocation.flags
    if not flags["selector"]:
        raise CommandError("a selector must be specified")
    if not flags["min-available"] and not flags["max-unavailable"]:
        raise CommandError("one of min-available or max-unavailable must be specified")
    if flags["min-available"] and flags["max-unavailable"]:
        raise CommandError("min-available and max-unavailable cannot be both specified")
    limit = {field: _number_or_percent(flags[flag], flag) for field, flag in (("minAvailable", "min-available"), ("maxUnavailable",
                                                                                                                  "max-unavailable")) if flags[flag]}
    status = {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}
    return {"metadata": {"name": name}, "spec": {**limit, "selector": selector_of(flags["selector"])}, "status": status}


def _number_or_percent(value, flag):
    if not re.fullmatch(r"[0-9]+%?", value):
        raise CommandError(f"invalid format specified for {flag}")
    return value if value.endswith("%") else int(value)


def selector_of(words):
    """The LabelSelector of "a=b,c in (d)" as kubectl makes it: what is equality goes to matchLabels."""
    labels, expressions = {}, []
    try:
        requirements = parsed_requirements(words)
    except SelectorError as error:
        raise CommandError(f'couldn\'t parse the selector string "{words}": {error}') from None
    for key, operator, values in requirements:
        if operator == "In" and len(values) == 1:
            labels[key] = values[0]
        else:
            expressions.append({"key": key, "operator": operator, **({"values": list(values)} if values else {})})
    return {**({"matchLabels": labels} if labels else {}), **({"matchExpressions": expressions} if expressions else {})}


def priority_class(invocation, name):
    flags = invocation.flags
    return {"metadata": {"name": name}, "value": flags["value"], **({"globalDefault": True} if flags["global-default"] else {}),
            **({"description": flags["description"]} if flags["description"] else {}), "preemptionPolicy": flags["preemption-policy"]}


BUDGET = {"min-available": text(), "max-unavailable": text(), "selector": text()}
PRIORITY = {"value": number(), "global-default": boolean(), "description": text(), "preemption-policy": text("PreemptLowerPriority")}
COMMANDS = {
    ("create", "quota"): subcommand("ResourceQuota", quota, {"hard": text(), "scopes": text()}, aliases=("resourcequota",), what="quota:"),
    ("create", "poddisruptionbudget"): subcommand("PodDisruptionBudget", disruption_budget, BUDGET, (), ("pdb",), "policy/v1", what="poddisruptionbudgets:"),
    ("create", "priorityclass"): subcommand("PriorityClass", priority_class, PRIORITY, (), ("pc",), "scheduling.k8s.io/v1"),
}
