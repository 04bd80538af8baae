"""A node runs short of memory or disk: its kubelet says so, evicts Pods one by one, and takes no new ones."""
import pytest

from lifecycle.simulation.objects import condition

from .builders import a_cluster, a_deployment, a_pod, create, every, get, kubectl, run, said

HERE = {"nodeName": "n1"}
MEMORY, DISK = "node.kubernetes.io/memory-pressure", "node.kubernetes.io/disk-pressure"


def using(name, megabytes, requests=None, **spec):
    """A Pod on n1 that holds so many MiB; the teaching image takes 8 of them."""
    resources = {"resources": {"requests": requests}} if requests else {}
    return a_pod(name, container={"env": [{"name": "ALLOC_MB", "value": str(megabytes - 8)}], **resources}, **HERE, **spec)


def started(*pods, nodes=1, memory="4Gi"):
    """A cluster in which these Pods run."""
    cluster = a_cluster(nodes=nodes, memory=memory)
    for pod in pods:
        assert create(cluster, pod).ok
    run(cluster, 20)
    return cluster


def evicted(cluster):
    """The names of the Pods that were evicted, in order."""
    return [step.facts["pod"] for step in said(cluster, "EvictPod")]


def node_condition(cluster, kind):
    found = condition(get(cluster, "nodes", "n1", ""), kind)
    return found["status"], found["reason"], found["message"]


def taints(cluster):
    return [(taint["key"], taint["effect"]) for taint in get(cluster, "nodes", "n1", "")["spec"].get("taints") or ()]


def events(cluster, name):
    """(type, reason, message) of the Events about an object."""
    return [(event["type"], event["reason"], event["message"]) for event in every(cluster, "events") if event["involvedObject"]["name"] == name]


# -- memory -----------------------------------------------------------------------------------------------------------------
def test_a_node_short_of_memory_says_so_and_is_tainted():
    cluster = started(using("web", 300))
    assert node_condition(cluster, "MemoryPressure") == ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available")
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 12)
    assert node_condition(cluster, "MemoryPressure") == ("True", "KubeletHasInsufficientMemory", "kubelet has insufficient memory available")
    assert taints(cluster) == [(MEMORY, "NoSchedule")]
    told = events(cluster, "n1")
    assert ("Warning", "EvictionThresholdMet", "Attempting to reclaim memory") in told
    assert ("Normal", "NodeHasInsufficientMemory", "Node n1 status is now: NodeHasInsufficientMemory") in told


def test_the_evicted_pod_fails_says_why_and_stays():
    cluster = started(using("web", 300, {"memory": "100Mi"}))
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 20)
    status = get(cluster, "pods", "web")["status"]
    text = ("The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. "
            "Container app was using 300Mi, request is 100Mi, has larger consumption of memory. ")
    assert (status["phase"], status["reason"], status["message"]) == ("Failed", "Evicted", text)
    disrupted = condition(get(cluster, "pods", "web"), "DisruptionTarget")
    assert (disrupted["status"], disrupted["reason"], disrupted["message"]) == ("True", "TerminationByKubelet", text)
    assert ("Warning", "Evicted", text) in events(cluster, "web")


def test_an_evicted_pod_gets_one_second_whatever_it_asks_for():
    cluster = started(a_pod("web", container={"env": [{"name": "IGNORE_TERM", "value": "1"}]}, terminationGracePeriodSeconds=60, **HERE))
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 20)
    (told,), (killed,) = said(cluster, "SendSIGTERM"), said(cluster, "SendSIGKILL")
    assert killed.at - told.at == 2000


@pytest.mark.parametrize(("pods", "order"), [
    # It should take those above their request first, although others use more
    ([using("modest", 400, {"memory": "500Mi"}), using("greedy", 60, {"memory": "50Mi"})], ["greedy"]),
    # It should take who is furthest above the request
    ([using("small", 60), using("big", 90), using("promised", 400, {"memory": "350Mi"})], ["big"]),
    # It should go on with the next when one was not enough
    ([using("a", 20), using("b", 30), using("c", 25)], ["b", "c"]),
])
def test_pods_go_in_the_order_of_what_they_use_beyond_their_requests(pods, order):
    cluster = started(*pods)
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 40)
    assert evicted(cluster) == order
    assert {pod["metadata"]["name"] for pod in every(cluster, "pods") if pod["status"]["phase"] == "Running"} == \
        {pod["metadata"]["name"] for pod in pods} - set(order)


def test_lower_priority_goes_before_larger_use():
    cluster = a_cluster(nodes=1)
    create(cluster, {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000})
    create(cluster, using("important", 300, priorityClassName="high"))
    create(cluster, using("plain", 60))
    run(cluster, 20)
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 15)
    assert evicted(cluster) == ["plain"]


def test_critical_pods_are_kept_and_admitted():
    cluster = started(using("web", 60))
    critical = using("critical", 400, priorityClassName="system-node-critical")
    critical["metadata"]["namespace"] = "kube-system"
    create(cluster, critical)
    run(cluster, 20)
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 30)
    assert evicted(cluster) == ["web"]
    assert get(cluster, "pods", "critical", "kube-system")["status"]["phase"] == "Running"


