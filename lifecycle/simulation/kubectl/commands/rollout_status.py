"""kubectl rollout status (kubectl/pkg/polymorphichelpers/rollout_status.go)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.revisions import revision_number
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.flags import boolean, duration, number
from lifecycle.simulation.kubectl.options import FILES, SELECTOR, Command
from lifecycle.simulation.kubectl.watcher import Watcher
from lifecycle.simulation.objects import at, condition

ONLY_ROLLING = "rollout status is only available for RollingUpdate strategy type"


def status(invocation):
    """Say how far the rollout is, again with every change, until it is done."""
    if not invocation.args and not invocation.flags["filename"]:
        raise CommandError("required resource not specified")
    errors = []
    for info in (yield from selected(invocation, invocation.args, errors, everything=True)):
        try:
            yield from _follow(invocation, info)
        except CommandError as error:
            errors.append(error)
    raise_all(errors)


def _follow(invocation, info):
    flags = invocation.flags
    viewer = VIEWERS.get(info.resource.qualified)
    if viewer is None:
        kind = f"{info.resource.kind}.{info.resource.group}" if info.resource.group else info.resource.kind
        raise CommandError(f"no status viewer has been implemented for {kind}")
    watcher = Watcher(info.resource, info.namespace, info.name, invocation.now + flags["timeout"] if flags["timeout"] else None)
    while True:
        events = yield from watcher.events()
        if events is None:
            raise CommandError("timed out waiting for the condition")
        for event in events:
            if event["type"] == "DELETED":
                raise CommandError("object has been deleted")
            text, done = viewer(event["object"], flags["revision"])
            invocation.out(text)
            if done or not flags["watch"]:
                return


def _observed(thing):
    return thing["metadata"].get("generation", 0) <= at(thing, "status", "observedGeneration", default=0)


def deployment(thing, revision):
    """(text, whether the rollout is done)"""
    name, spec, found = thing["metadata"]["name"], thing["spec"], thing.get("status") or {}
    _check_revision(thing, revision)
    if not _observed(thing):
        return "Waiting for deployment spec update to be observed...", False
    if (condition(thing, "Progressing") or {}).get("reason") == "ProgressDeadlineExceeded":
        raise CommandError(f'deployment "{name}" exceeded its progress deadline')
    wanted, updated = spec.get("replicas", 1), found.get("updatedReplicas", 0)
    waiting = f'Waiting for deployment "{name}" rollout to finish: '
    if updated < wanted:
        return f"{waiting}{updated} out of {wanted} new replicas have been updated...", False
    if found.get("replicas", 0) > updated:
        return f"{waiting}{found['replicas'] - updated} old replicas are pending termination...", False
    if found.get("availableReplicas", 0) < updated:
        return f"{waiting}{found.get('availableReplicas', 0)} of {updated} updated replicas are available...", False
    return f'deployment "{name}" successfully rolled out', True


def _check_revision(thing, revision):
    running = revision_number(thing["metadata"].get("annotations"))
    if revision and revision != running:
        raise CommandError(f"desired revision ({revision}) is different from the running revision ({running})")


def daemon_set(thing, revision):
    name, found = thing["metadata"]["name"], thing["status"]
    if at(thing, "spec", "updateStrategy", "type") != "RollingUpdate":
        raise CommandError(ONLY_ROLLING)
    if not _observed(thing):
        return "Waiting for daemon set spec update to be observed...", False
    wanted, updated, available = found.get("desiredNumberScheduled", 0), found.get("updatedNumberScheduled", 0), found.get("numberAvailable", 0)
    waiting = f'Waiting for daemon set "{name}" rollout to finish: '
    if updated < wanted:
        return f"{waiting}{updated} out of {wanted} new pods have been updated...", False
    if available < wanted:
        return f"{waiting}{available} of {wanted} updated pods are available...", False
    return f'daemon set "{name}" successfully rolled out', True


def stateful_set(thing, revision):
    spec, found = thing["spec"], thing["status"]
    if at(spec, "updateStrategy", "type") != "RollingUpdate":
        raise CommandError(ONLY_ROLLING)
    if not found.get("observedGeneration") or not _observed(thing):
        return "Waiting for statefulset spec update to be observed...", False
    wanted, updated = spec.get("replicas", 1), found.get("updatedReplicas", 0)
    if found.get("readyReplicas", 0) < wanted:
        return f"Waiting for {wanted - found.get('readyReplicas', 0)} pods to be ready...", False
    partition = at(spec, "updateStrategy", "rollingUpdate", "partition")
    if at(spec, "updateStrategy", "rollingUpdate") is not None:
        if partition is not None and updated < wanted - partition:
            return f"Waiting for partitioned roll out to finish: {updated} out of {wanted - partition} new pods have been updated...", False
        return f"partitioned roll out complete: {updated} new pods have been updated...", True
    if found.get("updateRevision") != found.get("currentRevision"):
        return f"waiting for statefulset rolling update to complete {updated} pods at revision {found.get('updateRevision')}...", False
    return f"statefulset rolling update complete {found.get('currentReplicas', 0)} pods at revision {found.get('currentRevision')}...", True


VIEWERS = {"deployments.apps": deployment, "daemonsets.apps": daemon_set, "statefulsets.apps": stateful_set}
FLAGS = {**FILES, **SELECTOR, "revision": number(), "timeout": duration(), "watch": boolean("w", True)}
COMMANDS = {("rollout", "status"): Command(status, "(TYPE NAME | TYPE/NAME) [flags]", FLAGS)}
