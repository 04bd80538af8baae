"""Who owns whom: garbage collection, adoption and release, namespaces and what they hold."""
import pytest

from ..builders import a_cluster, a_deployment, a_pod, a_service, create, every, get, run, said
from ..changes import delete, patch

SPEC = {"containers": [{"name": "app", "image": "demo:ok"}]}


def a_controller(kind="ReplicationController", replicas=2, name="web"):
    template = {"metadata": {"labels": {"app": name}}, "spec": SPEC}
    labels = {"app": name}
    selector = labels if kind == "ReplicationController" else {"matchLabels": labels}
    api_version = "v1" if kind == "ReplicationController" else "batch/v1" if kind == "Job" else "apps/v1"
    spec = {"replicas": replicas, "selector": selector, "template": template}
    if kind == "Job":
        template = {**template, "spec": {**SPEC, "restartPolicy": "Never"}}
        spec = {"parallelism": replicas, "completions": replicas, "manualSelector": True, "selector": selector, "template": template}
        spec["template"]["spec"]["containers"] = [{"name": "app", "image": "busybox", "command": ["sleep", "3600"]}]
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def owners(thing):
    return [each["name"] for each in thing["metadata"].get("ownerReferences", ())]


def owned_by(*pods, **more):
    return [{"apiVersion": "v1", "kind": pod["kind"], "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"], **more} for pod in pods]


# -- garbage collection ----------------------------------------------------------------------------------------------------
def test_pods_of_a_replication_controller_go_stay_or_go_first_as_asked(cluster):
    for policy, expected in (("Background", []), ("Orphan", [[], []])):
        create(cluster, a_controller())
        run(cluster, 10)
        delete(cluster, "replicationcontrollers", "web", policy)
        run(cluster, 60)
        assert [owners(pod) for pod in every(cluster, "pods")] == expected
        for pod in every(cluster, "pods"):
            delete(cluster, "pods", pod["metadata"]["name"], gracePeriodSeconds=0)
    create(cluster, a_controller())
    run(cluster, 10)
    delete(cluster, "replicationcontrollers", "web", "Foreground")
    waiting = get(cluster, "replicationcontrollers", "web")["metadata"]
    assert waiting["finalizers"] == ["foregroundDeletion"] and waiting["deletionTimestamp"]
    while every(cluster, "pods"):
        assert get(cluster, "replicationcontrollers", "web")
        cluster.step()
    run(cluster, 5)
    assert get(cluster, "replicationcontrollers", "web") is None


def test_a_replica_set_goes_with_its_deployment_or_is_left_alone(cluster):
    for policy, left in (("Background", 0), ("Orphan", 1)):
        create(cluster, a_deployment("web", 2))
        run(cluster, 10)
        delete(cluster, "deployments.apps", "web", policy)
        run(cluster, 60)
        assert [owners(each) for each in every(cluster, "replicasets.apps")] == [[]] * left


def test_owners_in_a_circle_do_not_keep_each_other(cluster):
    one, two, three = (create(cluster, a_pod(name)).body for name in ("one", "two", "three"))
    for pod, owner in ((one, three), (two, one), (three, two)):
        patch(cluster, "pods", pod["metadata"]["name"], {"metadata": {"ownerReferences": owned_by(owner, controller=True, blockOwnerDeletion=True)}})
    run(cluster, 5)
    delete(cluster, "pods", "one", "Foreground")
    run(cluster, 90)
    assert every(cluster, "pods") == []


def test_what_has_another_living_owner_stays_when_one_waits_for_its_dependents(cluster):
    create(cluster, a_controller(name="goes"))
    stays = create(cluster, a_controller(name="stays", replicas=0)).body
    run(cluster, 10)
    shared = every(cluster, "pods")[0]["metadata"]["name"]
    patch(cluster, "pods", shared, {"metadata": {"ownerReferences": owned_by(stays)}})
    delete(cluster, "replicationcontrollers", "goes", "Foreground")
    run(cluster, 90)
    assert get(cluster, "replicationcontrollers", "goes") is None
    [pod] = every(cluster, "pods")
    assert pod["metadata"]["name"] == shared and "deletionTimestamp" not in pod["metadata"] and owners(pod) == ["stays"]


# -- adoption and release --------------------------------------------------------------------------------------------------
QUALIFIED = {"ReplicationController": "replicationcontrollers", "ReplicaSet": "replicasets.apps", "Job": "jobs.batch"}


@pytest.mark.parametrize("kind", QUALIFIED)
def test_a_matching_pod_is_adopted_and_one_that_no_longer_matches_released(kind):
    cluster = a_cluster(nodes=1)
    orphan = a_pod("orphan", "busybox", {"app": "web"}, container={"command": ["sleep", "3600"]}, restartPolicy="Never" if kind == "Job" else "Always")
    create(cluster, orphan)
    run(cluster, 5)
    create(cluster, a_controller(kind, 1))
    run(cluster, 10)
    assert owners(get(cluster, "pods", "orphan")) == ["web"] and len(every(cluster, "pods")) == 1
    patch(cluster, "pods", "orphan", {"metadata": {"labels": {"app": "other"}}})
    run(cluster, 20)
    assert owners(get(cluster, "pods", "orphan")) == []
    assert [owners(pod) for pod in every(cluster, "pods") if pod["metadata"]["name"] != "orphan"] == [["web"]]


# -- namespaces ------------------------------------------------------------------------------------------------------------
def test_a_namespace_that_is_made_anew_is_empty(cluster):
    for _ in range(2):
        create(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
        run(cluster, 2)
        assert every(cluster, "pods", "shop") == every(cluster, "services", "shop") == []
        for made in (a_pod(), a_service()):
            assert create(cluster, {**made, "metadata": {**made["metadata"], "namespace": "shop"}}).code == 201
        run(cluster, 10)
        delete(cluster, "namespaces", "shop", namespace=None)
        run(cluster, 90)
        assert get(cluster, "namespaces", "shop", None) is None


def test_a_finalizer_of_a_namespace_is_set_and_taken_away_through_its_own_door(cluster):
    made = create(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}).body
    path = "/api/v1/namespaces/shop/finalize"
    added = cluster.api.http("PUT", path, {}, {**made, "spec": {"finalizers": ["kubernetes", "example.com/hold"]}}).body
    assert added["spec"]["finalizers"] == ["kubernetes", "example.com/hold"]
    taken = cluster.api.http("PUT", path, {}, {**added, "spec": {"finalizers": ["kubernetes"]}}).body
    assert taken["spec"]["finalizers"] == ["kubernetes"]


def test_every_namespace_has_the_certificate_whatever_is_done_to_it(cluster):
    name = "kube-root-ca.crt"
    create(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    run(cluster, 5)
    text = get(cluster, "configmaps", name, "shop")["data"]["ca.crt"]
    delete(cluster, "configmaps", name, namespace="shop")
    run(cluster, 5)
    assert get(cluster, "configmaps", name, "shop")["data"]["ca.crt"] == text
    patch(cluster, "configmaps", name, {"data": {"ca.crt": "mine"}}, "shop")
    run(cluster, 5)
    assert get(cluster, "configmaps", name, "shop")["data"] == {"ca.crt": text}


def test_nobody_waits_when_all_this_is_over(cluster):
    create(cluster, a_controller())
    run(cluster, 10)
    delete(cluster, "replicationcontrollers", "web", "Foreground")
    run(cluster, 120)
    before = len(said(cluster))
    run(cluster, 600)
    assert len(said(cluster)) == before
