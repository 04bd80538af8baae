"""Rules for where a Pod may run: affinity, tolerations, spreading, gates (pkg/apis/core/validation/validation.go)."""

from . import names
from .errors import duplicate, each_message, forbidden, invalid, not_supported, required
from .metadata import label_key, label_requirement, label_selector

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
NODE_POLICIES = ("Honor", "Ignore")


def affinity(found, path):
    found = found or {}
    if found.get("nodeAffinity") is not None:
        yield from _node_affinity(found["nodeAffinity"], f"{path}.nodeAffinity")
    for kind in ("podAffinity", "podAntiAffinity"):
        if found.get(kind) is not None:
            yield from _pod_affinity(found[kind], f"{path}.{kind}")


def _node_affinity(found, path):
    if found.get(REQUIRED) is not None:
        yield from node_selector(found[REQUIRED], f"{path}.{REQUIRED}")
    for index, preferred in enumerate(found.get(PREFERRED) or ()):
        here = f"{path}.{PREFERRED}[{index}]"
        yield from _weight(preferred, here)
        yield from _term(preferred.get("preference") or {}, f"{here}.preference", check_values=False)


def _weight(preferred, path):
    if not 1 <= preferred.get("weight", 0) <= 100:
        yield invalid(f"{path}.weight", preferred.get("weight", 0), "must be in the range 1-100")


def node_selector(selector, path):
    """Errors in {"nodeSelectorTerms"}."""
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        yield required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")
    for index, term in enumerate(terms):
        yield from _term(term, f"{path}.nodeSelectorTerms[{index}]")


def _term(term, path, check_values=True):
    for index, expression in enumerate(term.get("matchExpressions") or ()):
        yield from label_requirement(expression, f"{path}.matchExpressions[{index}]", compares=True, check_values=check_values)
    for index, expression in enumerate(term.get("matchFields") or ()):
        yield from _field_expression(expression, f"{path}.matchFields[{index}]")


