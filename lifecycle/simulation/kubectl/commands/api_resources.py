"""kubectl api-resources and api-versions: what the server serves."""
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, listing, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.printing.tables import MINIMUM, PADDING
from lifecycle.simulation.kubectl.printing.tabwriter import align

HEADERS = ("NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND")
SORTS = {"": lambda row: (row.group, row.plural), "name": lambda row: row.plural, "kind": lambda row: row.kind}


def discover(invocation):
    """Ask for the discovery documents."""
    for path in ("/api", "/apis"):
        yield from invocation.ask("GET", path, {"timeout": "32s"})


def api_resources(invocation):
    """Print one line for each kind."""
    flags = invocation.flags
    if invocation.args:
        raise invocation.usage_error(f"unexpected arguments: [{' '.join(invocation.args)}]")
    if flags["output"] not in ("", "wide", "name"):
        raise CommandError(f"--output {flags['output']} is not available")
    if flags["sort-by"] not in SORTS:
        raise CommandError("--sort-by accepts only name or kind")
    yield from discover(invocation)
    rows = sorted((row for row in invocation.discovery.resources if _is_wanted(invocation, row)), key=SORTS[flags["sort-by"]])
    if flags["output"] == "name":
        lines = [row.qualified for row in rows]
    else:
        wide = flags["output"] == "wide"
        lines = [] if flags["no-headers"] else ["\t".join((*HEADERS, *(("VERBS", "CATEGORIES") if wide else ())))]
        lines += ["\t".join(_cells(row, wide)) for row in rows]
    invocation.write("out", align("".join(f"{line}\n" for line in lines), MINIMUM, PADDING))


def _is_wanted(invocation, row):
    flags, given = invocation.flags, invocation.given
    return (("api-group" not in given or row.group == flags["api-group"]) and ("namespaced" not in given or row.namespaced == flags["namespaced"])
            and set(flags["verbs"]) <= set(row.verbs) and set(flags["categories"]) <= set(row.categories))


def _cells(row, wide):
    more = (",".join(sorted(row.verbs)), ",".join(row.categories)) if wide else ()
    return row.plural, ",".join(row.short_names), row.api_version, str(row.namespaced).lower(), row.kind, *more


def api_versions(invocation):
    """Print every group and version."""
    if invocation.args:
        raise invocation.usage_error(f"unexpected arguments: [{' '.join(invocation.args)}]")
    yield from discover(invocation)
    for version in sorted({row.api_version for row in invocation.discovery.resources} | {"autoscaling/v1"}):
        invocation.out(version)


FLAGS = {"api-group": text(), "cached": boolean(), "categories": listing(), "namespaced": boolean(default=True), "no-headers": boolean(),
         "output": text(short="o"),
         "show-managed-fields": boolean(), "sort-by": text(), "verbs": listing()}
COMMANDS = {("api-resources",): Command(api_resources, "[flags]", FLAGS), ("api-versions",): Command(api_versions)}
