"""kubectl apply --server-side: the server merges, and knows who set which field."""
from lifecycle.simulation.kubectl.commands.create import LAST_APPLIED, plain_text
from lifecycle.simulation.kubectl.errors import CommandError, PlainError, ServerError
from lifecycle.simulation.kubectl.files import field_validation
from lifecycle.simulation.kubectl.invocation import APPLY_PATCH, JSON_PATCH
from lifecycle.simulation.kubectl.ownership_migration import migration
from lifecycle.simulation.kubectl.process import Request

MANAGER = "kubectl"
LAST_APPLIED_MANAGER = "kubectl-last-applied"
MOST_TRIES = 5
NOT_MIGRATED = ("Warning: server rejected managed fields migration to Server-Side Apply. This is non-fatal and will be retried next time you apply. "
                "Error: {}")
ADVICE = """Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the `--force-conflicts` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"""


def apply_on_server(invocation, info, report):
    """One PATCH with the object as it is in the file."""
    if not info.name:
        raise CommandError("metadata.name is required when using server-side apply" if not info.thing["metadata"].get("generateName")
                           else f"from {info.thing['metadata']['generateName']}: cannot use generate name with apply")
    if info.thing["metadata"].get("managedFields"):
        raise CommandError("metadata.managedFields must be nil")
    flags = invocation.flags
    manager = flags["field-manager"] if "field-manager" in invocation.given else MANAGER
    query = {**invocation.write_query(manager), "fieldValidation": field_validation(invocation), "force": str(flags["force-conflicts"]).lower()}
    reply = yield from invocation.ask("PATCH", info.path, query, info.thing, APPLY_PATCH)
    if not reply.ok:
        raise _conflict(reply.body) if reply.reason == "Conflict" else ServerError(reply.body)
    thing = reply.body
    if manager == MANAGER and LAST_APPLIED in (thing["metadata"].get("annotations") or {}):
        thing = yield from _renew_last_applied(invocation, info, thing)
    if not invocation.dry_run:
        thing = yield from _migrated(invocation, info, thing, query)
    report.done(info, thing, "serverside-applied")


def _renew_last_applied(invocation, info, thing):
    """An object that was applied by the client before keeps its annotation up to date, under a manager of its own, once that is set up."""
    metadata = {name: info.thing["metadata"][name] for name in ("name", "namespace") if name in info.thing["metadata"]}
    annotations = {LAST_APPLIED: plain_text(info.thing)}
    body = {"apiVersion": info.thing["apiVersion"], "kind": info.thing["kind"], "metadata": {**metadata, "annotations": annotations}}
    seen = yield Request("GET", info.path, managed=True, quiet=True)
    if any(entry["manager"] == LAST_APPLIED_MANAGER for entry in seen.body["metadata"].get("managedFields") or ()):
        return thing
    query = {**invocation.write_query(LAST_APPLIED_MANAGER), "fieldValidation": field_validation(invocation)}
    return (yield from invocation.send("PATCH", info.path, query, body, APPLY_PATCH))


def _migrated(invocation, info, thing, query):
    """The object once the server-side manager owns what client-side apply did; then it is applied again, so that it keeps only what the file says."""
    for _ in range(MOST_TRIES):
        seen = yield Request("GET", info.path, managed=True, quiet=True)
        patch = migration(seen.body, query["fieldManager"]) if seen.ok else None
        if patch is None:
            return thing
        reply = yield from invocation.ask("PATCH", info.path, {name: query[name] for name in ("fieldManager", "fieldValidation")}, patch, JSON_PATCH)
        if reply.ok:
            return (yield from invocation.send("PATCH", info.path, query, info.thing, APPLY_PATCH))
        if reply.reason != "Conflict":
            break
    invocation.err(NOT_MIGRATED.format(reply.body.get("message", "")))
    return thing


def _conflict(body):
    return PlainError(f"error: {body['message']}\n{ADVICE}")
