"""Which of the nodes that would do is chosen."""
from lifecycle.simulation.control_plane.scheduler.filtering import how_many
from lifecycle.simulation.control_plane.scheduler.node_info import NodeInfo
from lifecycle.simulation.control_plane.scheduler.plugins import image_locality, node_resources
from lifecycle.simulation.control_plane.scheduler.pod_info import Shape

from .builders import a_cluster, a_deployment, a_pod, create, every, run, said
from .scheduling import asking, label, node_of, place, taint

MEBI = 1024 * 1024


def a_node(cpu="4", memory="8Gi", images=()):
    node = NodeInfo("n1")
    node.set_node({"metadata": {"name": "n1"}, "spec": {}, "status": {
        "allocatable": {"cpu": cpu, "memory": memory, "pods": "110"}, "images": [{"names": [name], "sizeBytes": size} for name, size in images]}})
    return node


def a_shape(image="demo:ok", **requests):
    return Shape({"containers": [{"name": "app", "image": image, "resources": {"requests": requests}}]})


def scores_of(cluster, pod):
    step, = [step for step in said(cluster, "ScoreNodes") if step.facts["pod"] == pod]
    return step.facts["scores"]


def test_least_allocated_is_the_mean_share_that_stays_free():
    # 1 of 4 CPUs and 2 of 8 GiB: 75 % of both stay free
    assert node_resources.least_allocated(a_shape(cpu="1", memory="2Gi"), a_node()) == 75
    # A container without requests counts as 100m and 200Mi: (97 + 97) / 2 in whole numbers
    assert node_resources.least_allocated(a_shape(), a_node()) == 97
    assert node_resources.least_allocated(a_shape(cpu="5"), a_node()) == 48


def test_balanced_allocation_prefers_equal_shares_of_cpu_and_memory():
    assert node_resources.balanced(a_shape(cpu="1", memory="2Gi"), a_node()) == 100
    assert node_resources.balanced(a_shape(cpu="2"), a_node()) == 75


def test_an_image_counts_by_its_size_and_by_how_many_nodes_have_it():
    node = a_node(images=[("demo:latest", 500 * MEBI)])
    # (500 - 23) of (1000 - 23) MiB if every node has it; half the size counts if half of the nodes have it
    assert image_locality.score(a_shape(image="demo"), node, lambda image: 1) == 48
    assert image_locality.score(a_shape(image="demo"), node, lambda image: 0.5) == 23
    assert image_locality.score(a_shape(image="other"), node, lambda image: 1) == 0


def test_the_emptier_node_is_chosen(cluster):
    used = [place(cluster, a_pod(f"p{number}", **asking(cpu="500m", memory="1Gi"))) for number in range(6)]
    assert sorted(used[:3]) == sorted(used[3:]) == ["n1", "n2", "n3"]


def test_equal_scores_are_decided_by_the_clusters_seed():
    chosen = {seed: place(a_cluster(seed=seed), a_pod("web")) for seed in range(8)}
    assert len(set(chosen.values())) > 1
    assert chosen == {seed: place(a_cluster(seed=seed), a_pod("web")) for seed in range(8)}


def test_pods_of_one_deployment_are_spread_over_the_nodes_without_being_asked(cluster):
    create(cluster, a_deployment(replicas=6))
    run(cluster, 5)
    nodes = [pod["spec"]["nodeName"] for pod in every(cluster, "pods")]
    assert sorted(nodes) == ["n1", "n1", "n2", "n2", "n3", "n3"]


def test_a_soft_taint_and_a_preference_turn_the_scale(cluster):
    taint(cluster, "n1", key="slow", effect="PreferNoSchedule")
    label(cluster, "n2", disk="ssd")
    preferred = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 50, "preference": {"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}}]}}
    assert place(cluster, a_pod("web", affinity=preferred)) == "n2"
    scores = scores_of(cluster, "web")
    assert {node: one["TaintToleration"] for node, one in scores.items()} == {"n1": 0, "n2": 300, "n3": 300}
    assert {node: one["NodeAffinity"] for node, one in scores.items()} == {"n1": 0, "n2": 200, "n3": 0}


def test_preferred_company_draws_a_pod_to_its_node(cluster):
    home = place(cluster, a_pod("db", labels={"app": "db"}))
    near = [{"weight": 100, "podAffinityTerm": {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": "kubernetes.io/hostname"}}]
    assert place(cluster, a_pod("web", affinity={"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": near}})) == home
    assert scores_of(cluster, "web")[home]["InterPodAffinity"] == 200
    # It should be kept away from there just as well
    assert place(cluster, a_pod("log", affinity={"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": near}})) != home


def test_soft_spreading_over_zones_prefers_the_emptier_zone(cluster):
    for node, zone in (("n1", "a"), ("n2", "b"), ("n3", "b")):
        label(cluster, node, zone=zone)
    spread = [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"app": "web"}}}]
    first = place(cluster, a_pod("w1", labels={"app": "web"}, topologySpreadConstraints=spread, nodeSelector={"zone": "b"}))
    assert first in ("n2", "n3")
    assert place(cluster, a_pod("w2", labels={"app": "web"}, topologySpreadConstraints=spread)) == "n1"


def test_one_feasible_node_needs_no_scores(cluster):
    label(cluster, "n3", disk="ssd")
    assert place(cluster, a_pod("web", nodeSelector={"disk": "ssd"})) == "n3"
    assert said(cluster, "ScoreNodes") == []
    assert node_of(cluster, "web") == "n3"


def test_large_clusters_are_sampled_as_kube_scheduler_does():
    assert [how_many(nodes) for nodes in (3, 99, 100, 200, 1000, 5000, 10000)] == [3, 99, 100, 100, 420, 500, 500]
