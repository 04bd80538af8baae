"""Workloads: scales, statuses, revisions, and what their conformance tests ask of each."""
import pytest

from ..builders import a_cluster, a_deployment, a_pod, create, every, get, run
from ..changes import delete, patch, scale, set_image
from .test_ownership import a_controller, owners

SCALED = ("ReplicationController", "ReplicaSet", "StatefulSet", "Deployment")
PATHS = {"ReplicationController": "/api/v1/namespaces/default/replicationcontrollers/web"}


def path_of(kind):
    return PATHS.get(kind, f"/apis/apps/v1/namespaces/default/{kind.lower()}s/web")


def a_set(kind, replicas=1, **spec):
    made = a_controller("ReplicationController" if kind == "ReplicationController" else "ReplicaSet", replicas)
    more = {"serviceName": "web"} if kind == "StatefulSet" else {}
    if kind == "DaemonSet":
        made["spec"].pop("replicas")
    return {**made, "kind": kind, "spec": {**made["spec"], **more, **spec}}


def names(cluster):
    return [pod["metadata"]["name"] for pod in every(cluster, "pods")]


@pytest.mark.parametrize("kind", SCALED)
def test_a_scale_is_read_replaced_and_patched(kind):
    cluster = a_cluster(nodes=2)
    create(cluster, a_set(kind))
    run(cluster, 10)
    path = f"{path_of(kind)}/scale"
    read = cluster.api.http("GET", path).body
    assert (read["kind"], read["spec"]["replicas"], read["status"]["replicas"]) == ("Scale", 1, 1)
    put = cluster.api.http("PUT", path, {}, {**read, "spec": {"replicas": 2}})
    assert (put.code, put.body["spec"]["replicas"]) == (200, 2)
    run(cluster, 20)
    assert len(names(cluster)) == 2
    patched = cluster.api.http("PATCH", path, {}, {"spec": {"replicas": 4}}, "application/merge-patch+json")
    assert patched.body["spec"]["replicas"] == 4
    run(cluster, 40)
    assert cluster.api.http("GET", path).body["status"]["replicas"] == len(names(cluster)) == 4


def test_a_failed_daemon_pod_is_replaced_and_nodes_decide_by_their_labels():
    cluster = a_cluster(nodes=2)
    daemon = a_set("DaemonSet")
    daemon["spec"]["template"]["spec"] = {**daemon["spec"]["template"]["spec"], "nodeSelector": {"color": "blue"}}
    create(cluster, daemon)
    run(cluster, 5)
    assert names(cluster) == []
    patch(cluster, "nodes", "n1", {"metadata": {"labels": {"color": "blue"}}}, None)
    run(cluster, 10)
    [first] = names(cluster)
    patch(cluster, "pods", first, {"status": {"phase": "Failed"}}, subresource="status")
    run(cluster, 60)
    [second] = names(cluster)
    assert second != first
    patch(cluster, "nodes", "n1", {"metadata": {"labels": {"color": "green"}}}, None)
    run(cluster, 60)
    assert names(cluster) == []


def test_a_daemon_set_that_goes_back_leaves_pods_that_have_its_old_template_alone():
    cluster = a_cluster(nodes=3)
    create(cluster, a_set("DaemonSet"))
    run(cluster, 10)
    before = {pod["metadata"]["name"] for pod in every(cluster, "pods")}
    set_daemon_image(cluster, "demo:missing")
    run(cluster, 20)
    kept = before & set(names(cluster))
    assert len(kept) == 2
    set_daemon_image(cluster, "demo:ok")
    run(cluster, 60)
    assert kept < set(names(cluster)) and len(names(cluster)) == 3
    assert all(status["restartCount"] == 0 for pod in every(cluster, "pods") for status in pod["status"]["containerStatuses"])


