"""Where a Pod cannot go, and what it is told."""
import pytest

from .builders import a_cluster, a_pod, create, every, get, kubectl, run
from .scheduling import asking, failures, label, node_of, place, taint, why

NO_HELP = "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
NO_VICTIMS = "no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."


def affinity(kind, when="requiredDuringSchedulingIgnoredDuringExecution", **labels):
    term = {"labelSelector": {"matchLabels": labels}, "topologyKey": "kubernetes.io/hostname"}
    return {kind: {when: [term]}}


def spread(key):
    """Evenly over topologies, or not at all."""
    return {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}}}


CASES = {
    "cpu": (asking(cpu="5"), f"3 Insufficient cpu. {NO_HELP}"),
    "memory": (asking(memory="64Gi"), f"3 Insufficient memory. {NO_HELP}"),
    "both": (asking(cpu="5", memory="64Gi"), f"3 Insufficient cpu, 3 Insufficient memory. {NO_HELP}"),
    "a device that nobody has": ({"container": {"resources": {"limits": {"example.com/gpu": "1"}}}}, f"3 Insufficient example.com/gpu. {NO_HELP}"),
    "a label": ({"nodeSelector": {"disk": "ssd"}}, f"3 node(s) didn't match Pod's node affinity/selector. {NO_HELP}"),
    "company": ({"affinity": affinity("podAffinity", app="nobody")}, f"3 node(s) didn't match pod affinity rules. {NO_HELP}"),
    "a claim that is not there": (
        {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "nope"}}]}, 'persistentvolumeclaim "nope" not found. not found'),
    "a topology without labels": (
        {"topologySpreadConstraints": [spread("rack")]},
        f"3 node(s) didn't match pod topology spread constraints (missing required label). {NO_HELP}"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_pod_without_a_node_says_why_in_the_words_of_kubernetes(cluster, case):
    spec, sentence = CASES[case]
    create(cluster, a_pod("big", **spec))
    run(cluster, 2)
    # It should stay Pending, with the sentence in its condition and in an Event
    assert node_of(cluster, "big") is None
    assert why(cluster, "big") == f"0/3 nodes are available: {sentence}"
    assert failures(cluster, "big") == [f"0/3 nodes are available: {sentence}"]


def test_a_fourth_pod_with_the_same_host_port_has_no_place(cluster):
    ports = {"container": {"ports": [{"containerPort": 80, "hostPort": 8080}]}}
    for name in ("h1", "h2", "h3", "h4"):
        create(cluster, a_pod(name, **ports))
        run(cluster, 1)
    assert sorted(node_of(cluster, name) for name in ("h1", "h2", "h3")) == ["n1", "n2", "n3"]
    assert why(cluster, "h4") == f"0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. {NO_VICTIMS}"


def test_pods_that_keep_apart_take_a_node_each(cluster):
    for name in ("a", "b", "c", "d"):
        create(cluster, a_pod(name, labels={"app": "a"}, affinity=affinity("podAntiAffinity", app="a")))
        run(cluster, 1)
    assert sorted(node_of(cluster, name) for name in "abc") == ["n1", "n2", "n3"]
    assert why(cluster, "d") == f"0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. {NO_VICTIMS}"


def test_a_pod_that_others_want_far_is_not_put_beside_them(cluster):
    for name in ("a", "b", "c"):
        create(cluster, a_pod(name, labels={"app": "a"}, affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}, "topologyKey": "kubernetes.io/hostname"}]}}))
        run(cluster, 1)
    create(cluster, a_pod("d", labels={"app": "d"}))
    run(cluster, 1)
    assert why(cluster, "d") == f"0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules. {NO_VICTIMS}"


def test_a_pod_that_wants_company_goes_where_it_is_and_the_first_of_its_kind_goes_anywhere(cluster):
    together = affinity("podAffinity", app="a")
    create(cluster, a_pod("first", labels={"app": "a"}, affinity=together))
    run(cluster, 1)
    for name in ("b", "c"):
        create(cluster, a_pod(name, labels={"app": "a"}, affinity=together))
        run(cluster, 1)
    assert node_of(cluster, "first") == node_of(cluster, "b") == node_of(cluster, "c") is not None


def test_taints_and_a_cordon_are_counted_by_reason(cluster):
    taint(cluster, "n1", key="team", value="a", effect="NoSchedule")
    taint(cluster, "n2", key="team", value="b", effect="NoExecute")
    kubectl(cluster, "kubectl cordon n3")
    create(cluster, a_pod("t1"))
    run(cluster, 1)
    assert why(cluster, "t1") == f"0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s). {NO_HELP}"
    # It should go to the tainted node once it tolerates the taint
    create(cluster, a_pod("t2", tolerations=[{"key": "team", "operator": "Equal", "value": "a", "effect": "NoSchedule"}]))
    run(cluster, 1)
    assert node_of(cluster, "t2") == "n1"


def test_a_pod_for_one_named_node_does_not_look_at_others(cluster):
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2"]}]}]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    create(cluster, a_pod("d", nodeSelector={"disk": "ssd"}, affinity={"nodeAffinity": required}))
    run(cluster, 1)
    assert why(cluster, "d").startswith("0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, "
                                        "2 node(s) didn't satisfy plugin(s) [NodeAffinity]. ")


def test_hard_spreading_keeps_topologies_even(cluster):
    for node, zone in (("n1", "a"), ("n2", "b"), ("n3", "b")):
        label(cluster, node, zone=zone)
    for number in range(4):
        create(cluster, a_pod(f"w{number}", labels={"app": "web"}, topologySpreadConstraints=[spread("zone")]))
        run(cluster, 1)
    assert sorted(get(cluster, "nodes", node_of(cluster, f"w{number}"), "")["metadata"]["labels"]["zone"] for number in range(4)) == ["a", "a", "b", "b"]


def test_requests_count_until_the_pod_is_gone_and_usage_never_does():
    cluster = a_cluster(nodes=1, cpu="1")
    create(cluster, a_pod("a", **asking(cpu="900m")))
    run(cluster, 5)
    create(cluster, a_pod("b", **asking(cpu="900m")))
    run(cluster, 1)
    assert why(cluster, "b").startswith("0/1 nodes are available: 1 Insufficient cpu.")
    kubectl(cluster, "kubectl delete pod a --wait=false", seconds=0.5)
    # It should still wait while a is Terminating, and go at once when a has ended
    run(cluster, 40)
    assert get(cluster, "pods", "a") is None
    assert node_of(cluster, "b") == "n1"


def test_an_init_container_counts_if_it_asks_for_more_than_the_others_together():
    cluster = a_cluster(nodes=1, cpu="1")
    spec = {"initContainers": [{"name": "prepare", "image": "demo:ok", "command": ["true"], "resources": {"requests": {"cpu": "800m"}}}]}
    place(cluster, a_pod("a", **spec, **asking(cpu="100m")))
    create(cluster, a_pod("b", **asking(cpu="300m")))
    run(cluster, 1)
    assert why(cluster, "b").startswith("0/1 nodes are available: 1 Insufficient cpu.")


def test_a_cluster_without_nodes_says_so():
    cluster = a_cluster(nodes=0)
    create(cluster, a_pod("a"))
    run(cluster, 1)
    assert every(cluster, "nodes") == []
    assert why(cluster, "a") == "no nodes available to schedule pods"
