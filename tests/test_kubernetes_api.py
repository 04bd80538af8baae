"""The Kubernetes API over HTTP: who gets in, what is read and what is answered, down to the bytes."""
import base64

import pytest
from channels.db import database_sync_to_async as in_thread

from lifecycle import clusters
from lifecycle.kubernetes_api import application, serving
from lifecycle.models import Cluster

from .builders import a_pod
from .wire import CONFIG_MAPS, METADATA, PODS, TABLE, Wire, a_cluster_with_address, a_config_map, messages_of, tidy, until_settled  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

UNAUTHORIZED = (b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n')
ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"


# -- who gets in -----------------------------------------------------------------------------------------------------------
async def test_only_who_knows_the_secret_gets_in():
    pk = await a_cluster_with_address()
    other = await a_cluster_with_address()
    assert (await Wire(pk).get(PODS)).status == 200
    await in_thread(Cluster.objects.filter(pk=other).update)(api_secret="another")
    for wire in (Wire(pk, "guessed"), Wire(pk, "another"), Wire(pk, ""), Wire(pk + 100), Wire(10 ** 17)):
        for path in (PODS, "/version", "/api", "/openapi/v3", "/healthz"):
            answer = await wire.get(path)
            assert (answer.status, answer.body) == (401, UNAUTHORIZED)


async def test_a_secret_that_was_taken_back_lets_nobody_in():
    pk = await a_cluster_with_address()
    await in_thread(Cluster.objects.filter(pk=pk).update)(api_secret="")
    assert (await Wire(pk).get(PODS)).status == (await Wire(pk, "").get(PODS)).status == 401


async def test_every_credential_behind_the_secret_is_the_administrators():
    pk = await a_cluster_with_address()
    for header in ("Bearer student", "Basic YTpi", ""):
        review = await Wire(pk).ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, authorization=header)
        assert review.status == 201 and review.json["status"]["userInfo"]["username"] == "kubernetes-admin"


async def test_the_token_of_a_service_account_acts_as_it():
    pk = await a_cluster_with_address()
    made = await Wire(pk).ask("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", {})
    token = f"Bearer {made.json['status']['token']}"

    who = await Wire(pk).ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, authorization=token)
    assert who.json["status"]["userInfo"]["username"] == "system:serviceaccount:default:default"
    refused = await Wire(pk).get(PODS, authorization=token)
    assert refused.status == 403 and refused.json["message"] == (
        'pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group "" in the namespace "default"')
    reviewed = await Wire(pk).ask("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {"spec": {"token": made.json["status"]["token"]}})
    assert reviewed.json["status"]["user"]["username"] == "system:serviceaccount:default:default"

    await Wire(pk).ask("DELETE", "/api/v1/namespaces/default/serviceaccounts/default")
    assert (await Wire(pk).get(PODS, authorization=token)).body == UNAUTHORIZED


async def test_impersonation_asks_the_roles_of_the_cluster():
    pk = await a_cluster_with_address()
    refused = await Wire(pk).get(PODS, impersonate_user="bob")
    assert refused.status == 403 and 'User "bob" cannot list resource "pods"' in refused.json["message"]
    assert (await Wire(pk).get(PODS, impersonate_user="bob", impersonate_group="system:masters")).status == 200
    assert (await Wire(pk).get(PODS, impersonate_group="system:masters")).status == 400
    made = await Wire(pk).ask("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", {})
    token = f"Bearer {made.json['status']['token']}"
    refused = await Wire(pk).get(PODS, authorization=token, impersonate_user="bob")
    assert refused.json["message"] == ('users "bob" is forbidden: User "system:serviceaccount:default:default" cannot impersonate resource "users" '
                                       'in API group "" at the cluster scope')


async def test_discovery_asks_the_roles_too():
    pk = await a_cluster_with_address()
    assert (await Wire(pk).get("/apis", impersonate_user="bob")).status == 200
    assert (await Wire(pk).get("/metrics", impersonate_user="bob")).status == 403
    await Wire(pk).ask("DELETE", f"{ROLES}bindings/system:discovery".replace("clusterrolesbindings", "clusterrolebindings"))
    refused = await Wire(pk).get("/apis", impersonate_user="bob")
    assert refused.status == 403 and refused.json["message"] == 'forbidden: User "bob" cannot get path "/apis"'
    assert (await Wire(pk).get("/apis")).status == (await Wire(pk).get("/version", impersonate_user="bob")).status == 200


# -- what is read ----------------------------------------------------------------------------------------------------------
async def test_json_and_yaml_are_read_and_other_bodies_are_refused():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    yaml = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: two}\n"
    assert (await wire.ask("POST", CONFIG_MAPS, a_config_map("one"), content_type="application/json; charset=utf-8")).status == 201
    assert (await wire.ask("POST", CONFIG_MAPS, yaml, content_type="application/yaml")).status == 201
    for media in ("application/cbor", "text/plain", "application/x-www-form-urlencoded"):
        refused = await wire.ask("POST", CONFIG_MAPS, yaml, content_type=media)
        assert (refused.status, refused.json["reason"]) == (415, "UnsupportedMediaType")
    broken = await wire.ask("POST", CONFIG_MAPS, b"{", content_type="application/json")
    assert (broken.status, broken.json["reason"]) == (400, "BadRequest")


