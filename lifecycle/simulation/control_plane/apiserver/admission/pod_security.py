"""PodSecurity: namespaces ask for a standard with labels (k8s.io/pod-security-admission/admission/admission.go)."""
from ....objects import at
from ....resources import resource
from ..errors import forbidden, invalid
from ..validation.errors import INVALID, FieldError
from .namespaces import name_said
from .pod_standards import CHECKS, violations

PREFIX = "pod-security.kubernetes.io/"
MODES = ("enforce", "audit", "warn")
TEMPLATES = {
    "podtemplates": ("template",),
    "cronjobs.batch": ("spec", "jobTemplate", "spec", "template"),
    **dict.fromkeys(("deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps"), ("spec", "template")),
    **dict.fromkeys(("jobs.batch", "replicationcontrollers"), ("spec", "template")),
}


def check_pod(call, pod, old):
    """403 for what the namespace does not allow, a warning for what it warns of."""
    if old is not None and (call.request.subresource or pod["spec"] == old["spec"]):
        return
    level, version = _wanted(call, "enforce")
    found = violations(level, pod["metadata"], pod["spec"])
    if found:
        raise forbidden(call.resource, name_said(pod), f'violates PodSecurity "{level}:{version}": {_told(found)}')
    _warn(call, pod["metadata"], pod["spec"])


def warn_about_template(call, thing, old):
    """Workloads are never refused, only their Pods."""
    template = at(thing, *TEMPLATES[call.resource.qualified])
    if template and template.get("spec") and not call.request.trusted:
        _warn(call, template.get("metadata") or {}, template["spec"])


def _warn(call, metadata, spec):
    level, version = _wanted(call, "warn")
    found = violations(level, metadata, spec)
    if found:
        call.warnings.append(f'would violate PodSecurity "{level}:{version}": {_told(found)}')


def _told(found):
    return ", ".join(f"{reason} ({detail})" for reason, detail in found)


def _wanted(call, mode):
    """(level, version) that the labels of the namespace ask for."""
    namespace = call.stored(resource("namespaces"), "", call.namespace)
    return _said((namespace or {"metadata": {}})["metadata"].get("labels") or {}, mode)


def _said(labels, mode):
    level = labels.get(PREFIX + mode, "privileged")
    return (level if level in CHECKS else "restricted"), labels.get(f"{PREFIX}{mode}-version", "latest")


# -- namespaces ------------------------------------------------------------------------------------------------------------
def check_namespace(call, namespace, old):
    """422 for levels that do not exist; warnings about Pods that are there already."""
    labels = namespace["metadata"].get("labels") or {}
    wrong = [FieldError(INVALID, f"metadata.labels[{PREFIX}{mode}]", labels[PREFIX + mode], "must be one of privileged, baseline, restricted")
             for mode in MODES if labels.get(PREFIX + mode, "privileged") not in CHECKS]
    if wrong:
        raise invalid(call.resource, namespace["metadata"].get("name", ""), wrong)
    if old is not None and _said(labels, "enforce") != _said(old["metadata"].get("labels") or {}, "enforce"):
        _warn_of_existing(call, namespace["metadata"]["name"], *_said(labels, "enforce"))


def _warn_of_existing(call, name, level, version):
    groups = {}
    for pod in call.etcd.range(resource("pods").prefix(name)):
        reasons = ", ".join(reason for reason, _ in violations(level, pod["metadata"], pod["spec"]))
        if reasons:
            groups.setdefault(reasons, []).append(pod["metadata"]["name"])
    if groups:
        call.warnings.append(f'existing pods in namespace "{name}" violate the new PodSecurity enforce level "{level}:{version}"')
    for reasons, pods in groups.items():
        call.warnings.append(f"{pods[0]}{_others(len(pods) - 1)}: {reasons}")


def _others(count):
    return f" (and {count} other pod{'s' if count > 1 else ''})" if count else ""
