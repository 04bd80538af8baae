"""kubectl rollout pause, resume, restart and undo (kubectl/pkg/cmd/rollout, pkg/polymorphichelpers)."""
from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.create import LAST_APPLIED
from lifecycle.simulation.kubectl.commands.revisions import REVISION, history_of, template_text
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, raise_all
from lifecycle.simulation.kubectl.flags import number
from lifecycle.simulation.kubectl.invocation import JSON_PATCH, STRATEGIC_PATCH
from lifecycle.simulation.kubectl.options import DRY_RUN, FILES, PRINTING, SELECTOR, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.objects import at, removed

HASH = "pod-template-hash"
RESTARTED = "kubectl.kubernetes.io/restartedAt"
OF_THE_OBJECT = (LAST_APPLIED, REVISION, "deployment.kubernetes.io/revision-history", "deployment.kubernetes.io/desired-replicas",
                 "deployment.kubernetes.io/max-replicas", "deprecated.deployment.rollback.to")
RESTARTABLE = ("deployments.apps", "daemonsets.apps", "statefulsets.apps")
MANAGED = ("resource {} was previously managed with 'kubectl apply'. Rolling back will not update the {} annotation, which may cause unexpected "
           "behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.")


def each(function):
    """A command that does something to every object it names: `function(invocation, info, report)`; errors do not stop the others."""
    def run(invocation):
        if not invocation.args and not invocation.flags["filename"]:
            raise CommandError("required resource not specified")
        report, errors = Report(invocation), []
        for info in (yield from selected(invocation, invocation.args, errors, everything=True)):
            try:
                yield from function(invocation, info, report)
            except CommandError as error:
                errors.append(error)
        raise_all(errors)
    return run


def refused(info, problem):
    return CommandError(f'{info.resource.qualified} "{info.name}" {problem}')


def pause(invocation, info, report):
    yield from _set_paused(invocation, info, report, True)


def resume(invocation, info, report):
    yield from _set_paused(invocation, info, report, None)


def _set_paused(invocation, info, report, paused):
    if info.resource.qualified != "deployments.apps":
        raise refused(info, "pausing is not supported" if paused else "resuming is not supported")
    if bool(at(info.thing, "spec", "paused")) == bool(paused):
        raise refused(info, "is already paused" if paused else "is not paused")
    thing = yield from _patched(invocation, info, {"spec": {"paused": paused}})
    report.done(info, thing, "paused" if paused else "resumed")


def restart(invocation, info, report):
    if info.resource.qualified not in RESTARTABLE:
        raise refused(info, "restarting is not supported")
    if at(info.thing, "spec", "paused"):
        raise refused(info, "can't restart paused deployment (run rollout resume first)")
    now = invocation.timestamp()
    if at(info.thing, "spec", "template", "metadata", "annotations", RESTARTED) == now:
        raise CommandError(f"failed to create patch for {info.name}: if restart has already been triggered within the past second, "
                           "please wait before attempting to trigger another")
    thing = yield from _patched(invocation, info, {"spec": {"template": {"metadata": {"annotations": {RESTARTED: now}}}}})
    report.done(info, thing, "restarted")


def _patched(invocation, info, patch):
    try:
        return (yield from invocation.patch(info.path, patch, STRATEGIC_PATCH, invocation.write_query()))
    except ServerError as error:
        raise CommandError(f"failed to patch: {error.message}") from None


def undo(invocation, info, report):
    """Go back to an earlier template: the one before, or that of --to-revision."""
    annotations = info.thing["metadata"].get("annotations") or {}
    if LAST_APPLIED in annotations:
        invocation.warn(MANAGED.format(f"{info.resource.plural}/{info.name}", LAST_APPLIED))
    if info.resource.qualified not in RESTARTABLE:
        raise CommandError(f"no rollbacker has been implemented for {info.resource.kind!r}".replace("'", '"'))
    wanted = invocation.flags["to-revision"]
    if wanted < 0:
        raise _unknown_revision(wanted)
    live, history = yield from history_of(invocation, info)
    revision = _chosen(info, history, wanted)
    if invocation.dry_run == "client":
        report.done(info, live, template_text(revision.template))
        return
    if at(live, "spec", "paused"):
        raise CommandError("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
    if _without_hash(revision.template) == _without_hash(live["spec"]["template"]):
        report.done(info, live, f"skipped rollback (current template already matches revision {revision.number})")
        return
    patch, content_type = _undo_patch(live, revision)
    thing = yield from invocation.patch(info.path, patch, content_type, invocation.dry_run_query())
    report.done(info, thing, "rolled back")


def _unknown_revision(number):
    return CommandError(f"unable to find specified revision {number} in history")


def _chosen(info, history, wanted):
    if wanted:
        found = [revision for revision in history if revision.number == wanted]
        if not found:
            raise _unknown_revision(wanted)
        return found[0]
    if len(history) < 2:
        deployment = info.resource.qualified == "deployments.apps"
        raise CommandError(f'no rollout history found for deployment "{info.name}"' if deployment else "no last revision to roll back to")
    return history[-2]


def _without_hash(template):
    found = removed(template, "metadata", "labels", HASH)
    return removed(found, "metadata", "creationTimestamp")


def _undo_patch(live, revision):
    """For a Deployment the template and annotations of its ReplicaSet, for others the patch that their ControllerRevision keeps."""
    if revision.patch is not None:
        return revision.patch, STRATEGIC_PATCH
    own = live["metadata"].get("annotations") or {}
    annotations = {key: value for key, value in revision.annotations.items() if key not in OF_THE_OBJECT}
    annotations.update({key: own[key] for key in OF_THE_OBJECT if key in own})
    return [{"op": "replace", "path": "/spec/template", "value": _without_hash(revision.template)},
            {"op": "replace", "path": "/metadata/annotations", "value": dict(sorted(annotations.items()))}], JSON_PATCH


FLAGS = {**FILES, **SELECTOR, **PRINTING, **field_manager("kubectl-rollout")}
COMMANDS = {
    ("rollout", "pause"): Command(each(pause), "RESOURCE", FLAGS),
    ("rollout", "resume"): Command(each(resume), "RESOURCE", FLAGS),
    ("rollout", "restart"): Command(each(restart), "RESOURCE", FLAGS),
    ("rollout", "undo"): Command(each(undo), "(TYPE NAME | TYPE/NAME) [flags]", {**FILES, **SELECTOR, **PRINTING, **DRY_RUN, "to-revision": number()}),
}
