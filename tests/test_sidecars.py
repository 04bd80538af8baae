"""Init containers and native sidecars: who starts when, and what they mean for the Pod's end."""
from .builders import a_pod, create, get, run, said

UNTIL_TERM = "trap 'exit 0' TERM; while true; do sleep 0.2; done"


def shell(name, text, **fields):
    return {"name": name, "image": "busybox", "command": ["sh", "-c", text], **fields}


def starts(cluster):
    return [step.facts["container"] for step in said(cluster, "StartContainer")]


def test_init_containers_run_one_after_the_other_before_the_rest(cluster):
    create(cluster, a_pod("web", nodeName="n1", initContainers=[shell("one", "sleep 2"), shell("two", "sleep 2")]))
    run(cluster, 10)
    assert starts(cluster) == ["one", "two", "app"]
    ends = [step.at for step in said(cluster, "ProcessExited")]
    assert [step.at > end for step, end in zip(said(cluster, "StartContainer")[1:], ends)] == [True, True]


def test_a_failing_init_container_is_tried_again_in_the_same_sandbox(cluster):
    text = "[ -e /s/seen ] && exit 0; touch /s/seen; exit 1"
    mount = {"volumeMounts": [{"name": "s", "mountPath": "/s"}]}
    create(cluster, a_pod("web", nodeName="n1", volumes=[{"name": "s", "emptyDir": {}}], initContainers=[shell("once", text, **mount)]))
    run(cluster, 10)
    assert starts(cluster) == ["once", "once", "app"]
    assert len(said(cluster, "RunPodSandbox")) == 1
    assert get(cluster, "pods", "web")["status"]["initContainerStatuses"][0]["restartCount"] == 1


def test_a_failing_init_container_fails_a_pod_that_may_not_restart(cluster):
    create(cluster, a_pod("web", nodeName="n1", restartPolicy="Never", initContainers=[shell("bad", "exit 7")]))
    run(cluster, 10)
    status = get(cluster, "pods", "web")["status"]
    assert status["phase"] == "Failed"
    assert status["containerStatuses"][0]["state"] == {"waiting": {"reason": "PodInitializing"}}


def test_a_sidecar_lets_the_next_one_start_when_its_startup_probe_has_succeeded(cluster):
    probe = {"exec": {"command": ["test", "-e", "/tmp/ok"]}, "periodSeconds": 1, "failureThreshold": 30}
    side = shell("side", f"sleep 3; touch /tmp/ok; {UNTIL_TERM}", restartPolicy="Always", startupProbe=probe)
    create(cluster, a_pod("web", nodeName="n1", initContainers=[side]))
    run(cluster, 10)
    side, app = said(cluster, "StartContainer")
    assert 3_000 < app.at - side.at < 5_000
    status = get(cluster, "pods", "web")["status"]
    assert [one["ready"] for one in (*status["initContainerStatuses"], *status["containerStatuses"])] == [True, True]


def test_a_sidecar_does_not_keep_a_finished_pod_alive(cluster):
    create(cluster, a_pod("job", image="busybox", nodeName="n1", restartPolicy="Never", initContainers=[shell("side", UNTIL_TERM, restartPolicy="Always")],
                          container={"command": ["sh", "-c", "sleep 2"]}))
    run(cluster, 10)
    assert get(cluster, "pods", "job")["status"]["phase"] == "Succeeded"
    assert [step.facts["container"] for step in said(cluster, "ProcessExited")] == ["app", "side"]


def test_a_sidecar_is_restarted_whatever_the_pods_policy_says(cluster):
    create(cluster, a_pod("web", nodeName="n1", restartPolicy="Never", initContainers=[shell("side", "sleep 1; exit 1", restartPolicy="Always")]))
    run(cluster, 8)
    assert get(cluster, "pods", "web")["status"]["initContainerStatuses"][0]["restartCount"] == 1
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"


def test_init_containers_wait_for_a_service_to_appear(cluster):
    create(cluster, a_pod("web", nodeName="n1", initContainers=[shell("wait", "until nslookup db; do echo waiting; sleep 2; done")]))
    run(cluster, 20)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Pending"
    create(cluster, {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "db", "namespace": "default"}, "spec": {"ports": [{"port": 80}]}})
    run(cluster, 5)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
    assert "waiting\n" in cluster.components["kubelet"].logs("default", "web", "wait", {})[0]
