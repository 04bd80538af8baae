"""Who a Pod of a StatefulSet is: its ordinal, its name, its volumes (pkg/controller/statefulset/stateful_set_utils.go)."""
import re

from ....objects import at
from ..controller_revisions import template_of
from ..pod_bodies import pod_from_template, with_labels

REVISION, NAME, INDEX = "controller-revision-hash", "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"
_NAME = re.compile(r"(.*)-([0-9]+)")


def ordinal_of(pod, stateful_set):
    """The Pod's place in the row; -1 if its name is not one that the StatefulSet gives."""
    found = _NAME.fullmatch(pod["metadata"]["name"])
    return int(found[2]) if found and found[1] == stateful_set["metadata"]["name"] else -1


def ordinals(stateful_set):
    """The places that are to be filled."""
    start = (stateful_set["spec"].get("ordinals") or {}).get("start", 0)
    return range(start, start + stateful_set["spec"]["replicas"])


def revision_name(pod):
    """The name of the ControllerRevision from which the Pod was made."""
    return (pod["metadata"].get("labels") or {}).get(REVISION, "")


def identity_labels(stateful_set, ordinal):
    return {INDEX: str(ordinal), NAME: f"{stateful_set['metadata']['name']}-{ordinal}"}


def stateful_pod(stateful_set, revision, ordinal):
    """The Pod for a place, made from a ControllerRevision."""
    name, service = f"{stateful_set['metadata']['name']}-{ordinal}", stateful_set["spec"].get("serviceName")
    pod = pod_from_template(template_of(revision), stateful_set)
    pod = with_labels(pod, {**identity_labels(stateful_set, ordinal), REVISION: revision["metadata"]["name"]})
    volumes = _volumes(stateful_set, ordinal, pod["spec"].get("volumes") or [])
    spec = {**pod["spec"], "hostname": name, **({"subdomain": service} if service else {}), **({"volumes": volumes} if volumes else {})}
    return {**pod, "metadata": {"name": name, **pod["metadata"]}, "spec": spec}


def _volumes(stateful_set, ordinal, volumes):
    """A volume for each claim template, in the place of one of the template with the same name."""
    claims = {_name(template): claim_name(stateful_set, template, ordinal) for template in stateful_set["spec"].get("volumeClaimTemplates") or ()}
    own = [{"name": name, "persistentVolumeClaim": {"claimName": claim}} for name, claim in claims.items()]
    return [*own, *(volume for volume in volumes if volume["name"] not in claims)]


def _name(template):
    """The name of a claim template; nobody checks that it has one."""
    return at(template, "metadata", "name", default="")


def claim_name(stateful_set, template, ordinal):
    return f"{_name(template)}-{stateful_set['metadata']['name']}-{ordinal}"


def claim_names(stateful_set, ordinal):
    return [claim_name(stateful_set, template, ordinal) for template in stateful_set["spec"].get("volumeClaimTemplates") or ()]


def new_claim(stateful_set, template, ordinal):
    """The PersistentVolumeClaim of a claim template for a place."""
    meta = template.get("metadata") or {}
    labels = {**(meta.get("labels") or {}), **(stateful_set["spec"]["selector"].get("matchLabels") or {})}
    given = {**({"labels": labels} if labels else {}), **({"annotations": meta["annotations"]} if meta.get("annotations") else {})}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {
        "name": claim_name(stateful_set, template, ordinal), "namespace": stateful_set["metadata"]["namespace"], **given}, "spec": template["spec"]}
