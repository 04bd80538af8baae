"""A Pod on its node: from the binding until it runs, and what can go wrong on the way."""
import pytest

from lifecycle.simulation.state import loaded, saved

from .builders import a_pod, create, every, get, kubectl, run, said
from .freezing import freeze


def states(cluster, name):
    """The STATUS-like state of the container `app` after every change of the Pod, without repetitions."""
    path = []
    for change in cluster.etcd.history:
        if change.key == f"/registry/pods/default/{name}" and change.type != "DELETED":
            for status in change.object.get("status", {}).get("containerStatuses", ()):
                state = status["state"]
                told = state["waiting"].get("reason") if "waiting" in state else state["terminated"]["reason"] if "terminated" in state else "Running"
                if path[-1:] != [told]:
                    path.append(told)
    return path


def events_of(cluster, name):
    return [(event["reason"], event["message"]) for event in every(cluster, "events") if event["involvedObject"]["name"] == name and event["source"]]


def container(cluster, name, number=0):
    return get(cluster, "pods", name)["status"]["containerStatuses"][number]


def test_everything_on_the_node_happens_in_the_kubelets_order(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    asked = [step.reason for step in cluster.log.steps if step.source in ("kubelet", "cri") and "Event" not in step.reason]
    assert asked == ["AdmitPod", "PatchPodStatus", "CreateServiceAccountToken", "MountVolume", "RunPodSandbox", "CNIAdd", "PodSandboxStatus", "PatchPodStatus",
                     "ImageStatus", "PullImage", "ImagePulled", "CreateContainer", "StartContainer", "ContainerStarted", "PatchPodStatus"]
    assert [reason for reason, _ in events_of(cluster, "web")] == ["Pulling", "Pulled", "Created", "Started"]


def test_the_address_comes_with_the_running_container_not_with_the_sandbox(cluster):
    create(cluster, a_pod("web", nodeName="n2"))
    run(cluster, 5)
    changes = [change.object for change in cluster.etcd.history if change.key.endswith("/web") and change.object["kind"] == "Pod"]
    told = [pod["status"] for pod in changes if "startTime" in pod["status"]]
    assert ["podIP" in status for status in told] == [False, False, True]
    assert told[-1]["podIP"].startswith("10.244.2.")
    assert told[-1]["phase"] == "Running"
    assert told[-1]["hostIP"] == "10.0.0.12"


def test_a_healthy_pod_leaves_no_work(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 10)
    assert len(cluster.queue) == 0


def test_a_crashing_container_is_restarted_at_once_and_then_later_and_later(cluster):
    create(cluster, a_pod("crash", nodeName="n1", container={"env": [{"name": "EXIT_AFTER", "value": "0.5"}, {"name": "EXIT_CODE", "value": "1"}]}))
    run(cluster, 200)
    starts = [step.at for step in said(cluster, "StartContainer")]
    waits = [later - earlier for earlier, later in zip(starts, starts[1:])]
    assert waits[0] < 3_000
    for wait, backoff in zip(waits[1:], (10_000, 20_000, 40_000)):
        # It should be counted from the exit, and come some way late, as the kubelet's work queue is.
        assert backoff < wait < 1.5 * backoff + 3_000
    assert container(cluster, "crash")["restartCount"] == len(starts) - 1
    # For most of the wait the status is still that of the exit; the reason for the wait is written by the next sync.
    assert states(cluster, "crash")[:6] == ["ContainerCreating", "Running", "Error", "Running", "Error", "CrashLoopBackOff"]


def test_a_pod_that_may_end_ends_and_keeps_its_exit_code(cluster):
    env = [{"name": "EXIT_AFTER", "value": "2"}, {"name": "EXIT_CODE", "value": "3"}]
    create(cluster, a_pod("job", nodeName="n1", restartPolicy="Never", container={"env": env}))
    run(cluster, 10)
    status = get(cluster, "pods", "job")["status"]
    assert status["phase"] == "Failed"
    assert container(cluster, "job")["state"]["terminated"]["exitCode"] == 3
    assert {condition["type"]: condition.get("reason") for condition in status["conditions"]}["Ready"] == "PodFailed"
    assert said(cluster, "StopPodSandbox")


def test_memory_beyond_the_limit_kills_the_container_not_the_pod(cluster):
    env = [{"name": "ALLOC_MB", "value": "128"}]
    create(cluster, a_pod("oom", nodeName="n1", container={"env": env, "resources": {"limits": {"memory": "64Mi"}}}))
    run(cluster, 3)
    assert container(cluster, "oom")["lastState"]["terminated"]["reason"] == "OOMKilled"
    assert get(cluster, "pods", "oom")["status"]["phase"] == "Running"


@pytest.mark.parametrize(("container_fields", "reason", "message"), [
    ({"envFrom": [{"configMapRef": {"name": "nope"}}]}, "CreateContainerConfigError", 'configmap "nope" not found'),
    ({"command": ["/does/not/exist"]}, "RunContainerError", "no such file or directory"),
    ({"securityContext": {"runAsNonRoot": True}}, "CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
    ({"lifecycle": {"postStart": {"exec": {"command": ["sh", "-c", "exit 4"]}}}}, "PostStartHookError", "exited with 4"),
])
def test_a_container_that_cannot_start_says_why(cluster, container_fields, reason, message):
    create(cluster, a_pod("bad", nodeName="n1", container=container_fields))
    run(cluster, 30)
    assert reason in states(cluster, "bad")
    messages = [status["state"]["waiting"].get("message", "") for change in cluster.etcd.history if change.key.endswith("/pods/default/bad")
                for status in change.object["status"].get("containerStatuses", ()) if "waiting" in status["state"]]
    assert any(message in text for text in messages)


def test_a_container_that_could_not_start_has_an_empty_log(cluster):
    create(cluster, a_pod("bad", nodeName="n1", container={"command": ["/does/not/exist"]}))
    run(cluster, 8)
    assert kubectl(cluster, "kubectl logs bad")["output"] == ""


def test_the_log_of_a_container_that_its_kubelet_has_removed_cannot_be_retrieved(cluster):
    create(cluster, a_pod("loop", "busybox", container={"command": ["sh", "-c", "echo hello; sleep 3; exit 1"]}))
    run(cluster, 12)
    # It should have ended twice now, and one dead container is kept
    (status,) = get(cluster, "pods", "loop")["status"]["containerStatuses"]
    removed = status["lastState"]["terminated"]["containerID"]
    told = kubectl(cluster, "kubectl logs loop --previous")
    assert (told["output"], told["exit"]) == (f"unable to retrieve container logs for {removed}", 0)
    assert kubectl(cluster, "kubectl logs loop")["output"] == "hello\n"


def test_a_pod_without_a_node_has_an_empty_log_and_nothing_to_follow(cluster):
    create(cluster, a_pod("gated", schedulingGates=[{"name": "example.com/wait"}]))
    for options in ("", " -f"):
        told = kubectl(cluster, f"kubectl logs gated{options}")
        assert (told["output"], told["exit"]) == ("", 0)


def test_a_pod_on_its_nodes_network_keeps_to_it_when_the_node_object_is_gone(cluster):
    create(cluster, a_pod("agent", nodeName="n1", hostNetwork=True))
    run(cluster, 0.1)
    kubectl(cluster, "kubectl delete node n1", seconds=10)
    status = get(cluster, "pods", "agent")["status"]
    assert status["phase"] == "Running"
    assert status["podIP"] == status["hostIP"] == "10.0.0.11"


def test_a_missing_secret_keeps_the_pod_from_its_sandbox_until_it_is_there(cluster):
    create(cluster, a_pod("late", nodeName="n1", volumes=[{"name": "s", "secret": {"secretName": "later"}}]))
    run(cluster, 10)
    assert not said(cluster, "RunPodSandbox")
    assert ("FailedMount", 'MountVolume.SetUp failed for volume "s" : secret "later" not found') in events_of(cluster, "late")
    create(cluster, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "later", "namespace": "default"}})
    run(cluster, 20)
    assert get(cluster, "pods", "late")["status"]["phase"] == "Running"