async def test_protobuf_is_read():
    pk = await a_cluster_with_address()
    # Unknown{TypeMeta{"v1", "Namespace"}, raw: Namespace{ObjectMeta{name: "blue"}}}
    body = b"k8s\0" + b"\x0a\x0f\x0a\x02v1\x12\x09Namespace" + b"\x12\x08\x0a\x06\x0a\x04blue" + b"\x1a\x00\x22\x00"
    made = await Wire(pk).ask("POST", "/api/v1/namespaces", body, content_type="application/vnd.kubernetes.protobuf")
    assert made.status == 201 and made.json["metadata"]["name"] == "blue"
    broken = await Wire(pk).ask("POST", "/api/v1/namespaces", body[:-9], content_type="application/vnd.kubernetes.protobuf")
    assert (broken.status, broken.json["reason"]) == (400, "BadRequest")


async def test_a_body_that_is_too_large_is_not_read(monkeypatch):
    pk = await a_cluster_with_address()
    monkeypatch.setattr(application, "LARGEST", 100)
    for headers in ({}, {"content_length": "0"}):               # said beforehand, or found out
        refused = await Wire(pk).ask("POST", CONFIG_MAPS, a_config_map(a="x" * 100), **headers)
        assert refused.body == (b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Request entity too large: limit is 100",'
                                b'"reason":"RequestEntityTooLarge","code":413}\n')


async def test_methods_that_the_api_does_not_have_are_refused():
    pk = await a_cluster_with_address()
    for method in ("HEAD", "OPTIONS", "TRACE"):
        for path in (PODS, "/version"):
            refused = await Wire(pk).ask(method, path)
            assert (refused.status, refused.json["reason"]) == (405, "MethodNotAllowed")
    assert (await Wire(pk).ask("POST", "/version", {})).status == 405


async def test_unknown_paths_are_not_found():
    pk = await a_cluster_with_address()
    for path in ("/nowhere", "/api/v2/pods", "/apis/apps/v9/deployments", "/api/v1/nothings", f"{PODS}/web/nothing", "/openapi/v2", "/openapi/v3/apis/no/v1"):
        answer = await Wire(pk).get(path)
        assert (answer.status, answer.json["message"]) == (404, "the server could not find the requested resource")


# -- what is answered ------------------------------------------------------------------------------------------------------
async def test_errors_are_the_bytes_of_a_real_server():
    pk = await a_cluster_with_address()
    missing = await Wire(pk).get(f"{PODS}/nope")
    assert missing.body == (b'{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \\"nope\\" not found","reason":"NotFound",'
                            b'"details":{"name":"nope","kind":"pods"},"code":404}\n')
    assert missing.headers["content-type"] == "application/json" and missing.headers["content-length"] == str(len(missing.body))


