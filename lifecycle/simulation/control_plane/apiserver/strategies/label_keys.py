"""matchLabelKeys and mismatchLabelKeys: a new Pod's own labels become part of its selectors (pkg/registry/core/pod/strategy.go mutatePodAffinity)."""
from ....objects import at, replaced

PREFERRED, REQUIRED = "preferredDuringSchedulingIgnoredDuringExecution", "requiredDuringSchedulingIgnoredDuringExecution"
TERMS = tuple((kind, when) for kind in ("podAffinity", "podAntiAffinity") for when in (PREFERRED, REQUIRED))
OPERATORS = (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))


def merged(pod):
    """The Pod with the values of its labels in the selectors of affinity terms and topology spread constraints that name their keys."""
    spec, labels = pod["spec"], pod["metadata"].get("labels") or {}
    if not labels or not (spec.get("affinity") or spec.get("topologySpreadConstraints")):
        return pod
    for kind, when in TERMS:
        terms = at(spec, "affinity", kind, when)
        if terms:
            spec = replaced(spec, [_in_term(term, labels) for term in terms], "affinity", kind, when)
    if spec.get("topologySpreadConstraints"):
        spec = {**spec, "topologySpreadConstraints": [_in_selector(constraint, labels) for constraint in spec["topologySpreadConstraints"]]}
    return {**pod, "spec": spec}


def _in_term(term, labels):
    """A preferred term wraps the term that counts."""
    if "podAffinityTerm" in term:
        return {**term, "podAffinityTerm": _in_selector(term["podAffinityTerm"], labels)}
    return _in_selector(term, labels)


def _in_selector(term, labels):
    """Without a selector nothing is selected, whatever the labels are."""
    selector = term.get("labelSelector")
    own = [{"key": key, "operator": operator, "values": [labels[key]]} for field, operator in OPERATORS for key in term.get(field) or () if key in labels]
    if selector is None or not own:
        return term
    return {**term, "labelSelector": {**selector, "matchExpressions": [*(selector.get("matchExpressions") or ()), *own]}}
