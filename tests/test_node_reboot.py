"""A node's machine starts anew while Pods run on it."""
from .builders import a_pod, create, every, get, kubectl, run, said


def a_rebooted_node(cluster, *pods):
    for pod in pods:
        create(cluster, pod)
    run(cluster, 5)
    cluster.fault("node n1 reboot")
    run(cluster, 45)


def status(cluster, name):
    return get(cluster, "pods", name)["status"]


def reasons(cluster, kind):
    return [event["reason"] for event in every(cluster, "events") if event["involvedObject"]["kind"] == kind]


def test_containers_are_started_again_in_a_new_sandbox_with_a_new_address(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    before = status(cluster, "web")["podIP"]
    a_rebooted_node(cluster)
    after = status(cluster, "web")
    [told] = after["containerStatuses"]
    assert (after["phase"], told["restartCount"], told["ready"]) == ("Running", 1, True)
    assert (told["lastState"]["terminated"]["exitCode"], told["lastState"]["terminated"]["reason"]) == (255, "Unknown")
    assert after["podIP"] != before
    assert "SandboxChanged" in reasons(cluster, "Pod")


def test_the_node_tells_that_it_was_rebooted_and_has_a_new_boot_id(cluster):
    before = get(cluster, "nodes", "n1")["status"]["nodeInfo"]["bootID"]
    a_rebooted_node(cluster)
    assert get(cluster, "nodes", "n1")["status"]["nodeInfo"]["bootID"] != before
    assert {"Starting", "Rebooted"} <= set(reasons(cluster, "Node"))


def test_a_pod_that_must_not_be_restarted_has_failed(cluster):
    a_rebooted_node(cluster, a_pod("once", nodeName="n1", restartPolicy="Never"))
    assert status(cluster, "once")["phase"] == "Failed"
    assert len(said(cluster, "RunPodSandbox")) == 1


def test_init_containers_run_again_and_the_files_of_an_empty_dir_are_still_there(cluster):
    mount = {"volumeMounts": [{"name": "d", "mountPath": "/d"}]}
    init = {"name": "first", "image": "busybox", "command": ["sh", "-c", "echo once more >> /d/x"], **mount}
    pod = a_pod("web", image="busybox", nodeName="n1", initContainers=[init], volumes=[{"name": "d", "emptyDir": {}}],
                container={"command": ["sh", "-c", "cat /d/x; sleep 1000"], **mount})
    a_rebooted_node(cluster, pod)
    assert status(cluster, "web")["initContainerStatuses"][0]["restartCount"] == 1
    assert cluster.components["kubelet"].logs("default", "web", "app", {}) == ("once more\nonce more\n", None)


def test_a_pod_that_was_being_deleted_goes_when_the_node_is_back(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"env": [{"name": "IGNORE_TERM", "value": "1"}]}))
    run(cluster, 5)
    cluster.api.http("DELETE", "/api/v1/namespaces/default/pods/web", {}, None)
    run(cluster, 2)
    a_rebooted_node(cluster)
    assert get(cluster, "pods", "web") is None
    assert not said(cluster, "SendSIGKILL")
    assert len(said(cluster, "CNIDel")) == 1


def test_nothing_happens_on_a_node_that_is_starting(cluster):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    cluster.fault("node n1 reboot")
    start = cluster.log.seq
    run(cluster, 29)
    assert not [step for step in cluster.log.steps if step.seq > start and step.source in ("kubelet", "cri")]
    assert cluster.components["kubelet"].logs("default", "web", "app", {})[1].endswith("no route to host")


def test_a_pod_that_came_and_went_while_the_node_was_away_leaves_nothing_behind(cluster):
    cluster.fault("node n1 down")
    create(cluster, a_pod("brief", nodeName="n1"))
    run(cluster, 1)
    kubectl(cluster, "kubectl delete pod brief --grace-period=0 --force")
    cluster.fault("node n1 up")
    run(cluster, 90)
    assert not [key for key in cluster.etcd.disk("node n1") if key.split()[0] in ("pod", "runtime", "removed")]
