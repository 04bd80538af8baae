"""Custom resources: served, watched, defaulted, and fields that nobody knows."""
import json

import pytest

from lifecycle.simulation.client import Request

from ..builders import a_cluster, create, run

PLACE = "/apis/example.com/v1/namespaces/default/things"
SCHEMA = {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3}, "color": {"type": "string"}}},
    "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}
LOOSE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def a_definition(schema=SCHEMA, **version):
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "things.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced",
                     "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, **version}]}}


def a_thing(name="one", **fields):
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": name, "namespace": "default"}, **fields}


@pytest.fixture
def things():
    return with_definition()


def with_definition(*arguments, **version):
    cluster = a_cluster(nodes=1)
    assert create(cluster, a_definition(*arguments, **version)).code == 201
    run(cluster, 10)
    return cluster


def post(cluster, body, validation="Strict"):
    text = body if isinstance(body, str) else json.dumps(body)
    return cluster.api.http("POST", PLACE, {"fieldValidation": validation}, text)


def test_a_definition_is_established_and_shows_up_in_both_kinds_of_discovery(things):
    definition = things.api.http("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com").body
    assert {each["type"]: each["status"] for each in definition["status"]["conditions"]} == {"NamesAccepted": "True", "Established": "True"}
    assert "example.com" in [group["name"] for group in things.api.http("GET", "/apis").body["groups"]]
    aggregated = things.api.http("GET", "/apis", {"aggregated": "v2"}).body["items"]
    group = next(each for each in aggregated if each["metadata"]["name"] == "example.com")
    assert group["versions"][0]["resources"][0]["responseKind"] == {"group": "example.com", "version": "v1", "kind": "Thing"}


def test_a_watch_of_custom_resources_sees_them_come_change_and_go(things):
    since = things.etcd.revision
    post(things, a_thing(spec={"color": "blue"}))
    things.api.http("PATCH", f"{PLACE}/one", {}, {"spec": {"color": "red"}}, "application/merge-patch+json")
    things.api.http("DELETE", f"{PLACE}/one")
    request = Request("watch", things.api.resource("things.example.com"), "default")
    assert [frame["type"] for frame in things.api.watch(request, since)] == ["ADDED", "MODIFIED", "DELETED"]


def test_the_status_of_a_definition_is_read_patched_and_replaced(things):
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com/status"
    condition = {"type": "Tried", "status": "True", "reason": "Testing", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}
    read = things.api.http("GET", path).body
    put = things.api.http("PUT", path, {}, {**read, "status": {**read["status"], "conditions": [*read["status"]["conditions"], condition]}})
    assert "Tried" in [each["type"] for each in put.body["status"]["conditions"]]
    patched = things.api.http("PATCH", path, {}, {"metadata": {"annotations": {"by": "patch"}}}, "application/merge-patch+json")
    assert patched.code == 200


def test_defaults_of_the_schema_are_filled_in_on_writing_and_on_reading(things):
    assert post(things, a_thing(spec={})).body["spec"]["size"] == 3
    # What was stored before the schema had a default has it when it is read.
    definition = a_definition({**SCHEMA, "properties": {**SCHEMA["properties"], "spec": {"type": "object", "properties": {
        **SCHEMA["properties"]["spec"]["properties"], "shape": {"type": "string", "default": "round"}}}}})
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com"
    things.api.http("PATCH", path, {}, {"spec": definition["spec"]}, "application/merge-patch+json")
    run(things, 10)
    assert things.api.http("GET", f"{PLACE}/one").body["spec"]["shape"] == "round"


def test_definitions_are_listed_and_deleted_as_a_collection(things):
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    things.api.http("PATCH", f"{path}/things.example.com", {}, {"metadata": {"labels": {"mine": "yes"}}}, "application/merge-patch+json")
    assert [each["metadata"]["name"] for each in things.api.http("GET", path, {"labelSelector": "mine=yes"}).body["items"]] == ["things.example.com"]
    assert things.api.http("DELETE", path, {"labelSelector": "mine=yes"}).code == 200
    run(things, 60)
    assert things.api.http("GET", PLACE).code == 404


# -- fields that nobody knows ----------------------------------------------------------------------------------------------
def test_a_definition_that_keeps_what_it_does_not_know_takes_any_field():
    cluster = with_definition(LOOSE)
    assert post(cluster, a_thing(spec={"what": {"ever": 1}}, more="yes")).body["spec"] == {"what": {"ever": 1}}


def test_a_valid_object_is_accepted_and_one_with_more_fields_refused(things):
    assert post(things, a_thing(spec={"color": "blue"})).code == 201
    refused = post(things, a_thing("two", spec={"colour": "blue"}))
    assert (refused.code, refused.body["reason"]) == (400, "BadRequest")
    assert 'unknown field "spec.colour"' in refused.body["message"]


def test_a_field_that_is_there_twice_is_refused_even_where_any_field_is_taken():
    cluster = with_definition(LOOSE)
    refused = post(cluster, '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"one","namespace":"default"},"spec":{"a":1,"a":2}}')
    assert refused.code == 400 and 'duplicate field "spec.a"' in refused.body["message"]


def test_unknown_metadata_is_refused_in_the_object_and_in_an_embedded_one():
    embedded = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
    cluster = with_definition({"type": "object", "properties": {"spec": {"type": "object", "properties": {"template": embedded}}}})
    thing = a_thing(spec={"template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "unknownInner": "1"}}})
    refused = post(cluster, {**thing, "metadata": {**thing["metadata"], "unknownOuter": "1"}})
    assert refused.code == 400
    assert 'unknown field "metadata.unknownOuter"' in refused.body["message"]
    assert 'unknown field "spec.template.metadata.unknownInner"' in refused.body["message"]


def test_a_typed_object_with_unknown_and_doubled_fields_is_refused_with_all_of_them(things):
    text = ('{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"default","unknownMeta":"x"},'
            '"spec":{"replicas":1,"replicas":2,"unknown":1,'
            '"selector":{"matchLabels":{"app":"d"}},"template":{"metadata":{"labels":{"app":"d"}},"spec":{"containers":[{"name":"a","image":"demo:ok"}]}}}}')
    refused = things.api.http("POST", "/apis/apps/v1/namespaces/default/deployments", {"fieldValidation": "Strict"}, text)
    assert refused.code == 400
    for complaint in ('unknown field "metadata.unknownMeta"', 'unknown field "spec.unknown"', 'duplicate field "spec.replicas"'):
        assert complaint in refused.body["message"]