def _field_expression(expression, path):
    operator, values = expression.get("operator") or "", expression.get("values") or ()
    if operator not in ("In", "NotIn"):
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    elif len(values) != 1:
        yield required(f"{path}.values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
    if expression.get("key") != "metadata.name":
        yield invalid(f"{path}.key", expression.get("key") or "", "not a valid field selector key")
        return
    for index, value in enumerate(values):
        yield from each_message(f"{path}.values[{index}]", value, names.dns_subdomain(value))


def _pod_affinity(found, path):
    for index, term in enumerate(found.get(REQUIRED) or ()):
        yield from _pod_term(term, f"{path}.{REQUIRED}[{index}]")
    for index, preferred in enumerate(found.get(PREFERRED) or ()):
        here = f"{path}.{PREFERRED}[{index}]"
        yield from _weight(preferred, here)
        yield from _pod_term(preferred.get("podAffinityTerm") or {}, f"{here}.podAffinityTerm")


def _pod_term(term, path):
    yield from label_selector(term.get("labelSelector"), f"{path}.labelSelector")
    yield from label_selector(term.get("namespaceSelector"), f"{path}.namespaceSelector")
    for namespace in term.get("namespaces") or ():
        yield from each_message(f"{path}.namespace", namespace, names.dns_label(namespace))
    yield from _match_label_keys(term, path)
    topology = term.get("topologyKey") or ""
    if not topology:
        yield required(f"{path}.topologyKey", "can not be empty")
    yield from label_key(topology, f"{path}.topologyKey")


def _match_label_keys(term, path):
    """A new Pod's labels are in its selectors already: a key that is there twice was written there by hand (ValidateMatchLabelKeysAndMismatchLabelKeys)."""
    keys, mismatched, selector = term.get("matchLabelKeys") or (), term.get("mismatchLabelKeys") or (), term.get("labelSelector")
    yield from _label_keys(keys, selector, f"{path}.matchLabelKeys")
    yield from _label_keys(mismatched, selector, f"{path}.mismatchLabelKeys")
    seen = {*((selector or {}).get("matchLabels") or ())}
    for expression in (selector or {}).get("matchExpressions") or ():
        key = expression.get("key")
        if key in keys and key in seen:
            yield invalid(f"{path}[{keys.index(key)}]", key, "exists in both matchLabelKeys and labelSelector")
        seen.add(key)
    for index, key in enumerate(keys):
        if key in mismatched:
            yield invalid(f"{path}.matchLabelKeys[{index}]", key, "exists in both matchLabelKeys and mismatchLabelKeys")


def _label_keys(keys, selector, path):
    if keys and selector is None:
        yield forbidden(path, "must not be specified when labelSelector is not set")
        return
    for index, key in enumerate(keys):
        yield from label_key(key, f"{path}[{index}]")


def tolerations(found, path):
    for index, toleration in enumerate(found or ()):
        yield from _toleration(toleration, f"{path}[{index}]")


def _toleration(toleration, path):
    key, operator, value, effect = (toleration.get(part) or "" for part in ("key", "operator", "value", "effect"))
    if key:
        yield from label_key(key, f"{path}.key")
    elif operator != "Exists":
        yield invalid(f"{path}.operator", operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"')
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield invalid(f"{path}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
    if operator in ("Equal", ""):
        wrong = names.label_value(value)
        if wrong:
            yield invalid(f"{path}.operator", value, ";".join(wrong))
    elif operator != "Exists":
        yield not_supported(f"{path}.operator", operator, ("Equal", "Exists"))
    elif value:
        yield invalid(f"{path}.operator", value, "value must be empty when `operator` is 'Exists'")
    if effect and effect not in EFFECTS:
        yield not_supported(f"{path}.effect", effect, EFFECTS)


def taints(found, path):
    """Errors in a Node's taints."""
    seen = set()
    for index, taint in enumerate(found or ()):
        here, key, effect = f"{path}[{index}]", taint.get("key") or "", taint.get("effect") or ""
        yield from label_key(key, f"{here}.key")
        wrong = names.label_value(taint.get("value") or "")
        if wrong:
            yield invalid(f"{here}.value", taint["value"], ";".join(wrong))
        if not effect:
            yield required(f"{here}.effect")
        elif effect not in EFFECTS:
            yield not_supported(f"{here}.effect", effect, EFFECTS)
        if (key, effect) in seen:
            shown = {"Key": key, "Value": taint.get("value") or "", "Effect": effect, "TimeAdded": taint.get("timeAdded")}
            yield duplicate(here, shown)._replace(detail="taints must be unique by key and effect pair")
        seen.add((key, effect))


def gates(found, path):
    seen = set()
    for index, gate in enumerate(found or ()):
        name = gate.get("name") or ""
        yield from label_key(name, f"{path}[{index}]")
        if name in seen:
            yield duplicate(f"{path}[{index}]", name)
        seen.add(name)


def spread(constraints, path):
    constraints = constraints or ()
    for index, constraint in enumerate(constraints):
        here = f"{path}[{index}]"
        topology, action = constraint.get("topologyKey") or "", constraint.get("whenUnsatisfiable") or ""
        if constraint.get("maxSkew", 0) <= 0:
            yield invalid(f"{here}.maxSkew", constraint.get("maxSkew", 0), "must be greater than zero")
        if not topology:
            yield required(f"{here}.topologyKey", "can not be empty")
        if action not in ("DoNotSchedule", "ScheduleAnyway"):
            yield not_supported(f"{here}.whenUnsatisfiable", action, ("DoNotSchedule", "ScheduleAnyway"))
        if any((other.get("topologyKey") or "", other.get("whenUnsatisfiable") or "") == (topology, action) for other in constraints[index + 1 :]):
            yield duplicate(f"{here}.{{topologyKey, whenUnsatisfiable}}", f"{{{topology}, {action}}}")
        yield from _spread_options(constraint, action, here)


def _spread_options(constraint, action, path):
    domains, selector = constraint.get("minDomains"), constraint.get("labelSelector")
    if domains is not None and domains <= 0:
        yield invalid(f"{path}.minDomains", domains, "must be greater than zero")
    if domains is not None and action != "DoNotSchedule":
        yield invalid(f"{path}.minDomains", domains, f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}")
    for key in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if constraint.get(key) is not None and constraint[key] not in NODE_POLICIES:
            yield not_supported(f"{path}.{key}", constraint[key], NODE_POLICIES)
    yield from _match_label_keys(constraint, path)
    yield from label_selector(selector, f"{path}.labelSelector")
