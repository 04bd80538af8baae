"""From CustomResourceDefinitions to Resources."""
from ....apimachinery.schema import custom_schema, schema_for
from ....objects import at, condition
from ....resources import Resource, resource
from ..defaulting.remembering import remembers

DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
SCALE = {"group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"]}


def custom_resources(etcd):
    """The Resources that are served now, in order of the definitions' names; of several versions the stored one first."""
    return [row for definition in etcd.range(resource(DEFINITIONS).prefix()) for row in _served(definition)]


def find(etcd, group, version, plural):
    """The custom Resource at a place in the URL, or None."""
    definition = etcd.get(resource(DEFINITIONS).key("", f"{plural}.{group}"))
    return next((row for row in _served(definition) if row.version == version), None) if definition else None


def find_qualified(etcd, qualified):
    """The custom Resource of a name such as "crontabs.stable.example.com", in its stored version; KeyError if there is none."""
    definition = etcd.get(resource(DEFINITIONS).key("", qualified))
    rows = _served(definition) if definition else []
    if not rows:
        raise KeyError(qualified)
    return rows[0]


@remembers(500)
def _served(definition):
    established = condition(definition, "Established")
    if not established or established["status"] != "True":
        return []
    spec, names = definition["spec"], definition["spec"]["names"]
    versions = sorted((version for version in spec["versions"] if version.get("served")), key=lambda version: not version.get("storage"))
    return [Resource(names["plural"], names["kind"], spec["group"], version["name"], names.get("singular") or names["kind"].lower(),
                     tuple(names.get("shortNames") or ()), tuple(names.get("categories") or ()), spec["scope"] == "Namespaced",
                     subresources=_subresources(version, names["kind"]), storage=f"{spec['group']}/{names['plural']}") for version in versions]


def _subresources(version, kind):
    said = version.get("subresources") or {}
    status = {"status": {"group": "", "version": "", "kind": kind, "verbs": ["get", "patch", "update"]}} if "status" in said else {}
    return {**status, **({"scale": SCALE} if "scale" in said else {})}


def version_of(etcd, row):
    """The entry of `spec.versions` that describes a Resource, or None if it is built in."""
    if "." not in row.group:
        return None
    definition = etcd.get(resource(DEFINITIONS).key("", row.qualified))
    return next((version for version in definition["spec"]["versions"] if version["name"] == row.version), None) if definition else None


def schema_of(etcd, row):
    """The openAPIV3Schema of a custom Resource, or None for built-in kinds."""
    version = version_of(etcd, row)
    return None if version is None else (version.get("schema") or {}).get("openAPIV3Schema") or {}


def type_of(etcd, row):
    """The schema's Type of any Resource."""
    open_api = schema_of(etcd, row)
    return schema_for(row.group, row.version, row.kind) if open_api is None else custom_schema(open_api, row.kind)


def scale_paths(etcd, row):
    """{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"} as lists of keys, without the leading dot."""
    said = at(version_of(etcd, row), "subresources", "scale", default={})
    return {name: path.lstrip(".").split(".") for name, path in said.items()}
