"""What some kinds that extend the API cannot do without: checked before anything else looks at them."""
from ...objects import at
from .errors import invalid
from .validation.errors import INVALID, REQUIRED, FieldError

ADMISSION, DEFINITIONS = "admissionregistration.k8s.io", "customresourcedefinitions.apiextensions.k8s.io"
REQUIRED_FIELDS = {
    DEFINITIONS: ("spec.group", "spec.scope", "spec.versions", "spec.names.plural", "spec.names.kind"),
    f"validatingadmissionpolicies.{ADMISSION}": ("spec.validations", "spec.matchConstraints"),
    f"validatingadmissionpolicybindings.{ADMISSION}": ("spec.policyName",),
    "volumeattachments.storage.k8s.io": ("spec.attacher", "spec.nodeName", "spec.source"),
}
IN_ITEMS = {DEFINITIONS: ("spec.versions", "name"), f"validatingadmissionpolicies.{ADMISSION}": ("spec.validations", "expression")}


def check_required(call, new):
    """422 with every field that is missing."""
    kind = call.resource.qualified
    if kind not in REQUIRED_FIELDS:
        return
    missing = [path for path in REQUIRED_FIELDS[kind] if not at(new, *path.split("."))]
    if kind in IN_ITEMS:
        path, name = IN_ITEMS[kind]
        missing += [f"{path}[{number}].{name}" for number, item in enumerate(at(new, *path.split("."), default=())) if not item.get(name)]
    errors = [FieldError(REQUIRED, path, None, "") for path in missing]
    if kind == DEFINITIONS and not errors:
        errors = list(_definition(new))
    if errors:
        raise invalid(call.resource, new["metadata"].get("name", ""), errors)


def _definition(new):
    """The name says what is defined, one version is stored, and every version has a schema."""
    spec, name = new["spec"], new["metadata"].get("name", "")
    if name != f"{spec['names']['plural']}.{spec['group']}":
        yield FieldError(INVALID, "metadata.name", name, 'must be spec.names.plural+"."+spec.group')
    if len([version for version in spec["versions"] if version.get("storage")]) != 1:
        yield FieldError(INVALID, "spec.versions", spec["versions"], "must have exactly one version marked as storage version")
    for number, version in enumerate(spec["versions"]):
        if not at(version, "schema", "openAPIV3Schema"):
            yield FieldError(REQUIRED, f"spec.versions[{number}].schema.openAPIV3Schema", None, "schemas are required")