async def test_texts_are_escaped_as_go_does_it():
    pk = await a_cluster_with_address()
    made = await Wire(pk).ask("POST", CONFIG_MAPS, a_config_map(page="<b>&</b>\u2028"))
    assert b"\\u003cb\\u003e\\u0026\\u003c/b\\u003e\\u2028" in made.body
    assert made.json["data"]["page"] == "<b>&</b>\u2028"


async def test_a_browser_takes_no_answer_for_a_page():
    pk = await a_cluster_with_address()
    for path in (PODS, "/healthz", "/nowhere"):
        headers = (await Wire(pk).get(path)).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert "set-cookie" not in headers


async def test_warnings_are_headers():
    pk = await a_cluster_with_address()
    made = await Wire(pk).ask("POST", f"{PODS}?fieldValidation=Warn", {**a_pod("web"), "nonsense": 'a "word"'})
    assert made.status == 201 and made.headers["warning"] == '299 - "unknown field \\"nonsense\\""'


async def test_who_prints_gets_a_table_and_who_counts_gets_metadata():
    pk = await a_cluster_with_address()
    await Wire(pk).ask("POST", CONFIG_MAPS, a_config_map("one"))
    table = (await Wire(pk).get(CONFIG_MAPS, accept=TABLE)).json
    assert (table["kind"], table["apiVersion"]) == ("Table", "meta.k8s.io/v1")
    assert [column["name"] for column in table["columnDefinitions"]] == ["Name", "Data", "Age"]
    bare = (await Wire(pk).get(CONFIG_MAPS, accept=METADATA)).json
    assert (bare["kind"], bare["apiVersion"]) == ("PartialObjectMetadataList", "meta.k8s.io/v1")
    assert [set(item) for item in bare["items"]] == [{"kind", "apiVersion", "metadata"}] * 2
    one = (await Wire(pk).get(f"{CONFIG_MAPS}/one", accept=METADATA)).json
    assert (one["kind"], one["metadata"]["name"]) == ("PartialObjectMetadata", "one") and "data" not in one
    refused = await Wire(pk).get(CONFIG_MAPS, accept="text/html")
    assert (refused.status, refused.json["reason"]) == (406, "NotAcceptable")
    assert (await Wire(pk).get(CONFIG_MAPS, accept="application/vnd.kubernetes.protobuf,application/json")).json["kind"] == "ConfigMapList"


async def test_a_list_comes_in_pages():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    for number in range(5):
        await wire.ask("POST", CONFIG_MAPS, a_config_map(f"cm-{number}"))
    names, token = [], ""
    while token is not None:
        page = (await wire.get(f"{CONFIG_MAPS}?limit=2&continue={token}")).json
        names.append([item["metadata"]["name"] for item in page["items"]])
        token = page["metadata"].get("continue")
    assert names == [["cm-0", "cm-1"], ["cm-2", "cm-3"], ["cm-4", "kube-root-ca.crt"]]


async def test_an_object_says_who_owns_its_fields():
    pk = await a_cluster_with_address()
    made = await Wire(pk, agent="my-operator/2.1 (linux)").ask("POST", CONFIG_MAPS, a_config_map("one"))
    again = await Wire(pk).get(f"{CONFIG_MAPS}/one")
    for answer in (made, again):
        owner, = answer.json["metadata"]["managedFields"]
        assert (owner["manager"], owner["operation"]) == ("my-operator", "Update")
    dry = await Wire(pk).ask("POST", f"{CONFIG_MAPS}?dryRun=All", a_config_map("two"))
    assert dry.status == 201 and (await Wire(pk).get(f"{CONFIG_MAPS}/two")).status == 404


