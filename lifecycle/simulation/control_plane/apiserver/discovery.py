"""What the server tells about itself: versions, groups, resources, health, and its OpenAPI documents."""
from functools import lru_cache

from ...resources import registry
from . import custom, open_api

VERSION = {"major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36", "minCompatibilityMajor": "1", "minCompatibilityMinor": "35",
           "gitVersion": "v1.36.2", "gitCommit": "98b35193b2ac7a23a673325f5e9b830ecd5ba406", "gitTreeState": "clean", "buildDate": "2026-06-18T00:00:00Z",
           "goVersion": "go1.27.3", "compiler": "gc", "platform": "linux/amd64"}
PATHS = ("/api", "/apis", "/healthz", "/livez", "/openapi/v3", "/readyz", "/version")
SHORT_VERSION = f"{VERSION['major']}.{VERSION['minor']}"
CHECKS = ("ping", "log", "etcd", "poststarthook/start-apiserver-admission-initializer", "poststarthook/generic-apiserver-start-informers",
          "poststarthook/rbac/bootstrap-roles", "poststarthook/scheduling/bootstrap-system-priority-classes", "autoregister-completion")


def document(path, options, server):
    """The document at a path outside the resources, or None."""
    parts = path.strip("/").split("/")
    if parts[0] in ("healthz", "livez", "readyz"):
        return _health(parts[0], "verbose" in options)
    if parts == [""]:
        return {"paths": sorted({*PATHS, *(f"/apis/{group}" for group in _groups(server)), *(f"/{place}" for place in places(server))})}
    function = {"version": lambda *_: VERSION, "api": _api, "apis": _apis, "openapi": _openapi}.get(parts[0])
    return function(parts[1:], server, options) if function else None


def rows(server):
    """Every Resource the server serves, in discovery order."""
    return [*registry().values(), *server.custom_resources()]


def _health(name, verbose):
    if not verbose:
        return "ok"
    return "".join(f"[+]{check} ok\n" for check in CHECKS) + f"{name} check passed\n"


# -- groups ----------------------------------------------------------------------------------------------------------------
def _api(rest, server, options):
    if rest in ([], [""]):
        if "aggregated" in options:
            return aggregated([row for row in rows(server) if not row.group])
        return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": "10.0.0.2:6443"}]}
    return _resources(server, "", rest[0]) if len(rest) == 1 else None


def _apis(rest, server, options):
    if rest in ([], [""]):
        if "aggregated" in options:
            return aggregated([row for row in rows(server) if row.group])
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [_group(server, group) for group in _groups(server)]}
    if len(rest) == 1:
        return {"kind": "APIGroup", "apiVersion": "v1", **_group(server, rest[0])} if rest[0] in _groups(server) else None
    return _resources(server, *rest) if len(rest) == 2 else None


def _groups(server):
    return list(dict.fromkeys(row.group for row in rows(server) if row.group))


def _group(server, group):
    versions = dict.fromkeys(row.version for row in rows(server) if row.group == group)
    named = [{"groupVersion": f"{group}/{version}", "version": version} for version in versions]
    return {"name": group, "versions": named, "preferredVersion": named[0]}


def _resources(server, group, version):
    """An APIResourceList, or None if there is no such group and version."""
    found = [entry for row in rows(server) if (row.group, row.version) == (group, version) for entry in _entries(row)]
    if not found:
        return None
    named = {"apiVersion": "v1"} if group else {}              # the core group's list does not say what it is
    return {"kind": "APIResourceList", **named, "groupVersion": f"{group}/{version}" if group else version, "resources": found}


def _entries(row):
    """A resource and its subresources as legacy discovery lists them."""
    entry = {"name": row.plural, "singularName": row.singular, "namespaced": row.namespaced, "kind": row.kind, "verbs": list(row.verbs)}
    if row.short_names:
        entry["shortNames"] = list(row.short_names)
    if row.categories:
        entry["categories"] = list(row.categories)
    yield entry
    for name, sub in row.subresources.items():
        place = {"group": sub["group"], "version": sub["version"]} if sub.get("group") else {}
        yield {"name": f"{row.plural}/{name}", "singularName": "", "namespaced": row.namespaced, **place, "kind": sub["kind"], "verbs": sub["verbs"]}


def aggregated(found):
    """An APIGroupDiscoveryList of the given resources."""
    groups = {}
    for row in found:
        groups.setdefault(row.group, {}).setdefault(row.version, []).append(_aggregated(row))
    items = [{"metadata": {"name": group} if group else {}, "versions": [
        {"version": version, "resources": listed, "freshness": "Current"} for version, listed in versions.items()]} for group, versions in groups.items()]
    return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items}


def _aggregated(row):
    place = ("", "") if row.qualified in registry() else (row.group, row.version)          # built-in kinds leave out what the entry stands under
    entry = {"resource": row.plural, "responseKind": dict(zip(("group", "version", "kind"), (*place, row.kind))),
             "scope": "Namespaced" if row.namespaced else "Cluster", "singularResource": row.singular, "verbs": list(row.verbs)}
    if row.short_names:
        entry["shortNames"] = list(row.short_names)
    if row.categories:
        entry["categories"] = list(row.categories)
    if row.subresources:
        entry["subresources"] = [{"subresource": name, "responseKind": {key: sub[key] for key in ("group", "version", "kind")}, "verbs": sub["verbs"]}
                                 for name, sub in row.subresources.items()]
    return entry


# -- OpenAPI ---------------------------------------------------------------------------------------------------------------
def _openapi(rest, server, options):
    if rest == ["v3"]:
        return {"paths": {place: {"serverRelativeURL": f"/openapi/v3/{place}"} for place in places(server)}}
    if rest[:1] == ["v3"] and len(rest) > 1:
        return open_api_of(server, "/".join(rest[1:]))
    return None


def places(server):
    """The groups and versions that have a document: "api/v1", "apis/apps/v1", ..."""
    return list(dict.fromkeys(_place(row) for row in rows(server)))


def open_api_of(server, place):
    """The OpenAPI v3 document of a group and version, not to be changed; None if there is no such place. That of a built-in place needs no server."""
    if place in built_in_places():
        return _built_in_document(place)
    found = tuple(row for row in rows(server) if _place(row) == place)
    return open_api.document(found, SHORT_VERSION, lambda row: custom.schema_of(server.etcd, row)) if found else None


def _place(row):
    return row.path().strip("/").rpartition("/")[0]


@lru_cache(1)
def built_in_places():
    """Those of the groups and versions that every server has."""
    return {_place(row) for row in registry().values()}


@lru_cache(None)
def _built_in_document(place):
    return open_api.document([row for row in registry().values() if _place(row) == place], SHORT_VERSION, lambda row: None)
