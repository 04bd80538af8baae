"""Discovery and OpenAPI over HTTP: what clients read before they do anything, and keep."""
import pytest
from channels.db import database_sync_to_async as in_thread
from django.db import connections
from django.test.utils import CaptureQueriesContext

from lifecycle import clusters
from lifecycle.kubernetes_api import access, documents, serving
from lifecycle.kubernetes_api.accepting import AGGREGATED, accepted
from lifecycle.kubernetes_api.caller import Caller
from lifecycle.kubernetes_api.requests import Asked

from .wire import SECRET, Wire, a_cluster_with_address, tidy, until_settled  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SHIPS = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ships.sea.example"},
         "spec": {"group": "sea.example", "scope": "Namespaced", "names": {"plural": "ships", "kind": "Ship"}, "versions": [
             {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
              "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}


async def with_ships(pk, manifest=SHIPS):
    assert (await Wire(pk).ask("POST", DEFINITIONS, manifest)).status == 201
    await until_settled(pk)


def groups(document):
    return {item["metadata"].get("name", ""): item for item in document["items"]}


async def test_discovery_comes_in_one_document_to_who_can_read_it():
    wire = Wire(await a_cluster_with_address())
    for path, kinds in (("/api", {"": "pods"}), ("/apis", {"apps": "deployments", "batch": "jobs"})):
        answer = await wire.get(f"{path}?timeout=32s", accept=f"{AGGREGATED},application/json")
        assert answer.headers["content-type"] == AGGREGATED and answer.json["kind"] == "APIGroupDiscoveryList"
        for group, plural in kinds.items():
            assert plural in [entry["resource"] for entry in groups(answer.json)[group]["versions"][0]["resources"]]
    for accept in ("application/json", "*/*", "", "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"):
        answer = await wire.get("/apis", accept=accept)
        assert (answer.json["kind"], answer.headers["content-type"]) == ("APIGroupList", "application/json")
    assert (await wire.get("/api/v1")).json["resources"] and (await wire.get("/apis/apps")).json["kind"] == "APIGroup"


async def test_version_and_health_are_answered():
    wire = Wire(await a_cluster_with_address())
    for path in ("/version", "/version/"):
        assert (await wire.get(path)).json["gitVersion"] == "v1.36.2"
    for path in ("/healthz", "/livez", "/readyz"):
        answer = await wire.get(path)
        assert (answer.body, answer.headers["content-type"]) == (b"ok", "text/plain; charset=utf-8")
    assert b"[+]etcd ok" in (await wire.get("/readyz?verbose")).body


async def test_a_document_that_a_client_has_is_not_sent_again():
    wire = Wire(await a_cluster_with_address())
    for path, headers in (("/apis", {"accept": AGGREGATED}), ("/openapi/v3", {}), ("/openapi/v3/apis/apps/v1", {})):
        first = await wire.get(path, **headers)
        again = await wire.get(path, if_none_match=first.headers["etag"], **headers)
        assert (first.status, again.status, again.body) == (200, 304, b"") and again.headers["etag"] == first.headers["etag"]
        assert (await wire.get(path, if_none_match='"another"', **headers)).status == 200


async def test_a_document_with_its_hash_in_the_address_may_be_kept_for_ever():
    pk = await a_cluster_with_address()
    root = f"/clusters/{pk}/t/{SECRET}"
    index = (await Wire(pk).get("/openapi/v3")).json["paths"]
    assert {"api/v1", "apis/apps/v1", "apis/batch/v1"} <= index.keys()
    for place in index.values():
        url = place["serverRelativeURL"]
        assert url.startswith(f"{root}/openapi/v3/")
        document = await Wire(pk).get(url.removeprefix(root))
        assert "immutable" in document.headers["cache-control"] and document.json["openapi"] == "3.0.0"
        assert "immutable" not in (await Wire(pk).get(url.removeprefix(root).partition("?")[0])).headers["cache-control"]


async def test_documents_hang_together():
    wire = Wire(await a_cluster_with_address())
    for place in ("api/v1", "apis/apps/v1", "apis/apiextensions.k8s.io/v1"):
        document = (await wire.get(f"/openapi/v3/{place}")).json
        schemas = document["components"]["schemas"]
        missing = {reference.removeprefix("#/components/schemas/") for reference in references(document)} - schemas.keys()
        assert not missing
    spec = schemas["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"]["properties"]
    assert spec["$ref"]["type"] == "string"
    pods = (await wire.get("/openapi/v3/api/v1")).json["paths"]["/api/v1/namespaces/{namespace}/pods/{name}"]
    assert {"fieldValidation", "dryRun"} <= {parameter["name"] for parameter in pods["patch"]["parameters"]}
    assert pods["patch"]["x-kubernetes-group-version-kind"] == {"group": "", "version": "v1", "kind": "Pod"}


def references(thing):
    if isinstance(thing, dict):
        if isinstance(thing.get("$ref"), str):
            yield thing["$ref"]
        for inner in thing.values():
            yield from references(inner)
    elif isinstance(thing, list):
        for inner in thing:
            yield from references(inner)


async def test_new_kinds_appear_and_go_again():
    pk = await a_cluster_with_address()
    wire, before = Wire(pk), (await Wire(pk).get("/openapi/v3")).json
    await with_ships(pk)
    assert "sea.example" in groups((await wire.get("/apis", accept=AGGREGATED)).json)
    ships, status = (await wire.get("/apis/sea.example/v1")).json["resources"]
    assert (ships["name"], status["name"]) == ("ships", "ships/status")
    place = (await wire.get("/openapi/v3")).json["paths"]["apis/sea.example/v1"]["serverRelativeURL"]
    schema = (await wire.get(place.removeprefix(f"/clusters/{pk}/t/{SECRET}"))).json["components"]["schemas"]["example.sea.v1.Ship"]
    assert schema["properties"]["spec"]["properties"]["size"] == {"type": "integer"} and schema["x-kubernetes-group-version-kind"][0]["kind"] == "Ship"
    await wire.ask("DELETE", f"{DEFINITIONS}/ships.sea.example")
    await until_settled(pk)
    assert (await wire.get("/apis/sea.example/v1")).status == 404 and (await wire.get("/openapi/v3")).json == before


async def test_a_changed_definition_has_another_hash():
    pk = await a_cluster_with_address()
    await with_ships(pk)
    wire = Wire(pk)
    first = (await wire.get("/openapi/v3")).json["paths"]
    size = [{"op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/type", "value": "string"}]
    await wire.ask("PATCH", f"{DEFINITIONS}/ships.sea.example", size, content_type="application/json-patch+json")
    second = (await wire.get("/openapi/v3")).json["paths"]
    assert first["apis/sea.example/v1"] != second["apis/sea.example/v1"] and first["api/v1"] == second["api/v1"]


async def test_kinds_of_one_cluster_are_not_those_of_another():
    one, other = await a_cluster_with_address(), await a_cluster_with_address()
    await with_ships(one)
    await with_ships(other, {**SHIPS, "spec": {**SHIPS["spec"], "names": {"plural": "ships", "kind": "Boat"}}})
    assert [(await Wire(pk).get("/apis/sea.example/v1")).json["resources"][0]["kind"] for pk in (one, other)] == ["Ship", "Boat"]
    await in_thread(clusters.reset)(one)
    await with_ships(one, {**SHIPS, "spec": {**SHIPS["spec"], "names": {"plural": "ships", "kind": "Raft"}}})
    assert (await Wire(one).get("/apis/sea.example/v1")).json["resources"][0]["kind"] == "Raft"


async def test_a_document_takes_no_lock_and_two_queries():
    pk = await a_cluster_with_address()
    asked = Asked("GET", "/apis", "", b"", "", Caller("user", "test"), accepted(AGGREGATED))

    def ask():
        with CaptureQueriesContext(connections["default"]) as queries:
            documents.document(access.cluster_of(pk, SECRET), "", asked)
        return [query["sql"] for query in queries]

    statements = await serving.serving().readers.run(ask)
    assert len(statements) == 2 and all(statement.startswith("SELECT") for statement in statements)
