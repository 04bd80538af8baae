"""Every kind can be found, created, read, listed, watched, changed and deleted, and its status is a door of its own."""
from pathlib import Path

import pytest
import yaml

from lifecycle.simulation.client import Request
from lifecycle.simulation.resources import by_kind

from ..builders import a_cluster, run

OBJECTS = list(yaml.safe_load_all(Path(__file__).with_name("objects.yaml").read_text()))
MERGE = "application/merge-patch+json"
LABEL = {"tried": "yes"}
SELECTED = {"labelSelector": "tried=yes"}


def row_of(thing):
    return by_kind()[thing["apiVersion"], thing["kind"]]


def name_of(thing):
    return thing.get("metadata", {}).get("name", "life")


class Client:
    """Requests about one kind, in the namespace `default` if it has namespaces."""

    def __init__(self, cluster, thing):
        self.cluster, self.thing, self.row = cluster, thing, row_of(thing)

    def path(self, name="", subresource=""):
        return self.row.path("default" if self.row.namespaced else "", name, subresource)

    def ask(self, method, path, body=None, query=None, content_type="application/json"):
        return self.cluster.api.http(method, path, query or {}, body, content_type)

    def create(self, name=None):
        manifest = {**self.thing, "metadata": {"name": name or name_of(self.thing), "labels": LABEL}}
        return self.ask("POST", self.path(), manifest)

    def frames(self, since):
        request = Request("watch", self.row, "default" if self.row.namespaced else "", options=SELECTED)
        return [frame for frame in self.cluster.api.watch(request, since) if frame["object"]["metadata"]["name"] == name_of(self.thing)]


@pytest.fixture(params=OBJECTS, ids=lambda thing: row_of(thing).qualified)
def client(request):
    return Client(a_cluster(nodes=1), request.param)


def test_a_kind_is_found_in_every_document_of_discovery(client):
    row = client.row
    place = f"/apis/{row.group}/{row.version}" if row.group else "/api/v1"
    listed = client.ask("GET", place).body
    assert listed["groupVersion"] == row.api_version
    assert {"name": row.plural, "kind": row.kind, "namespaced": row.namespaced}.items() <= next(
        each for each in listed["resources"] if each["name"] == row.plural).items()
    aggregated = client.ask("GET", "/apis" if row.group else "/api", query={"aggregated": "v2"}).body
    versions = next(group for group in aggregated["items"] if group["metadata"].get("name", "") == row.group)["versions"]
    assert row.plural in [each["resource"] for version in versions if version["version"] == row.version for each in version["resources"]]
    if row.group:
        assert row.group in [group["name"] for group in client.ask("GET", "/apis").body["groups"]]
        assert client.ask("GET", f"/apis/{row.group}").body["preferredVersion"]["groupVersion"] == row.api_version


def test_an_object_is_created_read_listed_watched_changed_and_deleted(client):
    name, before = name_of(client.thing), client.cluster.etcd.revision
    made = client.create()
    assert made.code == 201, made.body
    assert client.create().body["reason"] == "AlreadyExists"

    read = client.ask("GET", client.path(name))
    assert read.body["metadata"]["uid"] == made.body["metadata"]["uid"]
    everywhere = client.ask("GET", client.row.path(), query=SELECTED).body
    assert everywhere["kind"] == f"{client.row.kind}List" and [each["metadata"]["name"] for each in everywhere["items"]] == [name]

    patched = client.ask("PATCH", client.path(name), {"metadata": {"annotations": {"patched": "true"}}}, content_type=MERGE)
    assert (patched.code, patched.body["metadata"]["annotations"]["patched"]) == (200, "true"), patched.body
    replaced = client.ask("PUT", client.path(name), {**patched.body, "metadata": {**patched.body["metadata"], "annotations": {"replaced": "true"}}})
    assert replaced.code == 200, replaced.body
    assert replaced.body["metadata"]["annotations"]["replaced"] == "true" and "patched" not in replaced.body["metadata"]["annotations"]

    gone = client.ask("DELETE", client.path(name), {"gracePeriodSeconds": 0})
    assert gone.code == 200, gone.body
    run(client.cluster, 60)
    assert client.ask("GET", client.path(name)).code == 404
    seen = [frame["type"] for frame in client.frames(before)]
    assert (seen[0], seen[-1]) == ("ADDED", "DELETED") and seen.count("MODIFIED") >= 2


