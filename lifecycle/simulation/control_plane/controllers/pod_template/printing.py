"""A Pod template printed as Go's `%#v` prints the structs that hold it (k8s.io/apimachinery/pkg/util/dump, with go-spew's formatter).

`types.json` says what the structs of core/v1 look like in v1.36: {struct: ["GoName type jsonName"]}, in order. The JSON name is left out where it is the Go
name with a small beginning; "-" stands for a field that is never set in a template, "." for one whose fields stand in the struct around it.
"""
import re
from functools import lru_cache
from importlib.resources import files
from json import loads

from .quantity import printed_quantity

NUMBERS = {"int32", "int64", "uint64"}
CAPITALS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]")        # at the start of a name: FSType -> FS, Name -> N


@lru_cache(1)
def structs():
    """{struct: [(Go name, type, JSON name)]}"""
    rows = loads((files(__package__) / "types.json").read_text())
    return {name: [_field(*text.split()) for text in fields] for name, fields in rows.items()}


def _field(name, kind, json_name=None):
    return name, kind, json_name or CAPITALS.sub(lambda found: found.group().lower(), name, count=1)


def printed_template(template):
    """The text that Kubernetes hashes for a Pod template."""
    return _typed("v1.PodTemplateSpec", template)


def _typed(kind, value):
    """A value behind its type; a pointer shows the type that it points to, or says that it points to nothing."""
    if value is None and kind.startswith("*"):
        return f"({kind})<nil>"
    return f"({kind}){_printed(kind.removeprefix('*'), value)}"


def _printed(kind, value):
    """A value of a type; None is the type's zero value."""
    if kind.startswith("[]"):
        return f"[{' '.join(_printed(kind[2:], each) for each in value)}]" if value else "<nil>"
    if kind.startswith("map[") or kind == "v1.ResourceList":
        element = "resource.Quantity" if kind == "v1.ResourceList" else "string"
        return f"map[{' '.join(f'{name}:{_printed(element, value[name])}' for name in sorted(value))}]" if value else "<nil>"
    if kind in structs():
        return _struct(kind, value or {})
    return _printed_plain(kind, value)


def _printed_plain(kind, value):
    if kind == "resource.Quantity":
        return printed_quantity(value)
    if kind == "intstr.IntOrString":
        is_text = isinstance(value, str)
        return f"{{Type:(intstr.Type){int(is_text)} IntVal:(int32){0 if is_text else value or 0} StrVal:(string){value if is_text else ''}}}"
    if kind == "bool":
        return "true" if value else "false"
    if kind in NUMBERS:
        return str(value or 0)
    return value or ""


def _struct(kind, value):
    inner = {".": value, "-": None}
    return f"{{{' '.join(f'{name}:{_typed(field, inner[key] if key in inner else value.get(key))}' for name, field, key in structs()[kind])}}}"
