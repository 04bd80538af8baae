"""Kinds that extend the API: what the server completes in them (apiextensions and admissionregistration defaults)."""
ANYTHING = {"namespaceSelector": {}, "objectSelector": {}, "matchPolicy": "Equivalent"}


def creating_definition(call, definition):
    """A CustomResourceDefinition with its derived names; which versions are stored is remembered in the status."""
    spec, names = definition["spec"], definition["spec"]["names"]
    names = {**names, "singular": names.get("singular") or names["kind"].lower(), "listKind": names.get("listKind") or f"{names['kind']}List"}
    stored = [version["name"] for version in spec["versions"] if version.get("storage")]
    status = {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": stored}
    return {**definition, "spec": {**spec, "names": names, "conversion": spec.get("conversion") or {"strategy": "None"}}, "status": status}


def creating_policy(call, policy):
    spec = policy["spec"]
    constraints = {**ANYTHING, **(spec.get("matchConstraints") or {})}
    if constraints.get("resourceRules"):
        constraints["resourceRules"] = [{"scope": "*", **rule} for rule in constraints["resourceRules"]]
    return {**policy, "spec": {**spec, "matchConstraints": constraints, "failurePolicy": spec.get("failurePolicy") or "Fail"}}


def creating_binding(call, binding):
    resources = binding["spec"].get("matchResources")
    return {**binding, "spec": {**binding["spec"], "matchResources": {**ANYTHING, **resources}}} if resources is not None else binding
