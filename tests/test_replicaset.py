"""How a ReplicaSet keeps its number of Pods."""
from lifecycle.simulation.clock import Clock
from lifecycle.simulation.control_plane.controllers.replicaset.victims import victims

from .builders import a_cluster, a_pod, create, every, get, run, said
from .changes import delete, history, patch, scale

REPLICASETS = "replicasets.apps"


def a_replicaset(name="web", replicas=3, labels=None, **template):
    labels = labels or {"app": name}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name, "namespace": "default"},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "app", "image": "demo:ok"}], **template}}}}


def running(replicas=3, cluster=None, **template):
    cluster = cluster or a_cluster(cpu="8")
    assert create(cluster, a_replicaset(replicas=replicas, **template)).ok
    run(cluster, 20)
    assert get(cluster, REPLICASETS, "web")["status"]["readyReplicas"] == replicas
    return cluster


def status(cluster):
    found = dict(get(cluster, REPLICASETS, "web")["status"])
    found.pop("observedGeneration")
    return found


def limit(cluster, pods):
    """A quota of so many Pods in the namespace, with its status."""
    hard = {"hard": {"pods": str(pods)}}
    if get(cluster, "resourcequotas", "few") is None:
        create(cluster, {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "few", "namespace": "default"}, "spec": hard})
    patch(cluster, "resourcequotas", "few", {"spec": hard})
    used = str(len(every(cluster, "pods", "default")))
    patch(cluster, "resourcequotas", "few", {"status": {**hard, "used": {"pods": used}}}, subresource="status")
    run(cluster, 5)


def test_pods_are_created_in_batches_that_double(cluster):
    create(cluster, a_replicaset(replicas=11))
    run(cluster, 1)
    times = [step.at for step in said(cluster, "CreatePod")]
    gaps = [after - before for before, after in zip(times, times[1:], strict=False)]
    assert gaps == [4, 1, 4, 1, 1, 1, 4, 1, 1, 1]


