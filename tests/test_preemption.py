"""Less important Pods make room for more important ones."""
import pytest

from .builders import a_pod, create, get, kubectl, run, said
from .scheduling import asking, condition_of, events, failures, node_of, place, priority_class, why

FULL = "0/3 nodes are available: 3 Insufficient cpu."


@pytest.fixture
def full(cluster):
    """Two Pods of low priority and 900m on each of three nodes of 2 CPU; they need three seconds to end."""
    priority_class(cluster, "low", 100)
    priority_class(cluster, "high", 1000)
    for number in range(6):
        place(cluster, a_pod(f"low-{number}", priorityClassName="low", container={
            **asking(cpu="900m")["container"], "env": [{"name": "TERM_DELAY", "value": "3"}]}))
    run(cluster, 10)
    return cluster


def neighbours(cluster, node):
    return [name for name in (f"low-{number}" for number in range(6)) if (pod := get(cluster, "pods", name)) and pod["spec"]["nodeName"] == node]


def test_victims_are_told_why_and_deleted_and_the_pod_takes_their_place(full):
    create(full, a_pod("high-1", priorityClassName="high", **asking(cpu="1500m")))
    run(full, 1)
    node = get(full, "pods", "high-1")["status"]["nominatedNodeName"]
    victims = neighbours(full, node)
    # It should first fail, without a word about preemption, and be promised a node
    assert failures(full, "high-1")[0] == FULL
    assert len(victims) == 2
    for victim in victims:
        told = condition_of(full, victim, "DisruptionTarget")
        assert (told["status"], told["reason"]) == ("True", "PreemptionByScheduler")
        assert told["message"] == "default-scheduler: preempting to accommodate a higher priority pod"
        assert "deletionTimestamp" in get(full, "pods", victim)["metadata"]
        assert events(full, victim, "Preempted") == [f"Preempted by pod {get(full, 'pods', 'high-1')['metadata']['uid']} on node {node}"]
    # Then it should be bound there when they are gone
    run(full, 10)
    assert node_of(full, "high-1") == node
    assert "nominatedNodeName" not in get(full, "pods", "high-1")["status"]
    assert set(failures(full, "high-1")[1:]) <= {
        f"{FULL} no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node."}


def test_the_requests_come_in_the_order_of_the_real_scheduler(full):
    create(full, a_pod("high-1", priorityClassName="high", **asking(cpu="1500m")))
    run(full, 1)
    requests = [(step.reason, step.facts["pod"]) for step in full.log.steps
                if step.source == "scheduler" and step.reason in ("PatchPodStatus", "DeletePod") and step.at >= full.clock.now - 1000]
    first, second = neighbours(full, get(full, "pods", "high-1")["status"]["nominatedNodeName"])
    assert requests[:5] == [("PatchPodStatus", "high-1"), ("PatchPodStatus", first), ("DeletePod", first), ("PatchPodStatus", second), ("DeletePod", second)]


def test_no_more_than_necessary_are_deleted(full):
    create(full, a_pod("high-1", priorityClassName="high", **asking(cpu="900m")))
    run(full, 1)
    assert len(said(full, "DeletePod", "scheduler")) == 1


def test_equals_do_not_preempt_each_other(full):
    create(full, a_pod("low-9", priorityClassName="low", **asking(cpu="900m")))
    run(full, 1)
    assert why(full, "low-9") == (
        f"{FULL} no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.")


def test_a_pod_that_never_preempts_only_waits(full):
    priority_class(full, "never", 2000, preemptionPolicy="Never")
    create(full, a_pod("never-1", priorityClassName="never", **asking(cpu="1500m")))
    run(full, 1)
    assert why(full, "never-1") == f"{FULL} no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never."
    assert said(full, "DeletePod", "scheduler") == []


def test_preemption_does_not_help_a_pod_that_is_too_big_for_any_node(full):
    create(full, a_pod("huge", priorityClassName="high", **asking(cpu="5")))
    run(full, 1)
    assert why(full, "huge").endswith("preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.")


def test_the_node_with_the_least_important_victims_is_chosen(cluster):
    for name, value in (("tiny", 1), ("low", 100), ("high", 1000)):
        priority_class(cluster, name, value)
    places = {name: place(cluster, a_pod(name, priorityClassName=of, **asking(cpu="1500m"))) for name, of in (("a", "low"), ("b", "tiny"), ("c", "low"))}
    create(cluster, a_pod("high-1", priorityClassName="high", **asking(cpu="1500m")))
    run(cluster, 10)
    assert node_of(cluster, "high-1") == places["b"]


def test_a_budget_sends_the_scheduler_to_another_node_if_there_is_one(full):
    protected = get(full, "pods", "low-0")["spec"]["nodeName"]
    for name in neighbours(full, protected):
        kubectl(full, f"kubectl label pod {name} guarded=yes")
    kubectl(full, "kubectl create pdb guard --selector=guarded=yes --min-available=2")
    create(full, a_pod("high-1", priorityClassName="high", **asking(cpu="1500m")))
    run(full, 1)
    assert get(full, "pods", "high-1")["status"]["nominatedNodeName"] != protected


def test_room_that_was_made_is_not_given_to_a_less_important_pod(full):
    create(full, a_pod("high-1", priorityClassName="high", **asking(cpu="1500m")))
    run(full, 1)
    create(full, a_pod("low-9", priorityClassName="low", **asking(cpu="900m")))
    run(full, 15)
    assert node_of(full, "high-1") is not None
    assert node_of(full, "low-9") is None
