"""OpenAPI v3: what clients learn about kinds and their fields. A document for each group and version, made from the packaged definitions and from
CustomResourceDefinitions (kube-openapi/pkg/builder3, apiextensions-apiserver/pkg/controller/openapi/builder)."""
from functools import lru_cache

from ...apimachinery.enumerations import enumerations, of_every_object
from ...apimachinery.schema import definitions

DEFS, COMPONENTS = "#/$defs/", "#/components/schemas/"
META = "io.k8s.apimachinery.pkg.apis.meta.v1."
JSON, YAML = "application/json", "application/yaml"
PATCHES = ("application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml")
WRITING = ("dryRun", "fieldManager", "fieldValidation")
LISTING = ("allowWatchBookmarks", "continue", "fieldSelector", "labelSelector", "limit", "resourceVersion", "resourceVersionMatch", "sendInitialEvents",
           "timeoutSeconds", "watch")
BOOLEANS = ("allowWatchBookmarks", "sendInitialEvents", "watch", "force")
NUMBERS = ("limit", "timeoutSeconds", "gracePeriodSeconds")
ACTIONS = {"get": ("get", ()), "update": ("put", WRITING), "patch": ("patch", (*WRITING, "force")), "create": ("post", WRITING),
           "delete": ("delete", ("dryRun", "gracePeriodSeconds", "propagationPolicy")), "list": ("get", LISTING), "deletecollection": ("delete", LISTING)}
ON_COLLECTIONS = ("list", "create", "deletecollection")


def document(rows, version, schema_of):
    """The document of the Resources of one group and version; `schema_of(row)` is the openAPIV3Schema of a custom one, None for built-in kinds."""
    schemas, paths = {}, {}
    for row in rows:
        custom = schema_of(row)
        name = _named(row) if custom is None else _custom_name(row)
        schemas |= _component(row, name) if custom is None else _custom_component(row, name, custom)
        for path, verbs, kind in _places(row):
            paths[path] = _path(path, verbs, kind, name if kind[2] == row.kind else schema_name(*kind))
    return {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": version}, "paths": dict(sorted(paths.items())),
            "components": {"schemas": dict(sorted(_with_references(schemas, paths).items()))}}


# -- paths -----------------------------------------------------------------------------------------------------------------
def _places(row):
    """(path, verbs, (group, version, kind)) of a resource and its subresources."""
    kind = (row.group, row.version, row.kind)
    yield row.path("{namespace}"), [verb for verb in row.verbs if verb in ON_COLLECTIONS], kind
    if row.namespaced and "list" in row.verbs:
        yield row.path(), ["list"], kind
    named = [verb for verb in row.verbs if verb in ACTIONS and verb not in ON_COLLECTIONS]
    if named:
        yield row.path("{namespace}", "{name}"), named, kind
    for name, sub in row.subresources.items():
        about = (sub["group"], sub["version"], sub["kind"]) if sub.get("version") else (row.group, row.version, sub["kind"])
        yield row.path("{namespace}", "{name}", name), [verb for verb in sub["verbs"] if verb in ACTIONS], about


def _path(path, verbs, kind, schema):
    parts = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in ("namespace", "name") if f"{{{name}}}" in path]
    return {**{ACTIONS[verb][0]: _operation(verb, kind, schema) for verb in verbs}, **({"parameters": parts} if parts else {})}


def _operation(verb, kind, schema):
    """What is asked, what is sent, and what is answered. kubectl looks for `fieldValidation` and `dryRun` in the parameters of PATCH."""
    group, version, name = kind
    content = {"schema": {"$ref": COMPONENTS + schema}} if schema else {}
    body = {}
    if verb in ("create", "update"):
        body = {"requestBody": {"content": {JSON: content, YAML: content}, "required": True}}
    elif verb == "patch":
        body = {"requestBody": {"content": {media: {"schema": {"$ref": f"{COMPONENTS}{META}Patch"}} for media in PATCHES}, "required": True}}
    return {"parameters": [{"name": name, "in": "query", "schema": {"type": _parameter_type(name)}} for name in ACTIONS[verb][1]], **body,
            "responses": {"201" if verb == "create" else "200": {"description": "Created" if verb == "create" else "OK", "content": {JSON: content}}},
            "x-kubernetes-action": verb, "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": name}}


def _parameter_type(name):
    return "boolean" if name in BOOLEANS else "integer" if name in NUMBERS else "string"


# -- components ------------------------------------------------------------------------------------------------------------
def schema_name(group, version, kind):
    """The full name of a built-in kind's definition, or "" if the package does not have it."""
    return _names().get((group, version, kind), "")


@lru_cache(1)
def _names():
    kinds = [(one, name) for name, schema in definitions().items() for one in schema.get("x-kubernetes-group-version-kind") or ()]
    return {(one["group"], one["version"], one["kind"]): name for one, name in kinds}


def _named(row):
    return schema_name(row.group, row.version, row.kind) or _custom_name(row)


def _custom_name(row):
    """"com.example.stable.v1.CronTab": a kind of stable.example.com/v1."""
    return ".".join([*reversed(row.group.split(".")), row.version, row.kind])


def _component(row, name):
    """{name: schema} of a built-in kind; one that the package does not know (metrics) is any object."""
    if name in definitions():
        return {each: component(each) for each in (name, f"{name}List") if each in definitions()}
    return {name: {"type": "object", **_of_kind(row)}}


def _custom_component(row, name, open_api):
    properties = {**(open_api.get("properties") or {}), **_properties(of_every_object())}
    return {name: {**open_api, "type": "object", "properties": properties, **_of_kind(row)}}


def _of_kind(row):
    return {"x-kubernetes-group-version-kind": [{"group": row.group, "version": row.version, "kind": row.kind}]}


def _with_references(schemas, paths):
    """The same with all definitions that they or the paths refer to, however far."""
    found, waiting = dict(schemas), [paths, *schemas.values()]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in found:
                found[name] = component(name)
                waiting.append(found[name])
    return found


def _references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):                 # a property may have this name too
            yield schema["$ref"].removeprefix(COMPONENTS)
        for inner in schema.values():
            yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


@lru_cache(None)
def component(name):
    """A definition as OpenAPI v3 writes it."""
    made = _converted(definitions()[name])
    for field, values in enumerations().get(name, {}).items():
        made["properties"][field]["enum"] = values
    return made


def _converted(schema):
    """References lead to components (with siblings inside allOf, where alone they would count); what may be null is not said in v3."""
    made = {key: _PARTS[key](value) if key in _PARTS else value for key, value in schema.items() if key != "$ref"}
    if "$ref" in schema:
        reference = {"$ref": COMPONENTS + schema["$ref"].removeprefix(DEFS)}
        made = {**made, "allOf": [reference]} if made else reference
    return made


def _properties(schemas):
    made = {name: _converted(schema) for name, schema in schemas.items()}
    for name in ("apiVersion", "kind"):                         # the package narrows these two to the kind
        if name in made:
            made[name].pop("enum", None)
    return made


def _type(name):
    return next(one for one in name if one != "null") if isinstance(name, list) else name


def _inner(schema):
    return _converted(schema) if isinstance(schema, dict) else schema


def _several(schemas):
    return [_converted(schema) for schema in schemas]


_PARTS = {"type": _type, "properties": _properties, "items": _inner, "additionalProperties": _inner, "oneOf": _several}
