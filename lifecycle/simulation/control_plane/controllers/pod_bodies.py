"""The Pod that a controller creates from its template (pkg/controller/controller_utils.go GetPodFromTemplate)."""
from ...objects import owner_reference

LONGEST = 253


def pod_from_template(template, owner, prefix=None):
    """A Pod with a name to generate after `prefix`, by default the owner's name; no longer prefix than names may have."""
    meta = template.get("metadata") or {}
    given = {field: meta[field] for field in ("labels", "annotations", "finalizers") if meta.get(field)}
    name = owner["metadata"]["name"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {
        "generateName": prefix or (f"{name}-" if len(name) < LONGEST else name), "namespace": owner["metadata"]["namespace"], **given,
        "ownerReferences": [owner_reference(owner)]}, "spec": template["spec"]}


def with_labels(pod, labels):
    """The Pod with more labels, sorted as the API server would write them."""
    meta = pod["metadata"]
    return {**pod, "metadata": {**meta, "labels": dict(sorted({**(meta.get("labels") or {}), **labels}.items()))}}
