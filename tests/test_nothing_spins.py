"""Who waits for something waits: no component looks at the same thing again and again while virtual time stands nearly still."""
from collections import Counter
from functools import partial

import pytest

from .builders import a_cluster, a_pod, create, every, get, run, said
from .changes import delete, patch

FINALIZER = {"finalizers": ["example.com/hold"]}
MOST = 60                          # looks of one component at one thing in one virtual second


def busiest(cluster, seconds):
    """How often a component looked at one thing in the busiest second of so many that pass."""
    looks = Counter()
    for component in cluster.components.values():
        component.reconcile = partial(counted, cluster.clock, looks, component.name, component.reconcile)
    run(cluster, seconds)
    return max(looks.values(), default=0)


def counted(clock, looks, name, reconcile, key):
    second = name, key, clock.now // 1000
    looks[second] += 1
    assert looks[second] <= MOST, second
    return reconcile(key)


def a_daemon_set(**metadata):
    labels = {"app": "web"}
    return {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "web", "namespace": "default"}, "spec": {
        "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels, **metadata}, "spec": a_pod()["spec"]}}}


def test_a_sync_that_is_due_waits_for_the_next_listing_of_the_runtime():
    hook, probe = {"postStart": {"httpGet": {"port": 80, "path": "/"}}}, {"exec": {"command": ["/tmp/there"]}, "periodSeconds": 2}
    pod = a_pod(container={"lifecycle": hook})
    pod["spec"]["containers"].append({"name": "side", "image": "demo:ok", "imagePullPolicy": "Always", "startupProbe": probe})
    # It should hold whenever one container's back-off happens to end while the other one is started
    for seed in range(20):
        cluster = a_cluster(nodes=1, seed=seed)
        create(cluster, pod)
        assert busiest(cluster, 60)


def test_a_daemon_set_deletes_a_pod_without_a_node_once():
    cluster = a_cluster(nodes=1)
    create(cluster, a_daemon_set(**FINALIZER))
    cluster.stop("scheduler")
    run(cluster, 0.1)
    delete(cluster, "nodes", "n1", namespace=None)
    assert busiest(cluster, 60)


def test_a_kubelet_whose_node_is_gone_tries_to_report_volumes_every_ten_seconds():
    cluster = a_cluster(nodes=1)
    create(cluster, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"},
                     "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}})
    create(cluster, a_pod(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]))
    while not cluster.etcd.get("/registry/pods/default/web")["spec"].get("nodeName"):
        cluster.step()
    delete(cluster, "nodes", "n1", namespace=None)
    assert busiest(cluster, 120)


@pytest.mark.parametrize("metadata", [{}, FINALIZER])
def test_pods_of_a_node_that_is_gone_are_collected_without_hurry(metadata):
    cluster = a_cluster(nodes=1)
    create(cluster, a_daemon_set(**metadata))
    run(cluster, 10)
    delete(cluster, "nodes", "n1", namespace=None)
    assert busiest(cluster, 120)


def test_a_cron_job_deletes_an_old_job_once(cluster):
    template = {"spec": {**a_pod("tick", "busybox", container={"command": ["true"]})["spec"], "restartPolicy": "Never"}}
    create(cluster, {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick", "namespace": "default"},
                     "spec": {"schedule": "* * * * *", "successfulJobsHistoryLimit": 0, "jobTemplate": {"spec": {"template": template}}}})
    run(cluster, 62)
    [job] = every(cluster, "jobs.batch")
    patch(cluster, "jobs.batch", job["metadata"]["name"], {"metadata": FINALIZER})
    assert busiest(cluster, 50)
    # It should have been deleted, once, and wait for its finalizer
    assert [step.facts["controller"] for step in said(cluster, "DeleteJob")] == ["cronjob"]
    assert get(cluster, "jobs.batch", job["metadata"]["name"])["metadata"]["deletionTimestamp"]


@pytest.mark.parametrize("kind", ["DaemonSet", "StatefulSet"])
def test_an_old_revision_is_deleted_once(kind):
    cluster, qualified = a_cluster(nodes=1), f"{kind.lower()}s.apps"
    more = {"serviceName": "web", "replicas": 1} if kind == "StatefulSet" else {}
    made = {**a_daemon_set(), "kind": kind}
    create(cluster, {**made, "spec": {**made["spec"], **more, "revisionHistoryLimit": 0}})
    run(cluster, 10)
    [revision] = every(cluster, "controllerrevisions.apps")
    patch(cluster, "controllerrevisions.apps", revision["metadata"]["name"], {"metadata": FINALIZER})
    patch(cluster, qualified, "web", {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "demo:next"}]}}}})
    assert busiest(cluster, 120)
    assert len(said(cluster, "DeleteControllerRevision")) == 1
