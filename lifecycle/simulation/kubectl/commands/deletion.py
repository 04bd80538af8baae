"""Deleting objects and waiting until they are gone: what delete, replace --force and drain share."""
from lifecycle.simulation.kubectl.discovery import typed_name
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.watcher import Watcher

POLICIES = {"background": "Background", "foreground": "Foreground", "orphan": "Orphan", "true": "Background", "false": "Orphan"}
FOR_EVER = 7 * 24 * 3600 * 1000
BY_FORCE = ("Immediate deletion does not wait for confirmation that the running resource has been terminated. "
            "The resource may continue to run on the cluster indefinitely.")


def policy(invocation):
    """The propagation policy that --cascade names."""
    given = invocation.flags["cascade"]
    if given not in POLICIES:
        raise CommandError(f'invalid cascade value ({given}). Must be "background", "foreground", or "orphan"')
    return POLICIES[given]


def delete_options(grace, policy, dry_run=False):
    """The body of a DELETE; a negative `grace` leaves it to the server."""
    options = {"gracePeriodSeconds": grace, "propagationPolicy": policy, "dryRun": ["All"] if dry_run else None}
    return {name: value for name, value in options.items() if value is not None and (name != "gracePeriodSeconds" or value >= 0)}


def deleted_line(info, forced=False, suffix=""):
    """`pod "web" deleted from default namespace`"""
    place = f" from {info.namespace} namespace" if info.resource.namespaced else ""
    return f'{typed_name(info.resource)} "{info.name}" {"force " if forced else ""}deleted{place}{suffix}'


def uid_of(answer):
    """The uid in the answer to a DELETE: of the object, or in a Status's details."""
    return (answer.get("details") or {}).get("uid") or (answer.get("metadata") or {}).get("uid") or ""


def wait_until_gone(invocation, info, uid, until):
    """Wait for an object with this uid to be removed; `until` is a virtual time. Raises CommandError when that has come."""
    reply = yield from invocation.ask("GET", info.path)
    if reply.code == 404:
        return
    live = reply.body
    if uid and live["metadata"]["uid"] != uid:
        return
    watcher = Watcher(info.resource, info.namespace, info.name, until)
    while True:
        events = yield from watcher.events()
        if events is None:
            raise CommandError(f"timed out waiting for the condition on {info.resource.plural}/{info.name}")
        if not events or any(event["type"] == "DELETED" for event in events):
            return
