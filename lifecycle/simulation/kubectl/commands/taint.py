"""kubectl taint (kubectl/pkg/cmd/taint)."""
from lifecycle.simulation.kubectl.arguments import fetched, listed
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.files import Info, field_validation
from lifecycle.simulation.kubectl.flags import boolean
from lifecycle.simulation.kubectl.invocation import STRATEGIC_PATCH
from lifecycle.simulation.kubectl.options import ALL, DRY_RUN, PRINTING, SELECTOR, VALIDATE, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import replaced
from lifecycle.simulation.resources import resource

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def taint(invocation):
    """Set and remove taints of nodes."""
    words, changes = _split(invocation.args)
    if not words:
        raise CommandError("one or more resources must be specified as <resource> <name>")
    if not changes:
        raise CommandError("at least one taint update is required")
    found = invocation.discovery.find(words[0])
    if found.qualified != "nodes":
        raise CommandError(f"invalid resource type {words[0]}, only node types are supported")
    added, gone = _parsed(invocation, changes)
    report, errors = Report(invocation), []
    for node in (yield from _nodes(invocation, words[1:], errors)):
        try:
            yield from _taint_one(invocation, node, added, gone, report)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _split(args):
    for place, word in enumerate(args):
        if place and ("=" in word or ":" in word or word.endswith("-")):
            return args[:place], args[place:]
    return args, []


def _nodes(invocation, names, errors):
    nodes, flags = resource("nodes"), invocation.flags
    if not names and not flags["all"] and not flags["selector"]:
        raise CommandError("at least one resource name must be specified since 'all' parameter is not set")
    if not names:
        return (yield from listed(invocation, [nodes], errors))
    return (yield from fetched(invocation, [Info(nodes, "", name) for name in names], errors))


def _parsed(invocation, changes):
    """(taints to set, (key, effect) to remove; the effect is "" for all)."""
    added, gone = [], []
    for word in changes:
        if word.endswith("-"):
            key, _, effect = word[:-1].partition(":")
            gone.append((key.partition("=")[0], effect))
            continue
        pair, colon, effect = word.partition(":")
        key, _, value = pair.partition("=")
        if not colon or not key:
            raise invocation.usage_error(f"invalid taint spec: {word}")
        if effect not in EFFECTS:
            raise invocation.usage_error(f"invalid taint effect: {effect}, unsupported taint effect")
        added.append({"effect": effect, "key": key, **({"value": value} if value else {})})
    return added, gone


def _taint_one(invocation, node, added, gone, report):
    old = node.thing["spec"].get("taints") or []
    taken = [one["key"] for one in added if any(_same(one, known) for known in old)]
    if taken and not invocation.flags["overwrite"]:
        raise CommandError(f"node {node.name} already has {', '.join(dict.fromkeys(taken))} taint(s) with same effect(s) and --overwrite is false")
    for key, effect in gone:
        if not any(known["key"] == key and effect in ("", known["effect"]) for known in old):
            raise CommandError(f'taint "{key}:{effect}" not found' if effect else f'taint "{key}" not found')
    kept = [known for known in old if not any(_same(one, known) for one in added)
            and not any(known["key"] == key and effect in ("", known["effect"]) for key, effect in gone)]
    taints = added + kept
    thing = replaced(node.thing, taints, "spec", "taints")
    if invocation.dry_run != "client":
        query = {**invocation.write_query(), "fieldValidation": field_validation(invocation)}
        thing = yield from invocation.patch(node.path, {"spec": {"taints": taints or None}}, STRATEGIC_PATCH, query)
    report.done(node, thing, "modified" if taken or (added and gone) else "tainted" if added else "untainted")


def _same(one, other):
    return (one["key"], one["effect"]) == (other["key"], other["effect"])


FLAGS = {**ALL, **SELECTOR, **DRY_RUN, **PRINTING, **VALIDATE, **field_manager("kubectl-taint"), "overwrite": boolean()}
COMMANDS = {("taint",): Command(taint, "NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N", FLAGS)}