@pytest.mark.parametrize("thing", [each for each in OBJECTS if "deletecollection" in row_of(each).verbs], ids=lambda thing: row_of(thing).qualified)
def test_a_collection_is_deleted_by_label_and_nothing_else_with_it(thing):
    client = Client(a_cluster(nodes=1), thing)
    names = [name_of(thing)] if client.row.kind == "CustomResourceDefinition" else ["one", "two"]
    assert [client.create(name).code for name in names] == [201] * len(names)
    assert client.ask("DELETE", client.path(), {"gracePeriodSeconds": 0}, query={"labelSelector": "tried=never"}).code == 200
    assert len(client.ask("GET", client.path(), query=SELECTED).body["items"]) == len(names)
    assert client.ask("DELETE", client.path(), {"gracePeriodSeconds": 0}, query=SELECTED).code == 200
    run(client.cluster, 60)
    assert client.ask("GET", client.path(), query=SELECTED).body["items"] == []


CONDITION = {"type": "Tried", "status": "True", "reason": "Testing", "message": "it is tried", "lastTransitionTime": "2026-01-01T00:00:00Z"}
STATUS = {
    "ResourceQuota": {"hard": {"pods": "9"}, "used": {"pods": "3"}},
    "PersistentVolume": {"phase": "Failed", "reason": "Tried", "message": "it is tried"},
    "HorizontalPodAutoscaler": {"currentReplicas": 1, "desiredReplicas": 2},
    "Ingress": {"loadBalancer": {"ingress": [{"ip": "203.0.113.9"}]}},
    "Service": {"loadBalancer": {"ingress": [{"ip": "203.0.113.9"}]}},
    "CronJob": {"lastScheduleTime": "2026-01-01T00:00:00Z"},
    "PodDisruptionBudget": {"currentHealthy": 1, "desiredHealthy": 1, "disruptionsAllowed": 0, "expectedPods": 1},
    "VolumeAttachment": {"attached": True, "attachmentMetadata": {"device": "sdb"}},
    "ValidatingAdmissionPolicy": {"observedGeneration": 1},
    "CertificateSigningRequest": {"conditions": [{**CONDITION, "type": "Failed"}]},
}


def says(found, wanted):
    """Whether all that is wanted is there, whatever there is beside it (empty times of a condition)."""
    if isinstance(wanted, dict):
        return all(name in found and says(found[name], value) for name, value in wanted.items())
    if isinstance(wanted, list):
        return all(any(says(each, one) for each in found) for one in wanted)
    return found == wanted


WITH_STATUS = [thing for thing in OBJECTS if "status" in row_of(thing).subresources]


@pytest.mark.parametrize("thing", WITH_STATUS, ids=lambda thing: row_of(thing).qualified)
def test_the_status_is_read_and_changed_through_its_own_door(thing):
    client, name = Client(a_cluster(nodes=1), thing), name_of(thing)
    if client.row.kind == "Service":
        client.thing = {**thing, "spec": {**thing["spec"], "type": "LoadBalancer"}}
    client.create()
    status = STATUS.get(client.row.kind, {"conditions": [CONDITION]})
    before = client.ask("GET", client.path(name, "status")).body
    patched = client.ask("PATCH", client.path(name, "status"), {"status": status, "spec": {"unheard": "of"}, "metadata": {"annotations": {"by": "patch"}}},
                         content_type=MERGE)
    assert patched.code == 200, patched.body
    assert says(patched.body["status"], status)
    # It should leave the spec alone, whatever the patch says of it.
    assert patched.body.get("spec") == before.get("spec")

    put = client.ask("PUT", client.path(name, "status"), {**patched.body, "status": {**patched.body["status"], **status}, "spec": before.get("spec")})
    assert put.code == 200, put.body
    read = client.ask("GET", client.path(name)).body
    assert says(read["status"], status)


def test_a_certificate_request_is_approved_by_its_own_door():
    thing = next(each for each in OBJECTS if each["kind"] == "CertificateSigningRequest")
    client = Client(a_cluster(nodes=1), thing)
    made = client.create().body
    approval = {**CONDITION, "type": "Approved", "lastUpdateTime": "2026-01-01T00:00:00Z"}
    approved = client.ask("PUT", client.path("life", "approval"), {**made, "status": {"conditions": [approval]}})
    assert (approved.code, approved.body["status"]["conditions"][0]["type"]) == (200, "Approved"), approved.body
