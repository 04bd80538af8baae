"""GET: objects, lists in pages, selectors, tables, watches, and what the server says of itself."""
import pytest

from lifecycle.simulation.client import Request
from lifecycle.simulation.resources import resource

from .builders import a_pod, create

MAPS = "/api/v1/namespaces/kube-public/configmaps"


def names(answer):
    return [thing["metadata"]["name"] for thing in answer.body["items"]]


@pytest.fixture
def maps(cluster):
    for name, tier in (("l0", "a"), ("l1", "b"), ("l2", "b")):
        cluster.api.http("POST", MAPS, None, {"metadata": {"name": name, "labels": {"tier": tier}}})


def test_what_is_missing_is_not_found(cluster):
    answer = cluster.api.http("GET", "/apis/apps/v1/namespaces/default/deployments/nope")

    assert answer.body == {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": 'deployments.apps "nope" not found',
                           "reason": "NotFound", "details": {"name": "nope", "group": "apps", "kind": "deployments"}, "code": 404}


def test_a_long_list_comes_in_pages(cluster, maps):
    first = cluster.api.http("GET", f"{MAPS}?limit=2")
    cluster.api.http("DELETE", f"{MAPS}/l0")
    second = cluster.api.http("GET", MAPS, {"limit": "2", "continue": first.body["metadata"]["continue"]})

    assert names(first) == ["kube-root-ca.crt", "l0"] and first.body["metadata"]["remainingItemCount"] == 2
    assert names(second) == ["l1", "l2"] and "continue" not in second.body["metadata"]
    assert second.body["metadata"]["resourceVersion"] == first.body["metadata"]["resourceVersion"]


@pytest.mark.parametrize(("query", "expected"), [
    ({"labelSelector": "tier=b"}, ["l1", "l2"]),
    ({"labelSelector": "tier in (a),tier"}, ["l0"]),
    ({"labelSelector": "!tier"}, ["kube-root-ca.crt"]),
    ({"fieldSelector": "metadata.name=l1"}, ["l1"]),
    ({"fieldSelector": "metadata.name!=l1", "labelSelector": "tier=b"}, ["l2"]),
])
def test_selectors_choose(cluster, maps, query, expected):
    assert names(cluster.api.http("GET", MAPS, query)) == expected


def test_pods_can_be_chosen_by_their_node(cluster):
    create(cluster, a_pod("a", nodeName="n1"))
    create(cluster, a_pod("b"))

    assert names(cluster.api.http("GET", "/api/v1/pods", {"fieldSelector": "spec.nodeName=n1"})) == ["a"]
    assert names(cluster.api.http("GET", "/api/v1/pods", {"fieldSelector": "spec.nodeName="})) == ["b"]


def test_a_field_that_selects_nothing(cluster):
    answer = cluster.api.http("GET", "/api/v1/pods", {"fieldSelector": "spec.foo=1"})

    assert (answer.code, answer.body["message"]) == (400, "field label not supported: spec.foo")


def test_who_prints_gets_a_table(cluster):
    create(cluster, a_pod())
    table = cluster.api.http("GET", "/api/v1/namespaces/default/pods", accept_table=True).body

    assert table["kind"] == "Table" and table["rows"][0]["cells"][:4] == ["web", "0/1", "Pending", "0"]
    assert table["metadata"]["resourceVersion"] == str(cluster.etcd.revision)


# -- watches ---------------------------------------------------------------------------------------------------------------
def watch(cluster, since, **options):
    request = Request("watch", resource("configmaps"), "kube-public", options=options)
    return [(frame["type"], frame["object"]["metadata"].get("name")) for frame in cluster.api.watch(request, since)]


def label(cluster, name, tier):
    cluster.api.http("PATCH", f"{MAPS}/{name}", None, {"metadata": {"labels": {"tier": tier}}}, "application/merge-patch+json")


def test_a_watch_sees_what_happens_after_its_revision(cluster):
    since = cluster.etcd.revision
    cluster.api.http("POST", MAPS, None, {"metadata": {"name": "a"}})
    label(cluster, "a", "x")
    cluster.api.http("POST", "/api/v1/namespaces/default/configmaps", None, {"metadata": {"name": "elsewhere"}})
    cluster.api.http("DELETE", f"{MAPS}/a")

    assert watch(cluster, since) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]
    assert watch(cluster, cluster.etcd.revision) == []


def test_what_begins_to_match_is_added_and_what_stops_is_deleted(cluster, maps):
    since = cluster.etcd.revision
    label(cluster, "l0", "b")
    label(cluster, "l1", "a")

    assert watch(cluster, since, labelSelector="tier=b") == [("ADDED", "l0"), ("DELETED", "l1")]


def test_a_watch_can_begin_with_what_is_there(cluster, maps):
    opened = watch(cluster, None, sendInitialEvents="true", labelSelector="tier=b")

    assert opened == [("ADDED", "l1"), ("ADDED", "l2"), ("BOOKMARK", None)]


def test_a_revision_that_was_compacted_is_gone(cluster, maps):
    cluster.etcd.compact(cluster.etcd.revision - 1)
    frame, = cluster.api.watch(Request("watch", resource("configmaps"), "kube-public"), 3)

    assert frame["type"] == "ERROR" and frame["object"]["code"] == 410 and frame["object"]["reason"] == "Expired"
    assert frame["object"]["message"] == f"too old resource version: 3 ({cluster.etcd.revision - 1})"


# -- the server itself -----------------------------------------------------------------------------------------------------
def test_discovery_lists_what_is_served(cluster):
    groups = [group["name"] for group in cluster.api.http("GET", "/apis").body["groups"]]
    core = {entry["name"]: entry for entry in cluster.api.http("GET", "/api/v1").body["resources"]}

    assert groups[0] == "apiregistration.k8s.io" and "apps" in groups
    assert core["pods/eviction"] == {"name": "pods/eviction", "singularName": "", "namespaced": True, "group": "policy", "version": "v1", "kind": "Eviction",
                                     "verbs": ["create"]}


def test_validation_is_the_servers_job(cluster):
    index = cluster.api.http("GET", "/openapi/v3").body["paths"]["apis/apps/v1"]["serverRelativeURL"]
    document = cluster.api.http("GET", index).body
    operation = document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"]

    assert "fieldValidation" in [parameter["name"] for parameter in operation["parameters"]]


def test_version_and_health(cluster):
    assert cluster.api.http("GET", "/version").body["gitVersion"] == "v1.36.2"
    assert cluster.api.http("GET", "/readyz").body == "ok"
    assert cluster.api.http("GET", "/nowhere").code == 404
