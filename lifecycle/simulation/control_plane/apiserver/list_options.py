"""ListOptions: the query parameters of lists and watches (apimachinery/pkg/apis/meta/internalversion/validation)."""
from ...resources import Resource
from .errors import invalid
from .validation.errors import FORBIDDEN, NOT_SUPPORTED, FieldError

NOT_OLDER_THAN, EXACT = "NotOlderThan", "Exact"
_OPTIONS = Resource("", "ListOptions", "meta.k8s.io")


def flag(options, name):
    """A boolean query parameter as Go reads it, or None if it is not there: all but "false" and "0" is true."""
    return None if name not in options else str(options[name]).lower() not in ("false", "0")


def check(options, is_watch):
    """Raises Refused (422) for options that do not go together."""
    errors = [FieldError(*each) for each in (_watch_errors if is_watch else _list_errors)(options, options.get("resourceVersionMatch") or "")]
    if errors:
        raise invalid(_OPTIONS, "", errors)


def _list_errors(options, match):
    version = options.get("resourceVersion") or ""
    if match:
        if not version:
            yield FORBIDDEN, "resourceVersionMatch", match, "resourceVersionMatch is forbidden unless resourceVersion is provided"
        yield from _match_errors(options, match, (EXACT, NOT_OLDER_THAN))
        if match == EXACT and version == "0":
            yield FORBIDDEN, "resourceVersionMatch", match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'
    if flag(options, "sendInitialEvents") is not None:
        yield FORBIDDEN, "sendInitialEvents", "", "sendInitialEvents is forbidden for list"


def _watch_errors(options, match):
    initial = flag(options, "sendInitialEvents") is not None
    if initial and match != NOT_OLDER_THAN:
        yield FORBIDDEN, "resourceVersionMatch", match, f"sendInitialEvents requires setting resourceVersionMatch to {NOT_OLDER_THAN}"
    if match:
        if not initial:
            yield FORBIDDEN, "resourceVersionMatch", match, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"
        yield from _match_errors(options, match, (NOT_OLDER_THAN,))


def _match_errors(options, match, supported):
    if options.get("continue"):
        yield FORBIDDEN, "resourceVersionMatch", match, "resourceVersionMatch is forbidden when continue is provided"
    if match not in supported:
        named = ", ".join(f'"{one}"' for one in ("", *supported))
        yield NOT_SUPPORTED, "resourceVersionMatch", match, f"supported values: {named}"