def set_daemon_image(cluster, image):
    patch(cluster, "daemonsets.apps", "web", {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": image}]}}}})


def test_revisions_of_a_daemon_set_are_counted_up():
    cluster = a_cluster(nodes=1)
    create(cluster, a_set("DaemonSet"))
    run(cluster, 10)
    [first] = every(cluster, "controllerrevisions.apps")
    assert (first["revision"], owners(first)) == (1, ["web"])
    delete(cluster, "controllerrevisions.apps", first["metadata"]["name"])
    run(cluster, 10)
    set_daemon_image(cluster, "demo:next")
    run(cluster, 60)
    set_daemon_image(cluster, "demo:ok")
    run(cluster, 60)
    assert max(each["revision"] for each in every(cluster, "controllerrevisions.apps")) == 3


def test_recreate_never_has_old_and_new_pods_side_by_side(cluster):
    create(cluster, a_deployment("web", 2, strategy={"type": "Recreate"}))
    run(cluster, 10)
    set_image(cluster, "demo:next")
    end = cluster.clock.now + 90_000
    while cluster.clock.now < end and cluster.step():
        images = {pod["spec"]["containers"][0]["image"] for pod in every(cluster, "pods") if pod["status"].get("phase") == "Running"}
        assert len(images) < 2
    assert {pod["spec"]["containers"][0]["image"] for pod in every(cluster, "pods")} == {"demo:next"}


def test_a_deployment_adopts_a_replica_set_that_was_there_and_counts_on_from_its_revision(cluster):
    old = a_set("ReplicaSet")
    create(cluster, {**old, "metadata": {**old["metadata"], "name": "old", "labels": {"app": "web"},
                                         "annotations": {"deployment.kubernetes.io/revision": "3546342826"}}})
    run(cluster, 10)
    create(cluster, a_deployment("web", 1, "demo:next"))
    run(cluster, 60)
    assert owners(get(cluster, "replicasets.apps", "old")) == ["web"] and get(cluster, "replicasets.apps", "old")["spec"]["replicas"] == 0
    assert get(cluster, "deployments.apps", "web")["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "3546342827"


def test_a_second_change_during_a_rollout_gives_up_the_first(cluster):
    create(cluster, a_deployment("web", 3))
    run(cluster, 15)
    set_image(cluster, "demo:missing")
    run(cluster, 5)
    set_image(cluster, "demo:next")
    run(cluster, 60)
    assert {pod["spec"]["containers"][0]["image"] for pod in every(cluster, "pods")} == {"demo:next"}
    sizes = {each["spec"]["template"]["spec"]["containers"][0]["image"]: each["spec"]["replicas"] for each in every(cluster, "replicasets.apps")}
    assert sizes == {"demo:ok": 0, "demo:missing": 0, "demo:next": 3}


def test_a_cron_job_keeps_to_its_concurrency_policy():
    for policy, active in (("Forbid", 1), ("Replace", 1), ("Allow", 2)):
        cluster = a_cluster(nodes=1)
        pod = {"restartPolicy": "Never", "containers": [{"name": "app", "image": "busybox", "command": ["sleep", "300"]}]}
        create(cluster, {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick", "namespace": "default"},
                         "spec": {"schedule": "* * * * *", "concurrencyPolicy": policy, "jobTemplate": {"spec": {"template": {"spec": pod}}}}})
        run(cluster, 70)
        first = [job["metadata"]["name"] for job in every(cluster, "jobs.batch")]
        run(cluster, 60)
        jobs = [job["metadata"]["name"] for job in every(cluster, "jobs.batch")]
        assert len(get(cluster, "cronjobs.batch", "tick")["status"]["active"]) == active
        assert (jobs == first) == (policy == "Forbid") and (first[0] in jobs) == (policy != "Replace")


def test_a_suspended_job_is_patched_replaced_listed_and_started(cluster):
    create(cluster, {**a_controller("Job", 2), "spec": {**a_controller("Job", 2)["spec"], "suspend": True}})
    run(cluster, 5)
    assert names(cluster) == []
    patch(cluster, "jobs.batch", "web", {"metadata": {"labels": {"mine": "yes"}}})
    assert len(cluster.api.http("GET", "/apis/batch/v1/jobs", {"labelSelector": "mine=yes"}).body["items"]) == 1
    patch(cluster, "jobs.batch", "web", {"spec": {"suspend": False}})
    run(cluster, 10)
    assert len(names(cluster)) == get(cluster, "jobs.batch", "web")["status"]["active"] == 2
    delete(cluster, "jobs.batch", "web", "Background")
    run(cluster, 60)
    assert names(cluster) == []


def test_a_replication_controller_says_that_a_quota_stops_it_and_that_it_does_no_longer(cluster):
    create(cluster, {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "few", "namespace": "default"}, "spec": {"hard": {"pods": "2"}}})
    run(cluster, 5)
    create(cluster, a_controller(replicas=3))
    run(cluster, 30)
    condition, = get(cluster, "replicationcontrollers", "web")["status"]["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == ("ReplicaFailure", "True", "FailedCreate")
    scale(cluster, 2, qualified="replicationcontrollers")
    run(cluster, 60)
    assert get(cluster, "replicationcontrollers", "web")["status"].get("conditions") in (None, [])


def test_a_stateful_pod_that_failed_beside_another_is_made_anew():
    cluster = a_cluster(nodes=1)
    port = {"container": {"ports": [{"containerPort": 80, "hostPort": 21017}]}}
    create(cluster, a_pod("squatter", nodeName="n1", **port))
    run(cluster, 5)
    stateful = a_set("StatefulSet")
    stateful["spec"]["template"] = {"metadata": {"labels": {"app": "web"}}, "spec": {
        "nodeName": "n1", "containers": [{"name": "app", "image": "demo:ok", "ports": [{"containerPort": 80, "hostPort": 21017}]}]}}
    create(cluster, stateful)
    uids = set()
    for _ in range(20):
        run(cluster, 0.5)
        pod = get(cluster, "pods", "web-0")
        if pod:
            uids.add(pod["metadata"]["uid"])
    assert len(uids) > 1
    delete(cluster, "pods", "squatter", gracePeriodSeconds=0)
    run(cluster, 120)
    assert get(cluster, "pods", "web-0")["status"]["phase"] == "Running"


def test_a_partition_holds_the_lower_places_at_the_old_template_and_a_deleted_one_comes_back_at_its_own():
    cluster = a_cluster(nodes=2)
    create(cluster, a_set("StatefulSet", 3, updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}))
    run(cluster, 40)
    patch(cluster, "statefulsets.apps", "web", {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "demo:next"}]}}}})
    run(cluster, 60)
    for name in ("web-0", "web-2"):
        delete(cluster, "pods", name)
    run(cluster, 90)
    assert [pod["spec"]["containers"][0]["image"] for pod in every(cluster, "pods")] == ["demo:ok", "demo:ok", "demo:next"]
