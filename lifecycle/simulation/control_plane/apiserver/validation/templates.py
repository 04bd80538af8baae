"""Rules for pod templates and for selectors over what they make (pkg/apis/core/validation/validation.go: ValidatePodTemplateSpec)."""

from .... import selectors
from . import metadata
from .errors import forbidden, invalid, not_supported, required, shown_map, shown_selector
from .pods import annotations
from .podspec import validate_template_spec

NO_MATCH = "`selector` does not match template `labels`"


def template(found, path):
    """Errors in {"metadata", "spec"} at `path`."""
    yield from template_metadata(found, path)
    yield from (error.under(f"{path}.") for error in validate_template_spec(found["spec"]))
    if found["spec"].get("ephemeralContainers"):
        yield forbidden(f"{path}.spec.ephemeralContainers", "ephemeral containers not allowed in pod template")


def template_metadata(found, path):
    """Errors in the labels and annotations of a template; their paths leave out "metadata"."""
    meta = found.get("metadata") or {}
    yield from metadata.labels(meta.get("labels"), f"{path}.labels")
    yield from metadata.annotations(meta.get("annotations"), f"{path}.annotations")
    yield from annotations(meta.get("annotations") or {}, found["spec"], f"{path}.annotations")


def lasting(found, path, kind):
    """What the template of Pods that are kept running may not ask for."""
    spec = found["spec"]
    if spec.get("restartPolicy") != "Always":
        yield not_supported(f"{path}.spec.restartPolicy", spec.get("restartPolicy") or "", ("Always",))
    if spec.get("activeDeadlineSeconds") is not None:
        yield forbidden(f"{path}.spec.activeDeadlineSeconds", f"activeDeadlineSeconds in {kind} is not Supported")


def labels_of(found):
    return (found.get("metadata") or {}).get("labels")


def is_empty(selector):
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def matching(selector, found, path):
    """The template's labels must match the selector of its owner; an empty selector is told elsewhere."""
    if selector is None or (not is_empty(selector) and not selectors.matches(selector, labels_of(found) or {})):
        yield invalid(f"{path}.metadata.labels", shown_map(labels_of(found)), NO_MATCH)


def selector(found, path, empty_message):
    """Errors in the LabelSelector of a workload, which may be neither missing nor empty."""
    if found is None:
        yield required(path)
        return
    yield from metadata.label_selector(found, path)
    if is_empty(found):
        yield invalid(path, shown_selector(found), empty_message)
