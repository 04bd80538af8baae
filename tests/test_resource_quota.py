"""A ResourceQuota says how much of what a namespace may use, and how much it uses."""
import pytest

from .builders import a_cluster, a_deployment, a_pod, create, every, get, kubectl, run, said
from .changes import delete, patch, set_image


def a_quota(name="q", **hard):
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name, "namespace": "default"},
            "spec": {"hard": {key.replace("_", "."): amount for key, amount in hard.items()}}}


def small(name, **spec):
    return a_pod(name, container={"resources": {"requests": {"cpu": "100m"}}}, **spec)


def used(cluster, name="q"):
    return get(cluster, "resourcequotas", name)["status"]["used"]


@pytest.fixture
def cluster():
    """A cluster whose namespace default may have three Pods with one CPU together."""
    made = a_cluster()
    create(made, a_quota(pods="3", requests_cpu="1"))
    run(made, 1)
    return made


def test_a_new_quota_counts_what_is_there_already():
    cluster = a_cluster()
    create(cluster, small("early"))
    create(cluster, a_quota(pods="3", requests_cpu="1", configmaps="5"))
    run(cluster, 1)
    status = get(cluster, "resourcequotas", "q")["status"]
    assert status == {"hard": {"pods": "3", "requests.cpu": "1", "configmaps": "5"}, "used": {"pods": "1", "requests.cpu": "100m", "configmaps": "1"}}
    (write,) = said(cluster, "UpdateResourceQuotaStatus", source="controller-manager")
    assert write.facts["controller"] == "resourcequota"


def test_what_is_created_is_charged_by_the_api_server_and_given_back_when_it_is_gone(cluster):
    create(cluster, small("a"))
    create(cluster, small("b"))
    assert used(cluster) == {"pods": "2", "requests.cpu": "200m"}
    assert len(said(cluster, "UpdateResourceQuotaStatus", source="apiserver")) == 2
    run(cluster, 10)
    delete(cluster, "pods", "a")
    # It should count a Pod for as long as it is there, and no longer
    assert used(cluster) == {"pods": "2", "requests.cpu": "200m"}
    run(cluster, 10)
    assert get(cluster, "pods", "a") is None
    assert used(cluster) == {"pods": "1", "requests.cpu": "100m"}


def test_a_pod_that_has_ended_uses_nothing(cluster):
    create(cluster, small("job", image="busybox", restartPolicy="Never"))
    assert used(cluster)["pods"] == "1"
    run(cluster, 60)
    assert get(cluster, "pods", "job")["status"]["phase"] == "Succeeded"
    assert used(cluster) == {"pods": "0", "requests.cpu": "0"}


def test_changed_limits_are_in_force_as_soon_as_the_controller_has_seen_them(cluster):
    patch(cluster, "resourcequotas", "q", {"spec": {"hard": {"pods": "0"}}})
    assert get(cluster, "resourcequotas", "q")["status"]["hard"]["pods"] == "3"
    run(cluster, 1)
    assert get(cluster, "resourcequotas", "q")["status"]["hard"]["pods"] == "0"
    refused = create(cluster, small("late"))
    assert refused.code == 403 and "exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0" in refused.body["message"]


def test_a_deployment_beyond_the_quota_says_so_and_goes_on_when_there_is_room(cluster):
    create(cluster, a_deployment(replicas=5, template={"containers": small("x")["spec"]["containers"]}))
    run(cluster, 30)
    (replica_set,) = every(cluster, "replicasets.apps")
    (failure,) = [each for each in replica_set["status"]["conditions"] if each["type"] == "ReplicaFailure"]
    assert failure["reason"] == "FailedCreate" and "exceeded quota: q" in failure["message"]
    assert len(every(cluster, "pods")) == 3
    patch(cluster, "resourcequotas", "q", {"spec": {"hard": {"pods": "10"}}})
    run(cluster, 120)
    assert len(every(cluster, "pods")) == 5
    assert used(cluster) == {"pods": "5", "requests.cpu": "500m"}


def test_objects_of_any_kind_can_be_counted():
    cluster = a_cluster()
    create(cluster, a_quota(**{"count/replicasets_apps": "2"}))
    run(cluster, 1)
    create(cluster, a_deployment(replicas=1))
    run(cluster, 10)
    set_image(cluster, "demo:v2")
    run(cluster, 30)
    assert used(cluster) == {"count/replicasets.apps": "2"}
    delete(cluster, "deployments.apps", "web", "Background")
    run(cluster, 60)
    assert used(cluster) == {"count/replicasets.apps": "0"}


def test_kubectl_shows_what_is_used_and_what_may_be(cluster):
    create(cluster, small("a"))
    printed = kubectl(cluster, "kubectl get quota", seconds=1)["output"]
    assert "pods: 1/3, requests.cpu: 100m/1" in printed


def test_nothing_waits_and_nothing_is_written_while_nothing_changes(cluster):
    run(cluster, 60)
    revision = cluster.etcd.revision
    run(cluster, 3600)
    assert cluster.etcd.revision == revision and cluster.queue.due() is None
