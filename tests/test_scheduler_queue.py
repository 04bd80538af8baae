"""Which Pod comes next, and what makes a Pod that had no place worth another try."""
from .builders import a_cluster, a_pod, create, get, kubectl, run, said
from .scheduling import admin, asking, condition_of, failures, label, node_of, place, priority_class, taint, untaint, why


def test_pods_are_taken_by_priority_and_then_in_order_of_arrival(cluster):
    priority_class(cluster, "high", 1000)
    for name in ("first", "second"):
        create(cluster, a_pod(name))
    create(cluster, a_pod("urgent", priorityClassName="high"))
    run(cluster, 1)
    assert [step.facts["pod"] for step in said(cluster, "TakePod")] == ["urgent", "first", "second"]


def test_a_learner_sees_the_steps_of_a_cycle_and_what_each_node_scored(cluster):
    place(cluster, a_pod("web", **asking(cpu="500m")))
    steps = [step for step in cluster.log.steps if "scheduler" in (step.source, step.target) and step.object == "/registry/pods/default/web"]
    assert [step.reason for step in steps] == ["WatchAdded", "TakePod", "FilterNodes", "ScoreNodes", "ReserveNode", "CreatePodBinding"]
    filtered, scored, reserved = steps[2].facts, steps[3].facts["scores"], steps[4].facts
    assert (filtered["feasible"], filtered["excluded"]) == (3, {})
    assert set(scored) == {"n1", "n2", "n3"}
    for scores in scored.values():
        assert scores["total"] == sum(score for plugin, score in scores.items() if plugin != "total")
    assert reserved["node"] == node_of(cluster, "web")


def test_binding_is_one_request_to_the_subresource(cluster):
    node = place(cluster, a_pod("web"))
    step, = said(cluster, "CreatePodBinding")
    assert step.request.startswith("POST /api/v1/namespaces/default/pods/web/binding")
    assert step.facts["node"] == node
    assert condition_of(cluster, "web")["status"] == "True"


def test_gates_and_other_schedulers_keep_a_pod_out_of_the_queue(cluster):
    create(cluster, a_pod("gated", schedulingGates=[{"name": "example.com/wait"}]))
    create(cluster, a_pod("foreign", schedulerName="somebody-else"))
    run(cluster, 5)
    # It should not even look at them
    assert said(cluster, "TakePod") == []
    assert failures(cluster, "foreign") == []
    assert admin(cluster).patch("pods", "default", "gated", [{"op": "remove", "path": "/spec/schedulingGates/0"}], patch_type="json").ok
    run(cluster, 1)
    assert node_of(cluster, "gated") is not None
    assert node_of(cluster, "foreign") is None


def test_a_waiting_pod_is_not_tried_again_until_something_helps_it(cluster):
    create(cluster, a_pod("web", nodeSelector={"disk": "ssd"}))
    run(cluster, 12)
    assert len(said(cluster, "TakePod")) == 1
    label(cluster, "n1", colour="red")
    run(cluster, 1)
    # It should ignore labels that do not matter to the Pod
    assert len(said(cluster, "TakePod")) == 1
    label(cluster, "n2", disk="ssd")
    run(cluster, 1)
    assert node_of(cluster, "web") == "n2"


def test_removing_a_taint_or_a_cordon_wakes_the_pods_that_it_kept_away():
    cluster = a_cluster(nodes=2)
    taint(cluster, "n1", key="team", value="a", effect="NoSchedule")
    kubectl(cluster, "kubectl cordon n2")
    create(cluster, a_pod("web"))
    run(cluster, 1)
    why(cluster, "web")
    untaint(cluster, "n1", "team")
    run(cluster, 1)
    assert node_of(cluster, "web") == "n1"


def test_the_condition_is_written_only_when_it_says_something_new(cluster):
    taint(cluster, "n1", key="team", value="a", effect="NoSchedule")
    create(cluster, a_pod("web", nodeSelector={"disk": "ssd"}))
    run(cluster, 1)
    first = condition_of(cluster, "web")
    untaint(cluster, "n1", "team")
    run(cluster, 10)
    patches = [step for step in said(cluster, "PatchPodStatus", "scheduler") if step.facts["pod"] == "web"]
    assert len(patches) == 2
    # It should keep the time of the transition: the Pod is as unschedulable as before
    assert condition_of(cluster, "web")["lastTransitionTime"] == first["lastTransitionTime"]
    assert condition_of(cluster, "web")["message"] != first["message"]


def test_a_pod_that_nothing_helps_is_tried_again_after_five_minutes(cluster):
    create(cluster, a_pod("web", nodeSelector={"disk": "ssd"}))
    run(cluster, 1)
    run(cluster, 298)
    assert len(said(cluster, "TakePod")) == 1
    run(cluster, 40)
    assert len(said(cluster, "TakePod")) == 2
    assert len({step.revision for step in said(cluster, "PatchPodStatus", "scheduler")}) == 1


def test_a_deleted_pod_leaves_the_queue(cluster):
    create(cluster, a_pod("web", nodeSelector={"disk": "ssd"}))
    run(cluster, 1)
    kubectl(cluster, "kubectl delete pod web")
    assert get(cluster, "pods", "web") is None
    # It should leave nothing that waits and nothing on the scheduler's disk
    assert not cluster.etcd.disk("scheduler")
    # The Pod garbage collector has seen a Pod that ends without a node, and looks once more in its next pass
    cluster.run_until_settled(cluster.clock.now + 20_000)
    assert len(cluster.queue) == 0


def test_a_healthy_cluster_waits_for_nothing(cluster):
    place(cluster, a_pod("web"), seconds=30)
    assert len(cluster.queue) == 0
    assert not cluster.etcd.disk("scheduler")


def test_a_stopped_scheduler_leaves_pods_pending_and_takes_them_when_it_is_back(cluster):
    cluster.fault("component scheduler stop")
    create(cluster, a_pod("web"))
    run(cluster, 10)
    assert node_of(cluster, "web") is None
    cluster.fault("component scheduler start")
    run(cluster, 1)
    assert node_of(cluster, "web") is not None


def test_a_scheduler_that_lost_its_caches_goes_on_where_it_was(cluster):
    create(cluster, a_pod("web", nodeSelector={"disk": "ssd"}))
    create(cluster, a_pod("a", **asking(cpu="1500m")))
    run(cluster, 1)
    for name in ("b", "c"):
        place(cluster, a_pod(name, **asking(cpu="1500m")))
    create(cluster, a_pod("big", **asking(cpu="1500m")))
    run(cluster, 1)
    assert why(cluster, "big").startswith("0/3 nodes are available: 3 Insufficient cpu.")
    cluster.components["scheduler"]._cache = None
    # It should notice the very first change after that, a Pod that goes, and label changes too
    kubectl(cluster, "kubectl delete pod b --force --grace-period=0")
    assert node_of(cluster, "big") is not None
    cluster.components["scheduler"]._cache = None
    label(cluster, "n2", disk="ssd")
    run(cluster, 1)
    assert node_of(cluster, "web") == "n2"
    assert [step.facts["attempt"] for step in said(cluster, "TakePod") if step.facts["pod"] == "web"] == [1, 2]
