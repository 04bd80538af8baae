"""kubectl top: what nodes and Pods use, as metrics.k8s.io says (kubectl/pkg/cmd/top, metricsutil/metrics_printer.go)."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.kubectl.commands.api_resources import discover
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import ALL_NAMESPACES, FIELD_SELECTOR, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.tables import MINIMUM, PADDING
from lifecycle.simulation.kubectl.printing.tabwriter import align
from lifecycle.simulation.quantities import add, milli, value
from lifecycle.simulation.resources import resource

METRICS = "/apis/metrics.k8s.io/v1beta1"
NO_METRICS = "Metrics API not available"
MIB = 1 << 20
PATIENCE = 120_000               # ms after which a Pod without metrics is an error
NODE_COLUMNS = ("NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)")
POD_COLUMNS = ("CPU(cores)", "MEMORY(bytes)")
SORTS = ("", "cpu", "memory")
SUM = "________"


def _begin(invocation):
    """Check what was typed, and that there are metrics at all."""
    if invocation.flags["sort-by"] not in SORTS:
        raise CommandError("--sort-by accepts only cpu or memory")
    if len(invocation.args) > 1:
        raise invocation.usage_error(f"unexpected arguments: [{' '.join(invocation.args[1:])}]")
    if invocation.args and (invocation.flags["selector"] or invocation.flags.get("all-namespaces")):
        raise CommandError("only one of NAME or selector can be provided")
    yield from discover(invocation)
    if not any(row.group == "metrics.k8s.io" for row in invocation.discovery.resources):
        raise CommandError(NO_METRICS)


def _selected(invocation):
    flags = invocation.flags
    return {name: flags[flag] for name, flag in (("labelSelector", "selector"), ("fieldSelector", "field-selector")) if flags.get(flag)}


def top_node(invocation):
    """Print what each node uses, and how much that is of what Pods may use."""
    yield from _begin(invocation)
    name = invocation.args[0] if invocation.args else None
    found = yield from _fetch(invocation, f"{METRICS}/nodes", name)
    nodes = yield from _fetch(invocation, resource("nodes").path(), name)
    if not found:
        raise CommandError("metrics not available yet")
    usage = {one["metadata"]["name"]: one["usage"] for one in found}
    limits = "capacity" if invocation.flags["show-capacity"] else "allocatable"
    available = {node["metadata"]["name"]: node["status"][limits] for node in nodes}
    lines = [(one, *_cells(usage[one], available.get(one, {}))) for one in _sorted(invocation, usage)]
    lines += [(one, *["<unknown>"] * 4) for one in available if one not in usage]
    _print(invocation, NODE_COLUMNS, lines)


def top_pod(invocation):
    """Print what each Pod uses, or each container."""
    yield from _begin(invocation)
    flags, name = invocation.flags, invocation.args[0] if invocation.args else None
    place = "" if flags["all-namespaces"] else f"/namespaces/{invocation.namespace}"
    found = yield from _fetch(invocation, f"{METRICS}{place}/pods", name)
    if not found:
        yield from _explain_nothing(invocation, name)
        return
    pods = {(one["metadata"]["namespace"], one["metadata"]["name"]): one["containers"] for one in found}
    whole = {key: _total(containers) for key, containers in pods.items()}
    lines = []
    for key in _sorted(invocation, whole):
        front = key if flags["all-namespaces"] else key[1:]
        if flags["containers"]:
            lines += [(*front, one["name"], *_cells(one["usage"])) for one in pods[key]]
        else:
            lines.append((*front, *_cells(whole[key])))
    names = (*(("NAMESPACE",) if flags["all-namespaces"] else ()), *(("POD", "NAME") if flags["containers"] else ("NAME",)), *POD_COLUMNS)
    if flags["sum"]:
        blank = ("",) * (len(names) - 2)
        lines += [(*blank, SUM, SUM), (*blank, *_cells(_total([{"usage": usage} for usage in whole.values()])))]
    _print(invocation, names, lines)


def _fetch(invocation, path, name):
    """The items at a path, or the one of a name."""
    if name:
        return [(yield from invocation.get(f"{path}/{name}"))]
    return (yield from invocation.get(path, _selected(invocation)))["items"]


def _explain_nothing(invocation, name):
    """No Pod has metrics: either there are none, or they are too young."""
    place = None if invocation.flags["all-namespaces"] else invocation.namespace
    pods = yield from _fetch(invocation, resource("pods").path(place), name)
    if not pods:
        invocation.err("No resources found" + (f" in {place} namespace." if place else ""))
        return
    for pod in pods:
        meta = pod["metadata"]
        age = invocation.now - invocation.clock.parse(meta["creationTimestamp"])
        told = f"Metrics not available for pod {meta['namespace']}/{meta['name']}, age: {human_duration(age)}"
        if age > PATIENCE:
            raise CommandError(told)
    raise CommandError("metrics not available yet")


def _total(containers):
    total = {"cpu": "0", "memory": "0"}
    for one in containers:
        total = {name: add(total[name], one["usage"].get(name, "0")) for name in total}
    return total


def _sorted(invocation, usage):
    """The keys in order of name, or the greatest use first."""
    by = invocation.flags["sort-by"]
    keys = sorted(usage)
    return sorted(keys, key=lambda key: -milli(usage[key][by])) if by else keys


def _cells(usage, available=None):
    cpu, memory = milli(usage["cpu"]), value(usage["memory"])
    if available is None:
        return f"{cpu}m", f"{memory // MIB}Mi"
    return f"{cpu}m", _share(cpu, milli(available.get("cpu", "0"))), f"{memory // MIB}Mi", _share(memory, value(available.get("memory", "0")))


def _share(used, available):
    return f"{used * 100 // available}%" if available else "<unknown>"


def _print(invocation, names, lines):
    rows = [*([] if invocation.flags["no-headers"] else [names]), *lines]
    invocation.write("out", align("".join("\t".join((*row, "")) + "\n" for row in rows), MINIMUM, PADDING))


FLAGS = {**SELECTOR, **FIELD_SELECTOR, "no-headers": boolean(), "sort-by": text(), "use-protocol-buffers": boolean(default=True)}
COMMANDS = {
    ("top", "node"): Command(top_node, "[NAME | -l label]", {**FLAGS, "show-capacity": boolean()}, (), ("nodes", "no")),
    ("top", "pod"): Command(top_pod, "[NAME | -l label]", {**FLAGS, **ALL_NAMESPACES, "containers": boolean(), "sum": boolean()}, (), ("pods", "po")),
}
