"""`kubectl explain`: the documentation of a kind's fields, out of an OpenAPI document (kubectl/pkg/explain/v2)."""
from lifecycle.simulation.apimachinery.enumerations import enumerations, of_every_object
from lifecycle.simulation.apimachinery.schema import definitions

from .errors import OutputError
from .word_wrap import indented, wrapped

WIDTH = 78
SHOWN_VALUES = 4


class NoSuchField(OutputError):
    """A path that leads nowhere; `printed` is what kubectl has written before it finds out."""

    def __init__(self, field, printed):
        super().__init__(f'field "{field}" does not exist')
        self.printed = printed


def explain(group, version, kind, path=(), recursive=False, schema=None):
    """The text about a kind, or about the field that `path` (names from the top) leads to.

    `schema` is the `openAPIV3Schema` of a custom resource; built-in kinds are found in the published definitions. `recursive` lists all fields below
    without their descriptions. Raises NoSuchField.
    """
    head = (f"GROUP:      {group}\n" if group else "") + f"KIND:       {kind}\nVERSION:    {version}\n\n"
    found = _output(_completed(schema) if schema else _definition(group, version, kind), list(path), recursive, frozenset())
    if found is None:
        raise NoSuchField(path[-1], head)
    return f"{head}{found}\n"


def _completed(schema):
    """The schema of a custom resource as the API server publishes it."""
    return {**schema, "properties": {**_properties(schema), **of_every_object()}}


def _definition(group, version, kind):
    wanted = {"group": group, "kind": kind, "version": version}
    for name, schema in definitions().items():
        if wanted in schema.get("x-kubernetes-group-version-kind", ()):
            return {"$ref": f"#/$defs/{name}"}
    raise OutputError(f"GVK {group}/{version}, Kind={kind} not found in OpenAPI schema")


def _output(schema, path, recursive, seen):
    """What is printed for the field at `path` below a schema; None if there is none."""
    if not path:
        return _described(schema, recursive)
    reference, resolved = schema.get("$ref"), _resolved(schema)
    if reference in seen:
        return None
    field = _properties(resolved).get(path[0])
    if field is not None:
        below = _output(field, path[1:], recursive, frozenset())
        return below if below is None or len(path) > 1 else _field_head(path[0], field, reference) + below
    inner = _inner(resolved)
    return None if inner is None else _output(inner, path, recursive, seen | {reference})


def _field_head(name, field, reference):
    values = _values(field, name, reference)
    listed = "ENUM:\n    " + _joined(values, "\n    ") if values else ""
    return f"FIELD: {name} <{_type(field)}>\n{listed}\n\n"


def _described(schema, recursive):
    text = f"DESCRIPTION:\n{indented(wrapped(_description(schema) or '<empty>', WIDTH - 2), 4)}\n"
    fields = _field_list(schema, 1, recursive, frozenset())
    return text + (f"FIELDS:\n{fields}" if fields else "")


def _description(schema):
    """A schema's own description, then that of what it refers to or consists of."""
    own = f"{schema['description']}\n" if schema.get("description") else ""
    target = schema.get("$ref")
    if target:
        return own + _description(_definition_at(target))
    inner = _inner(schema)
    return own + (_description(inner) if inner is not None else "")


def _field_list(schema, level, recursive, seen):
    reference, resolved = schema.get("$ref"), _resolved(schema)
    if reference in seen:
        return ""
    seen = seen | {reference} if reference else seen
    lines = []
    for name, field in sorted(_properties(resolved).items()):
        lines.append(_field(name, field, schema, level, recursive))
        if recursive:
            lines.append(_field_list(field, level + 1, recursive, seen))
    inner = _inner(resolved)
    return "".join(lines) + ("" if inner is None else _field_list(inner, level, recursive, seen))


def _field(name, field, owner, level, short):
    margin = level * 2
    text = f"{' ' * margin}{name}\t<{_type(field)}>{' -required-' if name in _resolved(owner).get('required', ()) else ''}"
    values = _values(field, name, owner.get("$ref"))
    if values:
        more = ", ...." if len(values) > SHOWN_VALUES else ""
        text += f"\n{' ' * margin}enum: {_joined(values[:SHOWN_VALUES], ', ')}{more}"
    if short:
        return f"{text}\n"
    return f"{text}\n{indented(wrapped(field.get('description') or '<no description>', WIDTH - margin), margin + 2)}\n\n"


def _type(schema):
    """"string", "Object", "[]Container", "map[string]string"."""
    inner = _inner(schema)
    if inner is not None and "$ref" not in schema:
        return f"{'[]' if 'items' in schema else 'map[string]'}{_type(inner)}"
    if "$ref" in schema:
        kind = _plain_type(_definition_at(schema["$ref"]))
        return schema["$ref"].rpartition("/")[2].rpartition(".")[2] if kind in (None, "object") else kind
    kind = _plain_type(schema)
    return "Object" if kind in (None, "object") else kind


def _plain_type(schema):
    kinds = schema.get("type")
    return next((kind for kind in kinds if kind != "null"), None) if isinstance(kinds, list) else kinds


def _values(schema, name, owner):
    """The values that a field may have; `owner` refers to the definition it stands in (None in a custom resource's schema)."""
    if owner is None:
        return [value for value in schema.get("enum") or () if value is not None]
    return enumerations().get(owner.rpartition("/")[2], {}).get(name, ())


def _joined(values, separator):
    return separator.join([str(value) or '""' for value in values])


def _properties(schema):
    return schema.get("properties") or {}


def _inner(schema):
    """The schema of a list's or a map's elements."""
    inner = schema.get("items") or schema.get("additionalProperties")
    return inner if isinstance(inner, dict) else None


def _resolved(schema):
    return _definition_at(schema["$ref"]) if "$ref" in schema else schema


def _definition_at(reference):
    return definitions()[reference.rpartition("/")[2]]
