"""URL paths of the Kubernetes API, taken apart (apiserver/pkg/endpoints/request/requestinfo.go)."""
from functools import lru_cache
from typing import NamedTuple

from ...resources import Resource, registry
from .errors import method_not_allowed


class Route(NamedTuple):
    """What a path names: a collection if `name` is empty. `rest` is what follows behind the subresource proxy, with its slash."""

    resource: Resource
    namespace: str
    name: str
    subresource: str
    watch: bool = False             # the old form /api/v1/watch/...
    rest: str = ""


@lru_cache(4096)
def built_in(path):
    """The Route of a path, or None if no built-in resource is there."""
    return route(path, find)


def find(group, version, plural):
    """The built-in Resource, or None."""
    row = registry().get(f"{plural}.{group}" if group else plural)
    return row if row and row.version == version else None


def route(path, lookup):
    """The Route of a path, or None; `lookup(group, version, plural)` knows the resources."""
    parts = path.strip("/").split("/")
    if parts[0] == "api" and len(parts) > 2:
        group, version, rest = "", parts[1], parts[2:]
    elif parts[0] == "apis" and len(parts) > 3:
        group, version, rest = parts[1], parts[2], parts[3:]
    else:
        return None
    watch = rest[0] == "watch" and len(rest) > 1
    rest = rest[1:] if watch else rest
    if rest[0] == "namespaces" and len(rest) > 2 and rest[2] not in ("finalize", "status"):
        found = _placed(lookup(group, version, rest[2]), rest[1], rest[3:])
    else:
        found = _placed(lookup(group, version, rest[0]), "", rest[1:])
    return found and found._replace(watch=watch)


def _placed(row, namespace, rest):
    if row is None or len(rest) > 2 and rest[1] != "proxy" or namespace and not row.namespaced or rest and row.namespaced and not namespace:
        return None
    return Route(row, namespace, *(rest[:2] + ["", ""])[:2], rest="".join(f"/{part}" for part in rest[2:]))


VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete", "GET": "get"}
ON_COLLECTIONS = {"GET": "list", "DELETE": "deletecollection", "POST": "create"}


def verb_of(method, found, watching):
    """Kubernetes' verb for an HTTP method on a Route. Raises Refused (405)."""
    if found.subresource or found.name:
        verb = VERBS.get(method)
    else:
        verb = ON_COLLECTIONS.get(method)
    if verb in ("get", "list") and (watching or found.watch):
        return "watch"
    if verb is None:
        raise method_not_allowed()
    return verb
