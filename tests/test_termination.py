"""Ways in which a Pod ends on its node that the open cases do not tell."""
import pytest

from .builders import a_pod, create, get, run, said

GRACE = 30


def delete(cluster, name, **options):
    body = {"kind": "DeleteOptions", "apiVersion": "v1", **options}
    return cluster.api.http("DELETE", f"/api/v1/namespaces/default/pods/{name}", {}, body)


def timeouts(cluster):
    return [step.facts["timeout"] for step in said(cluster, "StopContainer")]


def test_the_node_side_of_a_graceful_delete_comes_in_order(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    start = cluster.log.seq
    delete(cluster, "web")
    run(cluster, 5)
    told = [step.reason for step in cluster.log.steps if step.seq > start and step.source in ("kubelet", "cri") and "Event" not in step.reason]
    assert told == ["TerminatePod", "PatchPodStatus", "StopContainer", "SendSIGTERM", "ProcessExited", "StopPodSandbox", "CNIDel", "PatchPodStatus",
                    "UnmountVolume", "ContainerExited", "RemoveContainer", "DeletePod"]
    assert get(cluster, "pods", "web") is None


def test_the_sandbox_is_removed_by_the_garbage_collection_of_the_next_minute(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    delete(cluster, "web")
    run(cluster, 70)
    assert [step.at % 60_000 for step in said(cluster, "RemovePodSandbox")] == [0]
    assert len(cluster.queue) == 0
    assert not [key for key in cluster.etcd.disk("node n1") if key.startswith(("pod ", "runtime ", "removed ", "address "))]


def test_an_address_is_free_again_but_not_given_out_at_once(cluster):
    for name in ("a", "b"):
        create(cluster, a_pod(name, nodeName="n1"))
        run(cluster, 5)
        delete(cluster, name)
        run(cluster, 5)
    assert [step.facts["ip"] for step in said(cluster, "CNIAdd")] == ["10.244.1.2", "10.244.1.3"]


@pytest.mark.parametrize(("grace", "killed_after"), [(5, 5), (0, 2), (1, 2)])
def test_a_container_that_ignores_sigterm_is_killed_when_the_grace_is_over(cluster, grace, killed_after):
    create(cluster, a_pod("deaf", nodeName="n1", container={"env": [{"name": "IGNORE_TERM", "value": "1"}]}))
    run(cluster, 5)
    delete(cluster, "deaf", gracePeriodSeconds=grace)
    run(cluster, 10)
    [term], [kill] = said(cluster, "SendSIGTERM"), said(cluster, "SendSIGKILL")
    assert kill.at - term.at == killed_after * 1000


def test_a_forced_delete_leaves_the_kubelet_to_clean_up_alone(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"env": [{"name": "TERM_DELAY", "value": "1"}]}))
    run(cluster, 5)
    delete(cluster, "web", gracePeriodSeconds=0)
    assert get(cluster, "pods", "web") is None
    run(cluster, 5)
    assert [step.facts["code"] for step in said(cluster, "ProcessExited")] == [0]
    assert not [step for step in said(cluster, "DeletePod") if step.source == "kubelet"]


def test_the_same_name_can_be_made_again_while_the_old_container_still_stops(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"env": [{"name": "IGNORE_TERM", "value": "1"}]}))
    run(cluster, 5)
    delete(cluster, "web", gracePeriodSeconds=0)
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 1)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
    run(cluster, 5)
    assert [step.facts["code"] for step in said(cluster, "ProcessExited")] == [137]
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"


def test_a_delete_during_a_pull_is_acted_upon_when_the_container_has_started(cluster):
    create(cluster, a_pod("slow", image="postgres:16", nodeName="n1", container={"env": [{"name": "POSTGRES_PASSWORD", "value": "x"}]}))
    run(cluster, 2)
    assert said(cluster, "PullImage") and not said(cluster, "CreateContainer")
    delete(cluster, "slow")
    run(cluster, 15)
    assert said(cluster, "StartContainer")[0].at < said(cluster, "StopContainer")[0].at
    assert get(cluster, "pods", "slow") is None


def test_a_delete_before_the_volumes_are_there_needs_no_stop(cluster):
    create(cluster, a_pod("stuck", nodeName="n1", volumes=[{"name": "s", "secret": {"secretName": "nope"}}]))
    run(cluster, 5)
    delete(cluster, "stuck")
    run(cluster, 3)
    assert get(cluster, "pods", "stuck") is None
    assert not said(cluster, "StopContainer")


def test_pre_stop_is_paid_from_the_grace(cluster):
    create(cluster, a_pod("web", nodeName="n1", terminationGracePeriodSeconds=10, container={"lifecycle": {"preStop": {"sleep": {"seconds": 3}}}}))
    run(cluster, 5)
    delete(cluster, "web")
    run(cluster, 10)
    assert timeouts(cluster) == [7]


def test_volumes_are_released_after_the_containers_have_ended(cluster):
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"},
             "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    create(cluster, claim)
    write = ["sh", "-c", "cat /d/x; echo was here >> /d/x; trap 'exit 0' TERM; sleep 1000 & wait"]
    pod = a_pod("db", image="busybox", volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}],
                container={"command": write, "volumeMounts": [{"name": "d", "mountPath": "/d"}]})
    create(cluster, pod)
    run(cluster, 10)
    delete(cluster, "db")
    run(cluster, 5)
    expected = ["NodeStageVolume", "NodePublishVolume", "RunPodSandbox",
                "StopPodSandbox", "NodeUnpublishVolume", "NodeUnstageVolume", "ControllerUnpublishVolume"]
    assert [step.reason for step in cluster.log.steps if step.reason in expected] == expected
    # What was written outlives the Pod.
    create(cluster, pod)
    run(cluster, 10)
    assert cluster.components["kubelet"].logs("default", "db", "app", {}) == ("was here\n", None)
