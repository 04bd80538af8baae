"""Services with their endpoints, volumes with their claims, and small objects with rules of their own."""
import pytest

from ..builders import a_pod, a_service, create, every, get, run
from ..changes import delete, patch


def slices(cluster, service="web"):
    return [each for each in every(cluster, "endpointslices.discovery.k8s.io", "default")
            if each["metadata"]["labels"].get("kubernetes.io/service-name") == service]


def addresses(cluster):
    return sorted((address, port["port"]) for each in slices(cluster) for endpoint in each.get("endpoints") or () for address in endpoint["addresses"]
                  for port in each["ports"])


def ip(cluster, name):
    return get(cluster, "pods", name)["status"]["podIP"]


def test_the_api_server_is_a_service_with_endpoints(cluster):
    service = get(cluster, "services", "kubernetes")
    assert [(port["name"], port["port"]) for port in service["spec"]["ports"]] == [("https", 443)]
    assert get(cluster, "endpoints", "kubernetes")["subsets"] and slices(cluster, "kubernetes")
    found = cluster.api.http("GET", "/api/v1/services").body["items"]
    assert ("default", "kubernetes") in [(each["metadata"]["namespace"], each["metadata"]["name"]) for each in found]


def test_endpoints_follow_the_pods_and_their_ports(cluster):
    ports = [{"name": "first", "port": 80, "targetPort": "web"}, {"name": "second", "port": 81, "targetPort": 101}]
    create(cluster, {**a_service(), "spec": {"selector": {"app": "web"}, "ports": ports}})
    run(cluster, 3)
    assert [each.get("endpoints") or [] for each in slices(cluster)] == [[]] and get(cluster, "endpoints", "web")
    create(cluster, a_pod("one", labels={"app": "web"}, container={"ports": [{"name": "web", "containerPort": 100}]}))
    create(cluster, a_pod("two", labels={"app": "web"}, container={"ports": [{"name": "web", "containerPort": 200}]}))
    run(cluster, 15)
    assert addresses(cluster) == sorted([(ip(cluster, "one"), 100), (ip(cluster, "one"), 101), (ip(cluster, "two"), 101), (ip(cluster, "two"), 200)])
    delete(cluster, "pods", "one", gracePeriodSeconds=0)
    run(cluster, 5)
    assert {address for address, _ in addresses(cluster)} == {ip(cluster, "two")}
    delete(cluster, "services", "web")
    run(cluster, 10)
    assert slices(cluster) == [] and get(cluster, "endpoints", "web") is None


def test_endpoints_made_by_hand_are_mirrored(cluster):
    create(cluster, {**a_service(), "spec": {"ports": [{"port": 80}]}})
    by_hand = {"apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "web", "namespace": "default"},
               "subsets": [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}]}
    create(cluster, by_hand)
    run(cluster, 5)
    assert addresses(cluster) == [("10.1.2.3", 80)]
    patch(cluster, "endpoints", "web", {"subsets": [{"addresses": [{"ip": "10.2.3.4"}], "ports": [{"port": 81}]}]})
    run(cluster, 5)
    assert addresses(cluster) == [("10.2.3.4", 81)]
    delete(cluster, "endpoints", "web")
    run(cluster, 5)
    assert slices(cluster) == []


def test_a_hundred_services_get_their_endpoints_in_time(cluster):
    create(cluster, a_pod(labels={"app": "web"}))
    run(cluster, 10)
    for number in range(100):
        create(cluster, a_service(f"s{number}", {"app": "web"}))
    run(cluster, 20)
    assert all(each["endpoints"] for number in range(100) for each in slices(cluster, f"s{number}"))


@pytest.mark.parametrize(("kind", "field", "more"), [("ConfigMap", "data", {"b": "2"}), ("Secret", "stringData", {"b": "2"})])
def test_what_was_made_immutable_keeps_its_data_and_not_its_labels(cluster, kind, field, more):
    create(cluster, {"apiVersion": "v1", "kind": kind, "metadata": {"name": "web", "namespace": "default"}, field: {"a": "1"}, "immutable": True})
    qualified = f"{kind.lower()}s"
    assert patch(cluster, qualified, "web", {field: more}).code == 422
    assert patch(cluster, qualified, "web", {"immutable": False}).code == 422
    assert patch(cluster, qualified, "web", {"metadata": {"labels": {"a": "b"}}}).code == 200


@pytest.mark.parametrize(("kind", "value"), [("ConfigMap", "x"), ("Secret", "eA==")])
def test_a_key_without_a_name_is_refused(cluster, kind, value):
    refused = create(cluster, {"apiVersion": "v1", "kind": kind, "metadata": {"name": "web", "namespace": "default"}, "data": {"": value}})
    assert refused.code == 422 and refused.body["details"]["causes"][0]["field"] == "data[]"


def test_a_claim_finds_its_volume_and_lets_it_go(cluster):
    create(cluster, {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "disk"}, "spec": {
        "storageClassName": "by-hand", "capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/data"},
        "persistentVolumeReclaimPolicy": "Retain"}})
    create(cluster, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "claim", "namespace": "default"}, "spec": {
        "storageClassName": "by-hand", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}})
    run(cluster, 20)
    assert get(cluster, "persistentvolumeclaims", "claim")["status"]["phase"] == get(cluster, "persistentvolumes", "disk", None)["status"]["phase"] == "Bound"
    delete(cluster, "persistentvolumeclaims", "claim")
    run(cluster, 20)
    assert get(cluster, "persistentvolumeclaims", "claim") is None and get(cluster, "persistentvolumes", "disk", None)["status"]["phase"] == "Released"


def test_a_pod_may_name_an_inline_volume_of_a_driver(cluster):
    volumes = [{"name": "data", "csi": {"driver": "inline.example.com"}}]
    made = create(cluster, a_pod(volumes=volumes))
    assert made.code == 201 and made.body["spec"]["volumes"][0]["csi"]["driver"] == "inline.example.com"
    run(cluster, 5)
    delete(cluster, "pods", "web", gracePeriodSeconds=0)
    run(cluster, 60)
    assert get(cluster, "pods", "web") is None


def test_people_ask_whether_somebody_may_and_the_somebody_agrees(cluster):
    for kind, path, more in (("SubjectAccessReview", "", {}), ("LocalSubjectAccessReview", "namespaces/default/", {"namespace": "default"})):
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": kind, "metadata": more,
                  "spec": {"user": "ann", "resourceAttributes": {"verb": "list", "resource": "configmaps", "namespace": "default"}}}
        answer = cluster.api.http("POST", f"/apis/authorization.k8s.io/v1/{path}{kind.lower()}s", {}, review)
        assert (answer.code, answer.body["status"]["allowed"]) == (201, False)
    assert cluster.api.http("GET", "/api/v1/namespaces/default/configmaps", user="ann").code == 403