def test_a_replicaset_makes_the_successor_elsewhere():
    cluster = a_cluster(nodes=2)
    create(cluster, a_deployment(replicas=4))
    run(cluster, 20)
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 60)
    running = [pod for pod in every(cluster, "pods") if pod["status"]["phase"] == "Running"]
    assert len(running) == 4
    assert {pod["spec"]["nodeName"] for pod in running} == {"n2"}


def test_memory_that_pods_themselves_take_counts_as_well():
    cluster = started(using("small", 100), using("big", 900), memory="1Gi")
    assert evicted(cluster) == []
    create(cluster, using("more", 200))
    run(cluster, 30)
    assert evicted(cluster) == ["big"]
    assert node_condition(cluster, "MemoryPressure")[0] == "True"


# -- admission --------------------------------------------------------------------------------------------------------------
def test_during_memory_pressure_only_pods_that_asked_for_nothing_are_refused():
    cluster = started()
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 15)
    create(cluster, a_pod("besteffort", **HERE))
    create(cluster, using("burstable", 10, {"memory": "20Mi"}))
    create(cluster, a_pod("tolerant", tolerations=[{"key": MEMORY, "operator": "Exists", "effect": "NoSchedule"}], **HERE))
    run(cluster, 2)
    status = get(cluster, "pods", "besteffort")["status"]
    assert (status["phase"], status["reason"], status["message"]) == ("Failed", "Evicted", "Pod was rejected: The node had condition: [MemoryPressure]. ")
    assert ("Warning", "Evicted", "The node had condition: [MemoryPressure]. ") in events(cluster, "besteffort")
    assert [get(cluster, "pods", name)["status"]["phase"] for name in ("burstable", "tolerant")] == ["Running", "Running"]
    assert kubectl(cluster, "kubectl get pod besteffort")["output"].splitlines()[1].split()[1:3] == ["0/1", "Evicted"]


def test_during_disk_pressure_every_pod_is_refused():
    cluster = started()
    cluster.fault("node n1 disk-pressure on")
    run(cluster, 15)
    create(cluster, using("burstable", 10, {"memory": "20Mi"}))
    run(cluster, 2)
    assert get(cluster, "pods", "burstable")["status"]["message"] == "Pod was rejected: The node had condition: [DiskPressure]. "


def test_pods_wait_while_the_only_node_is_under_pressure():
    cluster = started()
    cluster.fault("node n1 memory-pressure on")
    run(cluster, 15)
    create(cluster, a_pod("web"))
    run(cluster, 5)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Pending"
    assert any("1 node(s) had untolerated taint(s)" in message for _, _, message in events(cluster, "web"))


# -- disk -------------------------------------------------------------------------------------------------------------------
def test_a_full_disk_costs_unused_images_first_and_then_pods():
    cluster = started(a_pod("old", image="nginx", restartPolicy="Never", **HERE), a_pod("web", **HERE))
    kubectl(cluster, "kubectl delete pod old", seconds=10)
    cluster.fault("node n1 disk-pressure on")
    run(cluster, 15)
    assert node_condition(cluster, "DiskPressure") == ("True", "KubeletHasDiskPressure", "kubelet has disk pressure")
    assert taints(cluster) == [(DISK, "NoSchedule")]
    removed, *_ = said(cluster, "RemoveImage")
    assert removed.facts["image"] == "docker.io/library/nginx:latest"
    assert evicted(cluster) == ["web"]
    message = get(cluster, "pods", "web")["status"]["message"]
    assert message.startswith("The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 8Gi. ")


def test_a_program_can_fill_the_disk_by_itself():
    filler = a_pod("filler", image="busybox", container={"command": ["sh", "-c", "dd if=/dev/zero of=/tmp/f bs=1M count=95000; sleep 1000"]}, **HERE)
    cluster = started(filler, a_pod("web", **HERE))
    run(cluster, 240)
    assert evicted(cluster)[0] == "filler"


def test_a_command_from_outside_can_fill_a_pod_up_to_its_limit():
    cluster = started(a_pod("web", container={"resources": {"limits": {"ephemeral-storage": "100Mi"}}}, **HERE))
    kubectl(cluster, "kubectl exec web -- dd if=/dev/zero of=/tmp/f bs=1M count=200", seconds=40)
    assert evicted(cluster) == ["web"]


# -- after it ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("words", "kind", "healthy"), [("memory-pressure", "MemoryPressure", "KubeletHasSufficientMemory"),
                                                        ("disk-pressure", "DiskPressure", "KubeletHasNoDiskPressure")])
def test_the_condition_outlasts_the_cause_by_five_minutes(words, kind, healthy):
    cluster = started()
    cluster.fault(f"node n1 {words} on")
    run(cluster, 30)
    cluster.fault(f"node n1 {words} off")
    run(cluster, 280)
    assert node_condition(cluster, kind)[0] == "True"
    run(cluster, 35)
    assert node_condition(cluster, kind)[:2] == ("False", healthy)
    assert taints(cluster) == []
    # It should have nothing left to do
    run(cluster, 60)
    assert len(cluster.queue) == 0


def test_a_healthy_cluster_has_nothing_to_look_at():
    cluster = started(using("web", 300), a_pod("shell", image="busybox", container={"command": ["sh", "-c", "while true; do sleep 1; done"]}, **HERE))
    run(cluster, 60)
    assert [name for name, _ in cluster.queue.waiting if name in ("node-pressure", "eviction-manager")] == []