def test_a_node_refuses_what_does_not_fit(cluster):
    create(cluster, a_pod("big", nodeName="n1", container={"resources": {"requests": {"cpu": "64"}}}))
    run(cluster, 2)
    status = get(cluster, "pods", "big")["status"]
    assert (status["phase"], status["reason"]) == ("Failed", "OutOfcpu")
    assert status["message"] == "Pod was rejected: Node didn't have enough resource: cpu, requested: 64000, used: 0, capacity: 2000"


def test_a_deadline_ends_a_pod_that_runs(cluster):
    create(cluster, a_pod("slow", nodeName="n1", activeDeadlineSeconds=5))
    run(cluster, 10)
    status = get(cluster, "pods", "slow")["status"]
    assert (status["phase"], status["reason"]) == ("Failed", "DeadlineExceeded")


def test_a_full_empty_dir_evicts_its_pod(cluster):
    command = ["sh", "-c", "dd if=/dev/zero of=/e/f bs=1M count=20; sleep 1000"]
    create(cluster, a_pod("full", image="busybox", nodeName="n1", volumes=[{"name": "e", "emptyDir": {"sizeLimit": "1Mi"}}],
                          container={"command": command, "volumeMounts": [{"name": "e", "mountPath": "/e"}]}))
    run(cluster, 60)
    status = get(cluster, "pods", "full")["status"]
    assert (status["phase"], status["reason"]) == ("Failed", "Evicted")
    assert status["message"] == 'Usage of EmptyDir volume "e" exceeds the limit "1Mi". '
    assert container(cluster, "full")["state"]["terminated"]["exitCode"] == 137


def test_a_node_that_comes_back_finds_out_what_its_containers_did(cluster):
    create(cluster, a_pod("job", nodeName="n1", restartPolicy="Never", container={"env": [{"name": "EXIT_AFTER", "value": "20"}]}))
    run(cluster, 5)
    cluster.fault("node n1 down")
    run(cluster, 30)
    assert get(cluster, "pods", "job")["status"]["phase"] == "Running"
    cluster.fault("node n1 up")
    run(cluster, 5)
    assert get(cluster, "pods", "job")["status"]["phase"] == "Succeeded"


def test_a_cluster_can_be_put_down_while_shells_run_and_probes_fail(cluster):
    # It should go on in another process exactly as it would have gone on in this one.
    script = "i=0; while true; do i=$((i+1)); echo round $i; [ $i = 5 ] && touch /tmp/bad; sleep 1; done"
    create(cluster, a_pod("sh", image="busybox", nodeName="n1", container={
        "command": ["sh", "-c", script], "livenessProbe": {"exec": {"command": ["test", "!", "-e", "/tmp/bad"]}, "periodSeconds": 1}}))
    create(cluster, a_pod("sick", nodeName="n2", container={
        "env": [{"name": "UNHEALTHY_AFTER", "value": "4"}], "livenessProbe": {"httpGet": {"path": "/healthz", "port": 80}, "periodSeconds": 1}}))
    twin = loaded(saved(cluster), freeze)
    for _ in range(40):
        run(cluster, 1)
        run(twin, 1)
        twin = loaded(saved(twin), freeze)
    assert saved(twin) == saved(cluster)
    assert container(cluster, "sh")["restartCount"] > 0
