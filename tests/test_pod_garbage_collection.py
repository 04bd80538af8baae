"""The Pod garbage collector: Pods that nobody else will ever remove, and what becomes of those that finalizers hold."""
from .builders import a_pod, create, get, run, said
from .changes import delete, patch

HOLD = {"metadata": {"finalizers": ["example.com/hold"]}}


def held(cluster, **spec):
    """A Pod with a finalizer that nobody takes away."""
    pod = a_pod(**spec)
    create(cluster, {**pod, "metadata": {**pod["metadata"], **HOLD["metadata"]}})


def removals(cluster):
    return [step for step in said(cluster, source="controller-manager") if step.facts["controller"] == "pod-garbage-collector"]


def test_a_pod_of_a_deleted_node_that_a_finalizer_holds_is_failed_and_left_in_peace(cluster):
    held(cluster, nodeSelector={"kubernetes.io/hostname": "n1"})
    run(cluster, 10)
    delete(cluster, "nodes", "n1", namespace=None)
    run(cluster, 120)
    # It should be Failed and deleted without grace, once
    pod = get(cluster, "pods", "web")
    assert pod["status"]["phase"] == "Failed"
    assert pod["metadata"]["deletionGracePeriodSeconds"] == 0
    assert [step.reason for step in removals(cluster)] == ["PatchPodStatus", "DeletePod"]
    # It should not be looked at again and again
    assert not [name for name, _ in cluster.queue.waiting if name == "pod-garbage-collector"]
    patch(cluster, "pods", "web", {"metadata": {"finalizers": None}})
    assert get(cluster, "pods", "web") is None


def test_a_deleted_pod_that_never_had_a_node_is_failed_in_the_next_round(cluster):
    held(cluster, nodeSelector={"disk": "none"})
    run(cluster, 1)
    delete(cluster, "pods", "web")
    run(cluster, 1)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Pending"
    run(cluster, 20)
    # It should have ended, so that whoever counts its end (a Job) can let it go
    assert get(cluster, "pods", "web")["status"]["phase"] == "Failed"
    assert [step.reason for step in removals(cluster)] == ["PatchPodStatus"]
    assert not [name for name, _ in cluster.queue.waiting if name == "pod-garbage-collector"]
