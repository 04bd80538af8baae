"""What type every field of every kind has, from the OpenAPI definitions of Kubernetes v1.36 (package kubernetes-validate) or of a CustomResourceDefinition."""
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path

import orjson

from lifecycle.simulation.apimachinery.go_types import EMBEDDED, NAMED_STRINGS

DEFINITIONS = "kubernetes-json-schema/v1.36.0-local/_definitions.json"

OBJECT, MAP, LIST = "object", "map", "list"
STRING, INTEGER, NUMBER, BOOLEAN = "string", "integer", "number", "boolean"
QUANTITY, INT_OR_STRING, TIME, MICRO_TIME, BYTES, ANY = "quantity", "int-or-string", "time", "micro-time", "bytes", "any"

_PREFIX = "#/$defs/"
_SPECIAL = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": QUANTITY,
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": INT_OR_STRING,
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": TIME,
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": MICRO_TIME,
}
_EVERY_OBJECT = {"apiVersion": {"type": STRING}, "kind": {"type": STRING}, "metadata": {"$ref": f"{_PREFIX}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}}


class Type:
    """The type of a field.

    `kind` is one of the constants above; `items` the Type of a list's or a map's elements; `fields` {name: Type} of an object;
    `list_type` "atomic" | "set" | "map" with `list_keys`; `merge_key` and `strategies` rule strategic merge patches; `atomic` says that an
    object or a map belongs to one manager as a whole; `struct` and `go` are the names that Go's decoder prints.
    """

    def __init__(self, schema, owner="", field="", struct=""):
        self.schema, self.owner, self.field = schema, owner, field
        self.struct = struct
        self.kind = _kind(schema)
        self.merge_key = schema.get("x-kubernetes-patch-merge-key")
        self.strategies = frozenset((schema.get("x-kubernetes-patch-strategy") or "").split(",")) - {""}
        self.list_type = schema.get("x-kubernetes-list-type") or (_list_type(self) if self.kind == LIST else None)
        self.list_keys = tuple(schema.get("x-kubernetes-list-map-keys") or ([self.merge_key] if self.merge_key else ()))
        self.atomic = schema.get("x-kubernetes-map-type") == "atomic"
        self.embedded = EMBEDDED.get(struct, {})
        self.required = frozenset(schema.get("required") or ())

    @cached_property
    def fields(self):
        """{name: Type}; types are made when they are first asked for, because some contain themselves."""
        return {name: _made(property_schema, self.struct, name) for name, property_schema in _properties(self.schema).items()}

    @cached_property
    def items(self):
        inner = self.schema.get("items") if self.kind == LIST else self.schema.get("additionalProperties")
        return _made(inner, self.struct, self.field) if isinstance(inner, dict) else _ANYTHING

    @cached_property
    def go(self):
        """How Go writes the type: "int32", "[]v1.Container", "map[string]string"."""
        if self.kind == LIST:
            return f"[]{self.items.go}"
        if self.kind == MAP:
            return f"map[string]{self.items.go}"
        if self.kind == OBJECT:
            return f"{self.owner}.{self.struct}" if self.owner else "map[string]interface {}"
        return NAMED_STRINGS.get(self.field, "string") if self.kind == STRING else _GO_NAMES[self.kind](self.schema)

    @cached_property
    def keeps_unknown(self):
        return bool(self.schema.get("x-kubernetes-preserve-unknown-fields"))


def _list_type(type):
    """Lists that do not say what they are: merged ones have keys or are sets, all others belong to one manager as a whole."""
    if "merge" not in type.strategies:
        return "atomic"
    return "map" if type.merge_key else "set"


_GO_NAMES = {
    INTEGER: lambda schema: schema.get("format") or "int32",
    NUMBER: lambda schema: "float64",
    BOOLEAN: lambda schema: "bool",
    BYTES: lambda schema: "[]uint8",
    QUANTITY: lambda schema: "resource.Quantity",
    INT_OR_STRING: lambda schema: "intstr.IntOrString",
    TIME: lambda schema: "v1.Time",
    MICRO_TIME: lambda schema: "v1.MicroTime",
    ANY: lambda schema: "interface {}",
}


def _kind(schema):
    special = schema.get("x-special")
    if special:
        return special
    if schema.get("x-kubernetes-int-or-string"):
        return INT_OR_STRING
    name = _type_name(schema)
    if name == OBJECT:
        return _object_kind(schema)
    if name == STRING:
        return {"byte": BYTES, "date-time": STRING}.get(schema.get("format"), STRING)
    return {"array": LIST, INTEGER: INTEGER, NUMBER: NUMBER, BOOLEAN: BOOLEAN}.get(name, ANY)


def _properties(schema):
    """{name: schema} of an object's fields; an embedded resource has those that every object has."""
    said = schema.get("properties") or {}
    return {**said, **_EVERY_OBJECT} if schema.get("x-kubernetes-embedded-resource") else said


def _object_kind(schema):
    if _properties(schema):
        return OBJECT
    if schema.get("additionalProperties"):
        return MAP
    return ANY if schema.get("x-kubernetes-preserve-unknown-fields") else OBJECT


def _type_name(schema):
    names = schema.get("type")
    return next((name for name in names if name != "null"), None) if isinstance(names, list) else names


def _made(schema, struct, field):
    """The Type of a property: a reference is the shared Type of a definition, unless the property adds something of its own."""
    reference = schema.get("$ref")
    if reference is None:
        return Type(schema, field=field, struct=struct)
    name = reference.removeprefix(_PREFIX)
    extra = {key: value for key, value in schema.items() if key.startswith("x-")}
    return _variant(name, orjson.dumps(extra)) if extra else definition(name)


@cache
def _variant(name, extra):
    return _defined(name, orjson.loads(extra))


@cache
def definition(name):
    """The Type of a definition by its full name ("io.k8s.api.core.v1.Pod")."""
    return _defined(name, {})


def _defined(name, extra):
    schema = definitions()[name]
    *_, package, struct = name.split(".")
    if name in _SPECIAL:
        schema = {"x-special": _SPECIAL[name]}
    elif not schema.get("properties") and struct not in _EMPTY_STRUCTS:
        schema = {"x-special": ANY}
    return Type({**schema, **extra}, owner=package, struct=struct)


_EMPTY_STRUCTS = ("StorageVersionSpec", "BasicSchedulingPolicy", "CustomResourceSubresourceStatus")
_ANYTHING = Type({})


@cache
def definitions():
    """{full name: JSON schema} of every definition, as published; never changed."""
    package = Path(find_spec("kubernetes_validate").origin).parent           # found, not imported: the package itself is slow to start
    return orjson.loads((package / DEFINITIONS).read_bytes())["$defs"]


@cache
def _by_kind():
    """{(group, version, kind): full name of its definition}."""
    kinds = [(one, name) for name, schema in definitions().items() for one in schema.get("x-kubernetes-group-version-kind") or ()]
    return {(one["group"], one["version"], one["kind"]): name for one, name in kinds}


@cache
def schema_for(group, version, kind):
    """The Type of a built-in kind, or None if there is no such kind. The core group is ""."""
    name = _by_kind().get((group, version, kind))
    return None if name is None else definition(name)


def schema_of(thing):
    """The Type of a built-in object by its own apiVersion and kind, or None."""
    group, _, version = thing["apiVersion"].rpartition("/")
    return schema_for(group, version, thing["kind"])


_custom = {}        # id(openAPIV3Schema) -> (openAPIV3Schema, Type)


def custom_schema(open_api, kind):
    """The Type of a custom resource from its CustomResourceDefinition's `openAPIV3Schema`, remembered for as long as the same dict is asked for."""
    known = _custom.get(id(open_api))
    if known is None:
        if len(_custom) > 256:
            _custom.clear()
        properties = {**(open_api.get("properties") or {}), **_EVERY_OBJECT}
        known = _custom[id(open_api)] = (open_api, Type({**open_api, "type": "object", "properties": properties}, struct=kind))
    return known[1]