async def test_requests_are_seen_as_messages_and_discovery_is_not():
    pk = await a_cluster_with_address()
    before = len(await messages_of(pk))
    for path in ("/api", "/apis", "/version", "/healthz", "/openapi/v3", "/openapi/v3/api/v1"):
        await Wire(pk).get(path)
    assert len(await messages_of(pk)) == before
    await Wire(pk, agent="kubectl/v1.37.1 (linux/amd64)").get(PODS)
    await Wire(pk, agent="OpenAPI-Generator/37.0.2/python").get(PODS)
    assert (await messages_of(pk))[before:] == [("kubectl", "apiserver", "ListPod"), ("apiserver", "kubectl", "Respond"),
                                               ("user", "apiserver", "ListPod"), ("apiserver", "user", "Respond")]


async def test_a_run_of_kubectl_is_told_once():
    pk = await a_cluster_with_address()
    before = len(await messages_of(pk))
    for session in ("one", "one", "two"):
        wire = Wire(pk, agent="kubectl/v1.37.1", **{"kubectl-command": "kubectl get", "kubectl-session": session})
        await wire.get("/api")
        await wire.get(PODS)
    reasons = [reason for _, _, reason in (await messages_of(pk))[before:]]
    assert reasons == ["RunCommand", "ListPod", "Respond", "ListPod", "Respond", "RunCommand", "ListPod", "Respond"]


async def test_a_cluster_whose_client_is_active_moves():
    pk = await a_cluster_with_address("real", speed=1000)
    await in_thread(Cluster.objects.filter(pk=pk).update)(watched_until=0)
    await Wire(pk).ask("POST", PODS, a_pod("web"))
    row = await Cluster.objects.aget(pk=pk)
    assert row.next_due is not None and row.watched_until > 0


# -- limits ----------------------------------------------------------------------------------------------------------------
async def test_too_many_requests_are_sent_away_for_a_while(settings, monkeypatch):
    settings.LIFECYCLE_REQUESTS_A_MINUTE = 2
    monkeypatch.setattr(serving, "time", lambda: 0)
    pk, other = await a_cluster_with_address(), await a_cluster_with_address()
    assert [(await Wire(pk).get(PODS)).status for _ in range(3)] == [200, 200, 429]
    refused = await Wire(pk).get(PODS)
    assert refused.headers["retry-after"] == "1" and refused.json["message"] == "Too many requests, please try again later."
    assert (await Wire(other).get(PODS)).status == 200
    monkeypatch.setattr(serving, "time", lambda: 60)
    assert (await Wire(pk).get(PODS)).status == 200


async def test_a_request_that_fails_is_told_without_a_traceback(monkeypatch, caplog):
    pk = await a_cluster_with_address()
    monkeypatch.setattr(clusters, "request", lambda pk, answer: 1 / 0)
    answer = await Wire(pk).get(PODS)
    assert (answer.status, answer.json["reason"]) == (500, "InternalError") and b"ZeroDivision" not in answer.body
    assert "ZeroDivisionError" in caplog.text and "of-the-test" not in caplog.text


async def test_garbage_is_refused_in_kubernetes_form():
    pk = await a_cluster_with_address()
    for query in ("limit=x", "labelSelector=((", "fieldSelector=spec.nonsense=1", "continue=%00", "resourceVersionMatch=Exact", "sendInitialEvents=true"):
        answer = await Wire(pk).get(f"{PODS}?{query}")
        assert answer.json["kind"] == "Status" and 400 <= answer.status < 500
    for body in (b"\xff\xfe", b"[]", b"null", b'"x"', b"[" * 20_000):
        answer = await Wire(pk).ask("POST", PODS, body, content_type="application/json")
        assert answer.json["kind"] == "Status" and answer.status in (400, 422)
    for token in ("a.b.c", base64.b64encode(b"x").decode(), ".", "a." + "=" * 9):
        assert (await Wire(pk).get(PODS, authorization=f"Bearer {token}")).status == 200
