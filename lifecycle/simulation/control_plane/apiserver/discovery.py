"""What the server tells about itself: versions, groups, resources, health, and just enough OpenAPI for clients to trust its validation."""
from ...resources import registry

VERSION = {"major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36", "minCompatibilityMajor": "1", "minCompatibilityMinor": "35",
           "gitVersion": "v1.36.2", "gitTreeState": "clean", "compiler": "gc", "platform": "linux/amd64"}
CHECKS = ("ping", "log", "etcd", "poststarthook/start-apiserver-admission-initializer", "poststarthook/generic-apiserver-start-informers",
          "poststarthook/rbac/bootstrap-roles", "poststarthook/scheduling/bootstrap-system-priority-classes", "autoregister-completion")


def document(path, options, server):
    """The document at a path outside the resources, or None."""
    parts = path.strip("/").split("/")
    if parts[0] in ("healthz", "livez", "readyz"):
        return _health(parts[0], "verbose" in options)
    if parts == [""]:
        return {"paths": sorted({f"/apis/{row.group}/{row.version}" if row.group else "/api/v1" for row in rows(server)})}
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
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": f"{group}/{version}" if group else version, "resources": found}


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
    entry = {"resource": row.plural, "responseKind": {"group": row.group, "version": row.version, "kind": row.kind},
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
        places = dict.fromkeys(f"apis/{row.group}/{row.version}" if row.group else f"api/{row.version}" for row in rows(server))
        return {"paths": {place: {"serverRelativeURL": f"/openapi/v3/{place}"} for place in places}}
    if rest[:1] == ["v3"] and len(rest) > 1:
        return _openapi_of(server, rest[1:])
    return None


def _openapi_of(server, place):
    """The part kubectl asks for: whether PATCH of a kind takes fieldValidation and dryRun, so that validation is the server's job."""
    group, version = ("", place[-1]) if place[0] == "api" else (place[-2] if len(place) == 3 else "?", place[-1])
    found = [row for row in rows(server) if (row.group, row.version) == (group, version)]
    if not found:
        return None
    parameters = [{"name": name, "in": "query"} for name in ("dryRun", "fieldManager", "fieldValidation", "force")]
    paths = {row.path("{namespace}", "{name}"): {"patch": {
        "parameters": parameters, "responses": {"200": {"description": "OK"}},
        "x-kubernetes-group-version-kind": {"group": row.group, "version": row.version, "kind": row.kind}}} for row in found}
    return {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": VERSION["gitVersion"]}, "paths": paths}