def test_a_pod_carries_its_owner_and_the_templates_labels():
    cluster = running(1)
    (pod,) = every(cluster, "pods")
    assert pod["metadata"]["generateName"] == "web-" and pod["metadata"]["labels"] == {"app": "web"}
    uid = get(cluster, REPLICASETS, "web")["metadata"]["uid"]
    assert pod["metadata"]["ownerReferences"] == [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": uid, "controller": True, "blockOwnerDeletion": True}]


def test_the_first_status_speaks_of_the_pods_before_the_sync():
    seen = [each["status"] for each in history(running(3), REPLICASETS, "web")]
    assert seen[1] == {"replicas": 0, "terminatingReplicas": 0, "observedGeneration": 1}
    assert seen[2]["replicas"] == seen[2]["fullyLabeledReplicas"] == 3
    assert seen[-1] == {"replicas": 3, "fullyLabeledReplicas": 3, "readyReplicas": 3, "availableReplicas": 3, "terminatingReplicas": 0, "observedGeneration": 1}


def test_a_terminating_pod_is_replaced_at_once_and_counted_apart():
    cluster = running(2, terminationGracePeriodSeconds=10)
    delete(cluster, "pods", every(cluster, "pods")[0]["metadata"]["name"])
    run(cluster, 0.1)
    assert status(cluster)["replicas"] == 2 and status(cluster)["terminatingReplicas"] == 1
    run(cluster, 30)
    assert status(cluster)["terminatingReplicas"] == 0 and len(every(cluster, "pods")) == 2


def test_scaling_down_deletes_and_says_so():
    cluster = running(5)
    scale(cluster, 2, qualified=REPLICASETS)
    run(cluster, 40)
    assert len(every(cluster, "pods")) == 2
    assert sum(each["reason"] == "SuccessfulDelete" for each in every(cluster, "events")) == 3
    (reconcile,) = [step for step in said(cluster, "ReconcileReplicaSet") if step.facts["delete"]]
    assert reconcile.facts == {"controller": "replicaset", "wanted": 2, "have": 5, "create": 0, "delete": 3}


def test_a_pod_that_loses_the_label_is_released_and_replaced_and_adopted_again():
    cluster = running(2)
    name = every(cluster, "pods")[0]["metadata"]["name"]
    patch(cluster, "pods", name, {"metadata": {"labels": {"app": "debug"}}})
    run(cluster, 10)
    assert "ownerReferences" not in get(cluster, "pods", name)["metadata"]
    assert len(every(cluster, "pods")) == 3
    patch(cluster, "pods", name, {"metadata": {"labels": {"app": "web"}}})
    run(cluster, 40)
    # It should be one of three for a moment, and then one of them has to go.
    assert len(every(cluster, "pods")) == 2 and status(cluster)["replicas"] == 2


def test_a_bare_pod_that_matches_is_adopted_instead_of_a_new_one(cluster):
    create(cluster, a_pod("lonely", labels={"app": "web"}))
    run(cluster, 10)
    running(2, cluster)
    assert get(cluster, "pods", "lonely")["metadata"]["ownerReferences"][0]["name"] == "web"
    assert len(every(cluster, "pods")) == 2


def test_other_labels_than_the_templates_are_not_fully_labeled():
    cluster = running(2)
    patch(cluster, "pods", every(cluster, "pods")[0]["metadata"]["name"], {"metadata": {"labels": {"extra": "yes"}}})
    run(cluster, 2)
    assert status(cluster)["fullyLabeledReplicas"] == 2
    template = {"spec": {"template": {"metadata": {"labels": {"new": "label"}}}}}
    patch(cluster, REPLICASETS, "web", template)
    run(cluster, 2)
    assert "fullyLabeledReplicas" not in status(cluster) and status(cluster)["replicas"] == 2


def test_a_refused_pod_is_said_once_in_the_status_and_tried_again_later_and_later(cluster):
    limit(cluster, 2)
    create(cluster, a_replicaset(replicas=4))
    run(cluster, 10)
    assert len(every(cluster, "pods")) == 2
    (failure,) = status(cluster)["conditions"]
    assert (failure["type"], failure["status"], failure["reason"]) == ("ReplicaFailure", "True", "FailedCreate")
    assert "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2" in failure["message"]
    refused = [step.at for step in said(cluster, "CreatePod") if step.facts.get("code") == 403]
    gaps = [after - before for before, after in zip(refused[-4:], refused[-3:], strict=False)]
    assert gaps == sorted(gaps) and gaps[-1] >= 2 * gaps[0] > 500
    # It should recover by itself once there is room.
    limit(cluster, 10)
    run(cluster, 60)
    assert len(every(cluster, "pods")) == 4 and "conditions" not in status(cluster)


def test_a_refusal_ends_the_batch_it_came_in(cluster):
    limit(cluster, 2)
    create(cluster, a_replicaset(replicas=100))
    run(cluster, 0.015)
    assert [step.facts.get("code") for step in said(cluster, "CreatePod")] == [None, None, 403]


def test_pods_of_a_replicaset_that_goes_are_not_replaced():
    cluster = running(2)
    delete(cluster, REPLICASETS, "web", "Foreground")
    run(cluster, 60)
    assert not every(cluster, "pods") and get(cluster, REPLICASETS, "web") is None
    assert len(said(cluster, "CreatePod", "controller-manager")) == 2


def test_nothing_is_created_again_and_again_in_a_namespace_that_goes(cluster):
    create(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gone"}})
    run(cluster, 1)
    manifest = a_replicaset(replicas=2)
    create(cluster, {**manifest, "metadata": {**manifest["metadata"], "namespace": "gone", "finalizers": ["example.com/stay"]}})
    run(cluster, 10)
    delete(cluster, "namespaces", "gone", namespace="")
    run(cluster, 100)
    assert not every(cluster, "pods", "gone")
    refused = [step for step in said(cluster, "CreatePod") if step.facts.get("code") == 403]
    assert len(refused) == 1 and not [each for each in every(cluster, "events", "gone") if each["reason"] == "FailedCreate"]
    assert "conditions" not in get(cluster, REPLICASETS, "web", "gone")["status"]


class TestVictims:
    """Which Pod goes first."""

    clock = Clock(now=1_000_000)

    def pod(self, name, node="n1", phase="Running", ready_for=100, restarts=0, cost=None):
        since = self.clock.timestamp(1_000_000 - 1000 * (ready_for or 0))
        ready = {"type": "Ready", "status": "True" if ready_for is not None else "False", "lastTransitionTime": since}
        annotations = {"controller.kubernetes.io/pod-deletion-cost": str(cost)} if cost is not None else {}
        return {"metadata": {"name": name, "uid": name, "annotations": annotations, "creationTimestamp": self.clock.timestamp(0)},
                "spec": {"nodeName": node} if node else {},
                "status": {"phase": phase, "conditions": [ready], "containerStatuses": [{"restartCount": restarts}]}}

    def first(self, *pods, related=None):
        return victims(list(pods), 1, related or pods, self.clock)[0]["metadata"]["name"]

    def test_unscheduled_before_scheduled(self):
        assert self.first(self.pod("a", ready_for=1), self.pod("b", node="", phase="Pending", ready_for=None)) == "b"

    def test_pending_before_running(self):
        assert self.first(self.pod("a", ready_for=None), self.pod("b", phase="Pending", ready_for=None)) == "b"

    def test_not_ready_before_ready(self):
        assert self.first(self.pod("a", ready_for=1), self.pod("b", ready_for=None)) == "b"

    def test_the_cheaper_before_the_crowded(self):
        assert self.first(self.pod("a"), self.pod("b"), self.pod("c", node="n2", cost=-1)) == "c"

    def test_the_crowded_before_the_younger(self):
        assert self.first(self.pod("a", node="n2", ready_for=1), self.pod("b"), self.pod("c")) in "bc"

    def test_the_younger_before_the_older(self):
        assert self.first(self.pod("a", ready_for=600), self.pod("b", node="n2", ready_for=3)) == "b"

    def test_ages_of_one_magnitude_count_as_equal_and_the_uid_decides(self):
        assert self.first(self.pod("a", ready_for=99), self.pod("b", node="n2", ready_for=98)) == "a"

    def test_more_restarts_before_fewer(self):
        assert self.first(self.pod("a", restarts=1), self.pod("b", node="n2", restarts=5)) == "b"
