"""kubectl apply --server-side: the server merges, and knows who set which field."""
from lifecycle.simulation.kubectl.errors import CommandError, PlainError, ServerError
from lifecycle.simulation.kubectl.files import field_validation
from lifecycle.simulation.kubectl.invocation import APPLY_PATCH

MANAGER = "kubectl"
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
    report.done(info, reply.body, "serverside-applied")


def _conflict(body):
    return PlainError(f"error: {body['message']}\n{ADVICE}")
