"""What clients find out about the server: aggregated discovery by Accept header, or one document a group, built-in and custom kinds alike."""
import json

import pytest
import yaml

from ..kubectl import Learner
from .test_client_libraries import SHIPS

V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
V2BETA1 = V2.replace("v=v2", "v=v2beta1")
PLAIN = "application/json"
# Accept, and the kind and version with which /api and /apis answer
NEGOTIATED = (
    (f"{V2},{PLAIN}", "APIGroupDiscoveryList"), (f"{V2},{V2BETA1},{PLAIN}", "APIGroupDiscoveryList"), (f"{PLAIN};q=0.9,{V2}", None),
    (f"{V2BETA1},{PLAIN}", None), (PLAIN, None), ("*/*", None), (None, None))
LEGACY = {"/api": "APIVersions", "/apis": "APIGroupList"}


@pytest.fixture(scope="module")
def kubectl(server, tmp_path_factory):
    """A cluster with a kind of its own."""
    kubectl = Learner(server).cluster(tmp_path_factory.mktemp("ships"), nodes=1)
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump(SHIPS))
    kubectl("wait crd/ships.sea.example --for=condition=Established --timeout=50s")
    return kubectl


def asked(kubectl, path, accept=None):
    """(content type, document)"""
    status, headers, body = kubectl.request("GET", path, **({"Accept": accept} if accept else {}))
    assert status == 200, body
    return headers["Content-Type"], json.loads(body)


@pytest.mark.parametrize("path", LEGACY)
@pytest.mark.parametrize("accept, aggregated", NEGOTIATED, ids=[str(accept) for accept, _ in NEGOTIATED])
def test_the_accept_header_decides_the_form(kubectl, path, accept, aggregated):
    content_type, document = asked(kubectl, path, accept)
    assert document["kind"] == (aggregated or LEGACY[path])
    if aggregated:
        assert content_type == V2 and document["apiVersion"] == "apidiscovery.k8s.io/v2"
    else:
        assert content_type == PLAIN


def aggregated(kubectl):
    """{group/version: {resource: its entry}} from the two aggregated documents."""
    groups = [group for path in LEGACY for group in asked(kubectl, path, f"{V2},{PLAIN}")[1]["items"]]
    return {"/".join(filter(None, (group["metadata"].get("name"), version["version"]))): {entry["resource"]: entry for entry in version["resources"]}
            for group in groups for version in group["versions"]}


def one_by_one(kubectl):
    """{group/version: {resource: its entry}} from one document a version, subresources as "pods/log"."""
    found = {"v1": asked(kubectl, "/api/v1")[1]}
    for group in asked(kubectl, "/apis")[1]["groups"]:
        assert asked(kubectl, f"/apis/{group['name']}")[1]["versions"] == group["versions"]
        found |= {version["groupVersion"]: asked(kubectl, f"/apis/{version['groupVersion']}")[1] for version in group["versions"]}
    return {name: {entry["name"]: entry for entry in document["resources"]} for name, document in found.items()}


def test_both_forms_say_the_same(kubectl):
    together, apart = aggregated(kubectl), one_by_one(kubectl)
    assert set(together) == set(apart)
    for version, resources in together.items():
        names = set(resources) | {f"{name}/{each['subresource']}" for name, entry in resources.items() for each in entry.get("subresources", ())}
        assert names == set(apart[version]), version
        for name, entry in resources.items():
            legacy = apart[version][name]
            said = entry["responseKind"]["kind"], entry["scope"] == "Namespaced", entry["singularResource"], entry.get("shortNames"), set(entry["verbs"])
            assert said == (legacy["kind"], legacy["namespaced"], legacy["singularName"], legacy.get("shortNames"), set(legacy["verbs"])), (version, name)


def test_a_custom_kind_is_in_both_with_its_subresource(kubectl):
    entry = aggregated(kubectl)["sea.example/v1"]["ships"]
    assert entry["responseKind"] == {"group": "sea.example", "version": "v1", "kind": "Ship"}
    assert [(each["subresource"], set(each["verbs"])) for each in entry["subresources"]] == [("status", {"get", "patch", "update"})]
    assert {"ships", "ships/status"} == set(one_by_one(kubectl)["sea.example/v1"])


def test_drain_and_scale_find_their_subresources(kubectl):
    core, apps = asked(kubectl, "/api/v1")[1]["resources"], asked(kubectl, "/apis/apps/v1")[1]["resources"]
    assert {"name": "pods/eviction", "singularName": "", "namespaced": True, "group": "policy", "version": "v1", "kind": "Eviction",
            "verbs": ["create"]} in core
    scale = next(entry for entry in apps if entry["name"] == "deployments/scale")
    assert (scale["group"], scale["version"], scale["kind"]) == ("autoscaling", "v1", "Scale")


def test_nothing_is_sent_again_that_the_client_has(kubectl):
    for path in LEGACY:
        headers = kubectl.request("GET", path, Accept=f"{V2},{PLAIN}")[1]
        assert kubectl.request("GET", path, **{"Accept": f"{V2},{PLAIN}", "If-None-Match": headers["ETag"]})[0] == 304


def test_a_form_that_there_is_not_is_refused(kubectl):
    status, _, body = kubectl.request("GET", "/api/v1/pods", Accept="application/xml")
    assert status == 406 and json.loads(body)["reason"] == "NotAcceptable"
