"""The ReplicaSets of a Deployment: which is the new one, which are old, and how the new one is made (pkg/controller/deployment/util)."""
from typing import NamedTuple

from ....objects import owner_reference, removed, replaced
from ..pod_template import LABEL, pod_template_hash
from .revisions import annotated

MAX_INT32 = 2_147_483_647
LONGEST_NAME = 253


class Rollout(NamedTuple):
    """A Deployment with its ReplicaSets: `new` has its present template (None if there is none yet), `old` are the others, oldest first."""

    deployment: dict
    new: dict | None
    old: list

    @property
    def all(self):
        return [*self.old, self.new] if self.new else self.old

    @property
    def active(self):
        """Those with replicas to keep."""
        return [each for each in self.all if size(each)]

    @property
    def wanted(self):
        return self.deployment["spec"]["replicas"]


def size(replica_set):
    """`spec.replicas`, 0 for None."""
    return replica_set["spec"]["replicas"] if replica_set else 0


def total(replica_sets, field):
    """The sum of a number in the ReplicaSets' status."""
    return sum((each.get("status") or {}).get(field, 0) for each in replica_sets if each)


def rollout_of(deployment, replica_sets):
    """The Rollout of a Deployment and the ReplicaSets that it controls."""
    ordered = sorted(replica_sets, key=lambda each: (each["metadata"]["creationTimestamp"], each["metadata"]["name"]))
    template = deployment["spec"]["template"]
    new = next((each for each in ordered if _template(each) == template), None)
    return Rollout(deployment, new, [each for each in ordered if each is not new])


_templates = {}         # id(template) -> (template, template without the hash)


def _template(replica_set):
    """The Pod template without the label that tells ReplicaSets apart."""
    template = replica_set["spec"]["template"]
    known = _templates.get(id(template))
    if known is None:
        if len(_templates) > 4096:
            _templates.clear()
        known = _templates[id(template)] = (template, removed(template, "metadata", "labels", LABEL))
    return known[1]


def same_template(replica_set, deployment):
    return _template(replica_set) == deployment["spec"]["template"]


def new_replica_set(rollout, revision, replicas):
    """The ReplicaSet to create for the present template; its name ends with the template's hash."""
    deployment = rollout.deployment
    meta, spec = deployment["metadata"], deployment["spec"]
    hash = pod_template_hash(spec["template"], (deployment.get("status") or {}).get("collisionCount", 0))
    template = replaced(spec["template"], hash, "metadata", "labels", LABEL)
    made = {
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {"name": f"{meta['name'][:LONGEST_NAME - len(hash) - 1]}-{hash}", "namespace": meta["namespace"], "labels": template["metadata"]["labels"],
                     "ownerReferences": [owner_reference(deployment)]},
        "spec": {"replicas": replicas, **({"minReadySeconds": spec["minReadySeconds"]} if spec.get("minReadySeconds") else {}),
                 "selector": replaced(spec["selector"], hash, "matchLabels", LABEL), "template": template},
        "status": {"replicas": 0}}
    return annotated(deployment, made, revision)
