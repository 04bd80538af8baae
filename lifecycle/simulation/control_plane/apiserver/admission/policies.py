"""ValidatingAdmissionPolicy: rules in CEL that an administrator binds to requests (apiserver/pkg/admission/plugin/policy/validating)."""
from ....cel import CelError, compiled, said_of
from ....resources import by_kind, resource
from ....selectors import matches
from ..errors import Refused, details_of

GROUP = "admissionregistration.k8s.io"
BINDINGS, POLICIES = f"validatingadmissionpolicybindings.{GROUP}", f"validatingadmissionpolicies.{GROUP}"
CODES = {"Invalid": 422, "Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413}


def check(call, operation, new, old):
    """Refuse, or warn of, what a bound policy does not allow. `operation` is "create", "update" or "delete"."""
    bindings = call.etcd.unsorted(resource(BINDINGS).prefix())
    if not bindings or call.resource.group == GROUP:
        return
    denied = []
    for _, binding in sorted(bindings.items()):
        policy = call.stored(resource(POLICIES), "", binding["spec"].get("policyName", ""))
        if policy and _applies(call, policy, binding, operation, new or old):
            denied += _answers(call, policy, binding, operation, new, old)
    if denied:
        raise _refusal(call, denied, (new or old)["metadata"].get("name", ""))


def _refusal(call, denied, name):
    """The first denial speaks; all of them are causes."""
    reason, first = denied[0]
    details = details_of(call.resource, name, causes=[{"message": message} for _, message in denied])
    return Refused(CODES.get(reason, 422), f'{call.resource.qualified} "{name}" is forbidden: {first}', reason, details)


# -- which requests --------------------------------------------------------------------------------------------------------
def _applies(call, policy, binding, operation, thing):
    constraints, narrower = policy["spec"].get("matchConstraints") or {}, binding["spec"].get("matchResources") or {}
    return _matches(call, constraints, operation, thing, False) and _matches(call, narrower, operation, thing, True)


def _matches(call, constraints, operation, thing, without_rules):
    """Whether a request falls under matchConstraints or matchResources; the latter may leave the rules out."""
    rules = constraints.get("resourceRules") or ()
    if not any(_covers(call, rule, operation) for rule in rules) and not (without_rules and not rules):
        return False
    if any(_covers(call, rule, operation) for rule in constraints.get("excludeResourceRules") or ()):
        return False
    return _selected(call, constraints, thing)


def _covers(call, rule, operation):
    row, subresource = call.resource, call.request.subresource
    plural = f"{row.plural}/{subresource}" if subresource else row.plural
    names = rule.get("resources") or ()
    wanted = plural in names or "*/*" in names or not subresource and "*" in names or f"{row.plural}/*" in names
    return (wanted and _in(rule.get("operations"), operation.upper()) and _in(rule.get("apiGroups"), row.group) and _in(rule.get("apiVersions"), row.version)
            and rule.get("scope", "*") in ("*", "Namespaced" if row.namespaced else "Cluster"))


def _in(found, wanted):
    return bool(found) and ("*" in found or wanted in found)


def _selected(call, constraints, thing):
    """By the labels of the namespace and of the object; empty selectors take everything."""
    by_namespace, by_object = constraints.get("namespaceSelector"), constraints.get("objectSelector")
    if by_namespace and call.resource.namespaced:
        namespace = call.stored(resource("namespaces"), "", call.namespace)
        if not matches(by_namespace, (namespace or {"metadata": {}})["metadata"].get("labels")):
            return False
    return not by_object or matches(by_object, thing["metadata"].get("labels"))


# -- what they say ---------------------------------------------------------------------------------------------------------
def _answers(call, policy, binding, operation, new, old):
    """[(reason, message)] of the validations that deny; warnings are left with the call."""
    spec, names, actions = policy["spec"], (policy["metadata"]["name"], binding["metadata"]["name"]), binding["spec"].get("validationActions") or ("Deny",)
    variables = _variables(call, policy, binding, operation, new, old)
    if not _conditions_hold(spec, variables):
        return []
    variables["variables"] = _computed(spec, variables)
    denied = []
    for rule in spec.get("validations") or ():
        message = _verdict(spec, rule, variables)
        if message is None:
            continue
        if "Warn" in actions:
            call.warnings.append(f"Validation failed for ValidatingAdmissionPolicy '{names[0]}' with binding '{names[1]}': {message}")
        if "Deny" in actions:
            denied.append((rule.get("reason") or "Invalid", f"ValidatingAdmissionPolicy '{names[0]}' with binding '{names[1]}' denied request: {message}"))
    return denied


def _verdict(spec, rule, variables):
    """Why a validation fails, or None."""
    try:
        if compiled(rule["expression"])(variables) is True:
            return None
    except CelError as error:
        if spec.get("failurePolicy") == "Ignore":
            return None
        return f"expression '{rule['expression']}' resulted in error: {error}"
    return said_of(rule, variables, f"failed expression: {rule['expression']}")


def _conditions_hold(spec, variables):
    try:
        return all(compiled(one["expression"])(variables) is True for one in spec.get("matchConditions") or ())
    except CelError:
        return spec.get("failurePolicy") != "Ignore"


def _computed(spec, variables):
    """spec.variables, each of which may use those before it; one that has no value is left out."""
    found = {}
    for one in spec.get("variables") or ():
        try:
            found[one["name"]] = compiled(one["expression"])({**variables, "variables": found})
        except CelError:
            continue
    return found


def _variables(call, policy, binding, operation, new, old):
    row, request = call.resource, call.request
    namespace = call.stored(resource("namespaces"), "", call.namespace) if row.namespaced else None
    place = {"group": row.group, "version": row.version}
    about = {"kind": {**place, "kind": row.kind}, "resource": {**place, "resource": row.plural},
             "subResource": request.subresource, "name": request.name or (new or old)["metadata"].get("name", ""), "namespace": call.namespace,
             "operation": operation.upper(), "userInfo": {"username": request.user}, "dryRun": call.dry_run}
    return {"object": new, "oldObject": old, "request": about, "namespaceObject": namespace, "params": _parameters(call, policy, binding)}


def _parameters(call, policy, binding):
    """The object that configures a policy, if it wants one and the binding names it."""
    kind, reference = policy["spec"].get("paramKind"), binding["spec"].get("paramRef") or {}
    row = by_kind().get((kind["apiVersion"], kind["kind"])) if kind else None
    return call.stored(row, reference.get("namespace") or call.namespace, reference["name"]) if row and reference.get("name") else None
