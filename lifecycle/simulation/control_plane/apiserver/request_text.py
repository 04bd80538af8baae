"""The text of a request's body as data: JSON or YAML, and what the server says if it is neither
(apimachinery/pkg/runtime/serializer/json, apiserver/pkg/endpoints/handlers/rest.go)."""
import json

import orjson

from ...manifest_values import DEEPEST
from ...manifests import ManifestError, read_manifests
from . import json_syntax
from .errors import bad_request
from .json_syntax import TOO_DEEP

GO_WORDS = {str: "string", int: "number", float: "number", bool: "bool", list: "array", dict: "object"}
GO_HEAD = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
SHOWN = 30                      # bytes of a body that cannot be understood
NO_HEAD = "couldn't get version/kind; json parse error: "


def read(text, verb, media, kind):
    """(JSON-shaped data, paths of the fields that are there twice) of a text or bytes. `kind` is what the endpoint takes. Raises Refused (400)."""
    raw = text.encode() if isinstance(text, str) else text
    try:
        value = _from_yaml(raw, verb) if media.endswith("yaml") else _from_json(raw, verb)
    except ValueError as error:
        raise bad_request(str(error)) if verb == "patch" else _unrecognized(kind, str(error), raw) from None
    return {} if value is None else value, () if media.endswith("yaml") or verb == "patch" else tuple(_duplicates(raw))


def check_head(body, kind):
    """A body must be an object, and what it says of its kind must be text. Raises Refused (400)."""
    if not isinstance(body, dict):
        problem = f"json: cannot unmarshal {GO_WORDS[type(body)]} into Go value of type {GO_HEAD}"
    else:
        wrong = next((field for field in ("apiVersion", "kind") if not isinstance(body.get(field), str | None)), None)
        if wrong is None:
            return
        problem = f"json: cannot unmarshal {GO_WORDS[type(body[wrong])]} into Go struct field .{wrong} of type string"
    raise _unrecognized(kind, NO_HEAD + problem, orjson.dumps(body))


def _unrecognized(kind, problem, raw):
    """The Refused for a body of which not even the kind can be made out; its beginning is shown, in hexadecimal if it is no JSON object."""
    shown, rest = raw[:SHOWN], " ..." if len(raw) > SHOWN else ""
    summary = shown.decode(errors="replace") if raw.startswith(b"{") else shown.hex()
    return bad_request(f"the object provided is unrecognized (must be of type {kind}): {problem} ({summary}{rest})")


def _from_json(raw, verb):
    """Raises ValueError with Go's words."""
    try:
        value = orjson.loads(raw)
        problem = TOO_DEEP if _is_too_deep(value) else ""
    except orjson.JSONDecodeError as error:
        problem = json_syntax.problem(raw.decode(errors="replace")) or str(error)
    if problem:
        raise ValueError(problem if verb == "patch" else NO_HEAD + problem)
    return value


def _from_yaml(raw, verb):
    try:
        found = read_manifests(raw.decode(errors="replace"))
    except ManifestError as error:
        raise ValueError(f"error decoding YAML: {error.message}" if verb == "patch" else error.message) from None
    return found[0][1] if found else None


def _is_too_deep(value):
    layer = [value]
    for _ in range(DEEPEST):
        layer = [inner for one in layer if isinstance(one, (dict, list)) for inner in (one.values() if isinstance(one, dict) else one)]
        if not layer:
            return False
    return True


# -- fields that are there twice -------------------------------------------------------------------------------------------
class _Object(dict):
    """A JSON object that knows which of its names came again."""

    def __init__(self, pairs):
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.again = [name for place, name in enumerate(names) if name in names[:place]] if len(self) < len(pairs) else ()


def _duplicates(raw):
    """The paths of fields that a JSON text has twice: "spec.replicas", "spec.containers[0].image"."""
    return _again(json.loads(raw, object_pairs_hook=_Object), "")


def _again(value, path):
    if isinstance(value, dict):
        yield from (f"{path}{name}" for name in value.again)
        for name, inner in value.items():
            yield from _again(inner, f"{path}{name}.")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _again(inner, f"{path.removesuffix('.')}[{place}].")
