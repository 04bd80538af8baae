"""A node falls silent: who notices when, and what becomes of its Pods."""
import pytest

from .builders import a_cluster, a_deployment, a_pod, create, every, get, kubectl, run, said
from .scheduling import admin, condition_of, events, node_of, place, taint, untaint

UNREACHABLE, NOT_READY = "node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"


def tolerating(seconds):
    return {"tolerations": [{"key": UNREACHABLE, "operator": "Exists", "effect": "NoExecute", **({} if seconds is None else {"tolerationSeconds": seconds})}]}


def on(node, **spec):
    return {"nodeSelector": {"kubernetes.io/hostname": node}, **spec}


def taints(cluster, node):
    return [(one["key"], one["effect"]) for one in get(cluster, "nodes", node, "")["spec"].get("taints") or []]


def ready(cluster, node):
    return next(one for one in get(cluster, "nodes", node, "")["status"]["conditions"] if one["type"] == "Ready")


def moment(cluster, reason, **facts):
    """When (seconds) a message was first said."""
    return next(step.at for step in said(cluster, reason) if facts.items() <= step.facts.items()) / 1000


def test_a_silent_node_becomes_unknown_after_fifty_seconds_and_is_tainted(cluster):
    place(cluster, a_pod("web", **on("n2")), seconds=20)
    cluster.fault("node n2 down")
    failed = cluster.clock.now / 1000
    run(cluster, 39)
    assert ready(cluster, "n2")["status"] == "True"
    run(cluster, 20)
    found = ready(cluster, "n2")
    assert (found["status"], found["reason"], found["message"]) == ("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
    assert 40 <= moment(cluster, "UpdateNodeStatus", controller="node-lifecycle") - failed <= 56
    assert taints(cluster, "n2") == [(UNREACHABLE, "NoSchedule"), (UNREACHABLE, "NoExecute")]
    assert events(cluster, "n2", "NodeNotReady") == ["Node n2 status is now: NodeNotReady"]
    # Its Pod should not be Ready any more, though its phase stays Running
    assert condition_of(cluster, "web", "Ready")["status"] == "False"
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
    assert events(cluster, "web", "NodeNotReady") == ["Node is not ready"]


def test_pods_are_evicted_when_their_toleration_ends_and_wait_for_the_node(cluster):
    place(cluster, a_pod("short", **on("n2", **tolerating(20))))
    place(cluster, a_pod("agent", **on("n2", **tolerating(None))))
    place(cluster, a_pod("web", **on("n2")), seconds=20)
    cluster.fault("node n2 down")
    run(cluster, 450)
    lost = moment(cluster, "PatchNode", controller="node-lifecycle") + 0.1
    assert moment(cluster, "DeletePod", pod="short") - lost == pytest.approx(20, abs=0.2)
    assert moment(cluster, "DeletePod", pod="web") - lost == pytest.approx(300, abs=0.2)
    assert "deletionTimestamp" not in get(cluster, "pods", "agent")["metadata"]
    told = condition_of(cluster, "web", "DisruptionTarget")
    assert (told["reason"], told["message"]) == ("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint")
    assert events(cluster, "web", "TaintManagerEviction") == ["Marking for deletion Pod default/web"]
    # Nobody confirms, so the object stays, until the node is back
    assert "deletionTimestamp" in get(cluster, "pods", "web")["metadata"]
    cluster.fault("node n2 up")
    run(cluster, 60)
    assert get(cluster, "pods", "web") is None
    assert taints(cluster, "n2") == []
    assert get(cluster, "pods", "agent") is not None


def test_a_deployment_replaces_the_pods_of_a_lost_node(cluster):
    create(cluster, a_deployment(replicas=3))
    run(cluster, 20)
    cluster.fault("node n2 down")
    run(cluster, 400)
    alive = [pod for pod in every(cluster, "pods") if "deletionTimestamp" not in pod["metadata"]]
    assert len(alive) == 3
    assert "n2" not in {pod["spec"]["nodeName"] for pod in alive}


def test_a_node_that_comes_back_in_time_keeps_its_pods(cluster):
    place(cluster, a_pod("web", **on("n2")), seconds=20)
    cluster.fault("node n2 down")
    run(cluster, 100)
    cluster.fault("node n2 up")
    run(cluster, 20)
    assert taints(cluster, "n2") == []
    assert events(cluster, "web", "TaintManagerEviction") == ["Cancelling deletion of Pod default/web"]
    run(cluster, 400)
    assert "deletionTimestamp" not in get(cluster, "pods", "web")["metadata"]


def test_several_lost_nodes_are_emptied_one_every_ten_seconds():
    cluster = a_cluster(nodes=7)
    run(cluster, 20)
    for node in ("n1", "n2", "n3"):
        cluster.fault(f"node {node} down")
    run(cluster, 90)
    moments = [step.at / 1000 for step in said(cluster, "PatchNode") if step.facts["controller"] == "node-lifecycle"]
    together, evicting = moments[:3], moments[3:]
    assert max(together) - min(together) < 0.1
    assert [round(at - evicting[0]) for at in evicting] == [0, 10, 20]


def test_when_every_node_is_lost_none_is_emptied(cluster):
    place(cluster, a_pod("web"), seconds=20)
    for node in ("n1", "n2", "n3"):
        cluster.fault(f"node {node} down")
    run(cluster, 600)
    assert all(taints(cluster, node) == [(UNREACHABLE, "NoSchedule")] for node in ("n1", "n2", "n3"))
    assert "deletionTimestamp" not in get(cluster, "pods", "web")["metadata"]


def test_when_the_last_healthy_node_is_deleted_the_lost_ones_are_no_longer_emptied(cluster):
    cluster.fault("node n1 down")
    kubectl(cluster, "kubectl delete node n2")
    run(cluster, 90)
    assert taints(cluster, "n1") == [(UNREACHABLE, "NoSchedule"), (UNREACHABLE, "NoExecute")]
    kubectl(cluster, "kubectl delete node n3")
    run(cluster, 6)
    assert taints(cluster, "n1") == [(UNREACHABLE, "NoSchedule")]


def test_a_node_that_says_it_is_not_ready_gets_another_taint_and_loses_it_again(cluster):
    run(cluster, 12)
    node = get(cluster, "nodes", "n2", "")
    not_ready = {"type": "Ready", "status": "False", "reason": "KubeletNotReady", "message": "container runtime is down"}
    assert admin(cluster).patch("nodes", "", "n2", {"status": {"conditions": [not_ready]}}, "status").ok
    run(cluster, 0.5)
    assert taints(cluster, "n2") == [(NOT_READY, "NoSchedule")]
    run(cluster, 6)
    assert taints(cluster, "n2") == [(NOT_READY, "NoSchedule"), (NOT_READY, "NoExecute")]
    back = next(one for one in node["status"]["conditions"] if one["type"] == "Ready")
    assert admin(cluster).patch("nodes", "", "n2", {"status": {"conditions": [back]}}, "status").ok
    run(cluster, 6)
    assert taints(cluster, "n2") == []


def test_a_cordon_is_a_taint_too(cluster):
    kubectl(cluster, "kubectl cordon n1")
    assert taints(cluster, "n1") == [("node.kubernetes.io/unschedulable", "NoSchedule")]
    kubectl(cluster, "kubectl uncordon n1")
    assert taints(cluster, "n1") == []


def test_a_noexecute_taint_by_hand_evicts_at_once_who_does_not_tolerate_it(cluster):
    place(cluster, a_pod("web", **on("n1")), seconds=10)
    place(cluster, a_pod("patient", **on("n1", tolerations=[{"key": "x", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}])), seconds=10)
    taint(cluster, "n1", key="x", value="y", effect="NoExecute")
    run(cluster, 0.2)
    assert "deletionTimestamp" in get(cluster, "pods", "web")["metadata"]
    assert "deletionTimestamp" not in get(cluster, "pods", "patient")["metadata"]
    untaint(cluster, "n1", "x")
    run(cluster, 10)
    assert events(cluster, "patient", "TaintManagerEviction") == ["Cancelling deletion of Pod default/patient"]
    assert "deletionTimestamp" not in get(cluster, "pods", "patient")["metadata"]


def test_pods_of_a_deleted_node_are_collected_after_a_quarantine(cluster):
    place(cluster, a_pod("web", **on("n2")), seconds=20)
    cluster.fault("node n2 down")
    assert admin(cluster).delete("nodes", "", "n2").ok
    deleted = cluster.clock.now / 1000
    run(cluster, 70)
    assert get(cluster, "pods", "web") is None
    assert 40 <= moment(cluster, "DeletePod", controller="pod-garbage-collector") - deleted <= 61
    step = next(step for step in said(cluster, "DeletePod") if step.facts["controller"] == "pod-garbage-collector")
    assert step.request.startswith("DELETE /api/v1/namespaces/default/pods/web")


def test_an_out_of_service_taint_frees_the_pods_of_a_dead_node(cluster):
    place(cluster, a_pod("web", **on("n2")), seconds=20)
    cluster.fault("node n2 down")
    run(cluster, 100)
    taint(cluster, "n2", key="node.kubernetes.io/out-of-service", value="nodeshutdown", effect="NoExecute")
    run(cluster, 30)
    assert get(cluster, "pods", "web") is None


def test_faults_that_nobody_knows_are_refused_with_a_sentence(cluster):
    for words, sentence in (("node n9 down", 'there is no node "n9"'), ("component magic stop", 'there is no component "magic"'),
                            ("node n1 explode", 'unknown fault "node n1 explode"'), ("nonsense", 'unknown fault "nonsense"')):
        with pytest.raises(ValueError, match=sentence):
            cluster.fault(words)


def test_a_lost_node_gets_no_new_pods(cluster):
    run(cluster, 12)
    cluster.fault("node n2 down")
    run(cluster, 70)
    assert {place(cluster, a_pod(f"p{number}")) for number in range(6)} == {"n1", "n3"}
    assert node_of(cluster, "p0") != "n2"
