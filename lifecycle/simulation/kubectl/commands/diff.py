"""kubectl diff: what apply would change (kubectl/pkg/cmd/diff)."""
from difflib import unified_diff

from lifecycle.simulation.kubectl.commands.apply import last_applied
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.files import infos, required_files
from lifecycle.simulation.kubectl.merging import three_way
from lifecycle.simulation.kubectl.options import FILES, SELECTOR, Command, field_manager
from lifecycle.simulation.kubectl.printing.formats import without_managed_fields
from lifecycle.simulation.kubectl.printing.yaml_text import to_yaml
from lifecycle.simulation.objects import replaced


def diff(invocation):
    """Print a unified diff for every object; exit code 1 if there is a difference, one more than elsewhere for what goes wrong."""
    try:
        return (yield from _diff(invocation))
    except CommandError as error:
        error.exit += 1
        raise


def _diff(invocation):
    errors, differs = [], False
    for info in infos(invocation, required_files(invocation), errors):
        try:
            live, merged = yield from _versions(invocation, info)
        except CommandError as error:
            errors.append(error)
            continue
        text = _difference(invocation, info, live, merged)
        differs = differs or bool(text)
        invocation.write("out", text)
    raise_all(errors)
    return int(differs)


def _versions(invocation, info):
    """(the object as it is, as it would be); the first is None if it does not exist."""
    query = {"dryRun": "All", "fieldManager": invocation.flags["field-manager"]}
    try:
        live = yield from invocation.read(info.resource, info.namespace, info.name)
    except ServerError as error:
        if not not_found(error):
            raise
        return None, (yield from invocation.post(info.collection, info.thing, query))
    wanted = replaced(info.thing, info.thing["metadata"].get("annotations") or {}, "metadata", "annotations")
    patch, content_type = three_way(last_applied(live), wanted, live)
    if not patch:
        return live, live
    patch = replaced(patch, live["metadata"]["resourceVersion"], "metadata", "resourceVersion")
    return live, (yield from invocation.patch(info.path, patch, content_type, query))


def _difference(invocation, info, live, merged):
    group, _, version = info.resource.api_version.rpartition("/")
    name = ".".join(part for part in (group, version, info.resource.kind, info.namespace, info.name) if part)
    old, new = ([] if thing is None else to_yaml(without_managed_fields(thing)).splitlines(keepends=True) for thing in (live, merged))
    stamp = f"{invocation.timestamp().replace('T', ' ').removesuffix('Z')}.000000000 +0000"
    lines = list(unified_diff(old, new, f"/tmp/LIVE/{name}", f"/tmp/MERGED/{name}", stamp, stamp))
    return f"diff -u -N /tmp/LIVE/{name} /tmp/MERGED/{name}\n{''.join(lines)}" if lines else ""


FLAGS = {**FILES, **SELECTOR, **field_manager("kubectl-client-side-apply")}
COMMANDS = {("diff",): Command(diff, "-f FILENAME", FLAGS)}
