"""The revisions that a workload has had: a Deployment's ReplicaSets, the ControllerRevisions of the others."""
from typing import NamedTuple

from lifecycle.simulation.kubectl.arguments import with_kind
from lifecycle.simulation.kubectl.merging import merged
from lifecycle.simulation.kubectl.printing.describe.page import Page
from lifecycle.simulation.kubectl.printing.describe.pods import pod_template
from lifecycle.simulation.label_text import requirements
from lifecycle.simulation.objects import controller_of, replaced
from lifecycle.simulation.resources import resource

REVISION = "deployment.kubernetes.io/revision"
CHANGE_CAUSE = "kubernetes.io/change-cause"


class Revision(NamedTuple):
    """`thing` is the ReplicaSet, or the object as it was then; `patch` is what makes an object have this template, or None for a ReplicaSet's."""

    number: int
    template: dict
    annotations: dict
    thing: dict
    patch: dict | None = None


def history_of(invocation, info):
    """(the object, its Revisions, oldest first), as the server has them now."""
    live = yield from invocation.read(info.resource, info.namespace, info.name)
    deployment = info.resource.qualified == "deployments.apps"
    kept = resource("replicasets.apps" if deployment else "controllerrevisions.apps")
    selector = ",".join(requirements(live["spec"].get("selector")))
    answer = yield from invocation.get(kept.path(info.namespace), {"labelSelector": selector})
    owned = [with_kind(item, kept) for item in answer["items"] if (controller_of(item) or {}).get("uid") == live["metadata"]["uid"]]
    history = [_of_replica_set(item) for item in owned] if deployment else [_of_controller_revision(item, live) for item in owned]
    return live, sorted(history, key=lambda revision: revision.number)


def _of_replica_set(thing):
    annotations = thing["metadata"].get("annotations") or {}
    return Revision(revision_number(annotations), thing["spec"]["template"], annotations, thing)


def revision_number(annotations):
    """The revision that a Deployment or ReplicaSet says it is; 0 if it does not."""
    said = (annotations or {}).get(REVISION, "")
    return int(said) if said.isdecimal() else 0


def _of_controller_revision(thing, live):
    then = merged(live, thing["data"])
    return Revision(thing["revision"], then["spec"]["template"], thing["metadata"].get("annotations") or {}, then, thing["data"])


def template_text(template, cause=None):
    """A pod template as `rollout history --revision` describes it, with its tabs."""
    if cause:
        template = replaced(template, cause, "metadata", "annotations", CHANGE_CAUSE)
    page = Page(None, None)
    pod_template(page, template)
    return "".join(page.parts)
