"""The kinds of objects the API serves, as data: one row in `resources.json` per kind, read once.

The rows were taken from the discovery documents of a v1.36 API server.
"""
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from json import loads


@dataclass(frozen=True)
class Resource:
    """One row. `subresources` maps a name to {"kind", "group", "version", "verbs"}; `storage` is the path below /registry."""

    plural: str
    kind: str
    group: str = ""
    version: str = "v1"
    singular: str = ""
    short_names: tuple = ()
    categories: tuple = ()
    namespaced: bool = True
    verbs: tuple = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
    subresources: dict = field(default_factory=dict, hash=False, compare=False)
    storage: str = ""

    @property
    def api_version(self):
        """What stands in an object's `apiVersion`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def qualified(self):
        """"deployments.apps", "pods": how the API server names the resource in messages, and the key for rules about it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def key(self, namespace, name):
        """The store key of an object."""
        return f"/registry/{self.storage}/{namespace}/{name}" if self.namespaced else f"/registry/{self.storage}/{name}"

    def prefix(self, namespace=None):
        """The store prefix of all objects, or of those in a namespace."""
        return f"/registry/{self.storage}/{namespace}" if namespace and self.namespaced else f"/registry/{self.storage}"

    def path(self, namespace=None, name=None, subresource=None):
        """The URL path below the API server's root."""
        text = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        if namespace and self.namespaced:
            text += f"/namespaces/{namespace}"
        text += f"/{self.plural}"
        if name:
            text += f"/{name}"
        return f"{text}/{subresource}" if subresource else text


@lru_cache(1)
def registry():
    """{qualified name: Resource} for everything built in, in discovery order."""
    rows = loads((files(__package__) / "resources.json").read_text())
    made = [Resource(**{name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}) for row in rows]
    return {resource.qualified: resource for resource in made}


@lru_cache(None)
def resource(qualified):
    """The Resource of a qualified name such as "pods" or "deployments.apps"; KeyError if there is none."""
    return registry()[qualified]


@lru_cache(1)
def by_kind():
    """{(apiVersion, kind): Resource}"""
    return {(row.api_version, row.kind): row for row in registry().values()}


@lru_cache(1)
def by_storage():
    """{storage path: Resource}; where two groups share one storage (events), the core one."""
    found = {}
    for row in registry().values():
        found.setdefault(row.storage, row)
    return found


@lru_cache(65536)
def resource_of_key(key):
    """The Resource that a store key belongs to; of a custom resource, what the key says: its group and plural, but neither kind nor version."""
    parts = key.split("/")[2:]
    for length in (1, 2, 3):
        row = by_storage().get("/".join(parts[:length]))
        if row is not None and len(parts) - length == (2 if row.namespaced else 1):
            return row
    if "." in parts[0] and len(parts) in (3, 4):
        return Resource(parts[1], "", parts[0], "", namespaced=len(parts) == 4, storage=f"{parts[0]}/{parts[1]}")
    raise KeyError(key)
