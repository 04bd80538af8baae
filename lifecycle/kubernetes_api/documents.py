"""What is answered without touching a cluster: discovery, OpenAPI, version and health. No lock, no transaction, no message.

The documents depend on the set of CustomResourceDefinitions and APIServices alone, and are kept for each such set.
"""
from collections import OrderedDict
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from types import SimpleNamespace
from typing import NamedTuple

from ..models import Resource
from ..simulation.client import Response
from ..simulation.clock import Clock
from ..simulation.control_plane.apiserver import APIServer, discovery
from ..simulation.control_plane.apiserver.errors import Refused, method_not_allowed
from ..simulation.control_plane.etcd import Etcd
from . import open_api_v2
from .accepting import AGGREGATED
from .answers import Answer, answer, line, refusal

DEFINING = ("CustomResourceDefinition", "APIService")
GRANTING = ("ClusterRole", "ClusterRoleBinding", "ServiceAccount")
OPEN_API = "/openapi/v3"
KEPT = 100                     # sets of definitions, and documents of one
YEAR = 365 * 24 * 3600
CHECKED = ((b"cache-control", b"no-cache, private"), (b"vary", b"Accept"))
UNCHANGING = ((b"cache-control", f"public, immutable, max-age={YEAR}".encode()), (b"vary", b"Accept"))


class Document(NamedTuple):
    data: bytes
    hash: str


def is_document(path):
    """Whether a path is none of a resource."""
    parts = path.strip("/").split("/")
    return not (parts[0] == "api" and len(parts) > 2 or parts[0] == "apis" and len(parts) > 3)


def document(cluster, root, asked, known_hash=""):
    """The Answer to a request (requests.Asked) for a document of a cluster whose address is the path `root`; `known_hash` is the client's If-None-Match."""
    if asked.method != "GET":
        return refusal(method_not_allowed())
    refused = _refused(cluster, asked.path, asked.caller)
    if refused is not None:
        return answer(refused)
    if asked.accepted.shape == open_api_v2.MEDIA:
        return Answer(200, open_api_v2.DOCUMENT, open_api_v2.CONTENT_TYPE.encode(), CHECKED)
    path, definitions = asked.path.rstrip("/") or "/", _definitions(cluster)
    if path == OPEN_API:
        return _answer(_document(_index(definitions, root)), known_hash)
    if path.startswith(f"{OPEN_API}/"):
        return _open_api(definitions, path.removeprefix(f"{OPEN_API}/"), asked.query, known_hash)
    return _discovery(definitions, path, asked.query, asked.accepted.aggregated and path in ("/api", "/apis"), known_hash)


def _discovery(definitions, path, query, aggregated, known_hash):
    response = definitions.api.http("GET", path, {"aggregated": "true"} if aggregated else query)
    if not response.ok or isinstance(response.body, str):
        return answer(response)
    return _answer(_document(response.body), known_hash, AGGREGATED.encode() if aggregated else None)


def _open_api(definitions, place, query, known_hash):
    found = definitions.open_api(place)
    if found is None:
        return answer(definitions.api.http("GET", f"{OPEN_API}/{place}"))
    return _answer(found, known_hash, headers=UNCHANGING if f"hash={found.hash}" in query.split("&") else CHECKED)


def _index(definitions, root):
    return {"paths": {place: {"serverRelativeURL": f"{root}{OPEN_API}/{place}?hash={definitions.open_api(place).hash}"} for place in definitions.places()}}


def _document(thing):
    data = line(thing)
    return Document(data, sha256(data).hexdigest().upper())


def _answer(document, known_hash, content_type=None, headers=CHECKED):
    etag = f'"{document.hash}"'
    headers = (*headers, (b"etag", etag.encode()))
    found = Answer(304, b"") if known_hash.removeprefix("W/") == etag else Answer(200, document.data)
    return found._replace(headers=headers, **({"content_type": content_type} if content_type else {}))


# -- who may ---------------------------------------------------------------------------------------------------------------
def _refused(cluster, path, caller):
    """The Response to who may not read a path, or None. For anybody but the administrator the roles of the cluster decide."""
    if caller.is_admin:
        return None
    api = _api(cluster.pk, GRANTING)
    try:
        user, groups = caller.identity(api)
    except Refused as refused:
        return Response(refused.code, refused.status)
    found = api.http("GET", path, user=user, groups=groups)
    return found if found.code == 403 else None


# -- parts of a cluster's store --------------------------------------------------------------------------------------------
class Definitions:
    """The documents of one set of definitions, made when they are first asked for."""

    def __init__(self, api):
        self.api = api
        self.open_api = lru_cache(KEPT)(self._open_api)

    def places(self):
        """The groups and versions that have an OpenAPI document."""
        return discovery.places(self.api)

    def _open_api(self, place):
        """The OpenAPI Document of a group and version, or None."""
        if place in discovery.built_in_places():
            return _built_in(place)
        found = discovery.open_api_of(self.api, place)
        return found and _document(found)


@lru_cache(None)
def _built_in(place):
    return _document(discovery.open_api_of(None, place))


_kept, _lock = OrderedDict(), Lock()


def _definitions(cluster):
    """The Definitions of a cluster as its rows are now."""
    versions = tuple(Resource.objects.filter(cluster=cluster.pk, kind__in=DEFINING).order_by("key").values_list("uid", "resource_version"))
    about = (cluster.pk, cluster.forgotten, versions) if versions else ()           # forgotten: a cluster begun anew has the same uids again
    with _lock:
        found = _kept.pop(about, None) or Definitions(_api(cluster.pk, DEFINING if versions else ()))
        _kept[about] = found
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found


def _api(pk, kinds):
    """An API server over a cluster's objects of some kinds."""
    clock = Clock()
    etcd = Etcd(clock)
    things = Resource.objects.filter(cluster=pk, kind__in=kinds).order_by("created_revision") if kinds else Resource.objects.none()
    etcd.restore(0, 0, things.values_list("key", "created_revision", "manifest"), [], {})
    return APIServer(SimpleNamespace(etcd=etcd, clock=clock, random=None))
