"""kubectl cordon and uncordon."""
from lifecycle.simulation.kubectl.arguments import fetched, listed
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.files import Info
from lifecycle.simulation.kubectl.invocation import STRATEGIC_PATCH
from lifecycle.simulation.kubectl.options import DRY_RUN, SELECTOR, Command
from lifecycle.simulation.kubectl.report import SUFFIXES
from lifecycle.simulation.resources import resource


def cordon(invocation):
    """Mark nodes as unschedulable."""
    yield from _set_all(invocation, True)


def uncordon(invocation):
    """Mark nodes as schedulable again."""
    yield from _set_all(invocation, False)


def _set_all(invocation, wanted):
    nodes = yield from chosen_nodes(invocation)
    for node in nodes:
        yield from set_unschedulable(invocation, node, wanted)


def chosen_nodes(invocation):
    """The Infos of the nodes that the command names or selects. Raises CommandError."""
    names, selector = invocation.args, invocation.flags["selector"]
    if not names and not selector:
        raise invocation.usage_error(f"USAGE: {invocation.name} NODE [flags]")
    if names and selector:
        raise CommandError("error: cannot specify both a node name and a --selector option")
    errors = []
    nodes = resource("nodes")
    if selector:
        found = yield from listed(invocation, [nodes], errors)
    else:
        found = yield from fetched(invocation, [Info(nodes, "", name.removeprefix("node/").removeprefix("nodes/")) for name in names], errors)
    raise_all(errors)
    return found


def set_unschedulable(invocation, node, wanted):
    """Cordon or uncordon one node and say so."""
    word = "cordoned" if wanted else "uncordoned"
    if bool(node.thing["spec"].get("unschedulable")) == wanted:
        invocation.out(f"node/{node.name} already {word}{SUFFIXES[invocation.dry_run]}")
        return
    if invocation.dry_run != "client":
        yield from invocation.patch(node.path, {"spec": {"unschedulable": True if wanted else None}}, STRATEGIC_PATCH, invocation.dry_run_query())
    invocation.out(f"node/{node.name} {word}{SUFFIXES[invocation.dry_run]}")


FLAGS = {**DRY_RUN, **SELECTOR}
COMMANDS = {("cordon",): Command(cordon, "NODE", FLAGS), ("uncordon",): Command(uncordon, "NODE", FLAGS)}
