"""Where Pods may run, who makes room for whom, and what quotas, limits and budgets allow."""
import pytest

from ..builders import a_cluster, a_deployment, a_pod, a_service, create, every, get, run
from ..changes import delete, patch, scale
from .test_ownership import a_controller


def asking(name, cpu, **spec):
    return a_pod(name, container={"resources": {"requests": {"cpu": cpu}}}, **spec)


def waits(cluster, name):
    condition = next(each for each in get(cluster, "pods", name)["status"]["conditions"] if each["type"] == "PodScheduled")
    return condition["message"] if condition["status"] == "False" else ""


def node_of(cluster, name):
    return get(cluster, "pods", name)["spec"].get("nodeName")


def test_two_nodes_at_least_take_any_pod(cluster):
    assert len([node for node in every(cluster, "nodes") if not node["spec"].get("taints") and not node["spec"].get("unschedulable")]) >= 2


def test_when_all_nodes_are_full_one_more_pod_waits():
    cluster = a_cluster(nodes=2, cpu="1")
    for number in range(2):
        create(cluster, asking(f"filler{number}", "700m"))
    run(cluster, 5)
    create(cluster, asking("more", "400m"))
    run(cluster, 5)
    assert "2 Insufficient cpu" in waits(cluster, "more")


def test_a_node_selector_is_respected_whether_it_matches_or_not(cluster):
    patch(cluster, "nodes", "n2", {"metadata": {"labels": {"color": "blue"}}}, None)
    create(cluster, a_pod("blue", nodeSelector={"color": "blue"}))
    create(cluster, a_pod("green", nodeSelector={"color": "green"}))
    run(cluster, 10)
    assert node_of(cluster, "blue") == "n2" and "didn't match Pod's node affinity/selector" in waits(cluster, "green")


def port(name, address=None, protocol="TCP"):
    ports = [{"containerPort": 8080, "hostPort": 54321, "protocol": protocol, **({"hostIP": address} if address else {})}]
    return a_pod(name, container={"ports": ports}, nodeSelector={"kubernetes.io/hostname": "n1"})


def test_a_host_port_is_taken_per_address_and_protocol_and_all_addresses_include_each():
    cluster = a_cluster(nodes=1)
    for pod in (port("one", "127.0.0.1"), port("two", "10.1.1.1"), port("three", "10.1.1.1", "UDP")):
        create(cluster, pod)
    run(cluster, 10)
    assert {pod["status"]["phase"] for pod in every(cluster, "pods")} == {"Running"}
    create(cluster, port("all"))
    run(cluster, 10)
    assert "didn't have free ports" in waits(cluster, "all")


# -- preemption ------------------------------------------------------------------------------------------------------------
def a_class(name, value):
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}


def test_the_value_of_a_priority_class_stays_and_its_description_may_change(cluster):
    create(cluster, a_class("high", 1000))
    path = "/apis/scheduling.k8s.io/v1/priorityclasses/high"
    assert cluster.api.http("PATCH", path, {}, {"description": "for what matters"}, "application/merge-patch+json").code == 200
    refused = cluster.api.http("PATCH", path, {}, {"value": 2000}, "application/merge-patch+json")
    assert refused.code == 422 and refused.body["details"]["causes"][0]["field"].lower() == "value"


@pytest.mark.parametrize("name", ["high", "system-cluster-critical"])
def test_an_important_pod_takes_the_place_of_another_which_is_told_why(name):
    cluster = a_cluster(nodes=1, cpu="1")
    create(cluster, a_class("high", 1000))
    create(cluster, {**asking("victim", "800m"), "metadata": {"name": "victim", "namespace": "default", "finalizers": ["example.com/look"]}})
    run(cluster, 10)
    create(cluster, asking("important", "800m", priorityClassName=name))
    run(cluster, 60)
    assert node_of(cluster, "important") == "n1"
    victim = get(cluster, "pods", "victim")
    condition = next(each for each in victim["status"]["conditions"] if each["type"] == "DisruptionTarget")
    assert (condition["status"], condition["reason"]) == ("True", "PreemptionByScheduler") and victim["metadata"]["deletionTimestamp"]


def test_sets_of_rising_importance_displace_each_other_from_below():
    cluster = a_cluster(nodes=1, cpu="1")
    for level in (1, 2, 3):
        create(cluster, a_class(f"p{level}", level))
        made = a_controller("ReplicaSet", 1, f"set{level}")
        made["spec"]["template"]["spec"] = {"priorityClassName": f"p{level}", "containers": [
            {"name": "app", "image": "demo:ok", "resources": {"requests": {"cpu": "400m"}}}]}
        create(cluster, made)
        run(cluster, 60)
    running = {pod["metadata"]["labels"]["app"] for pod in every(cluster, "pods") if pod["status"]["phase"] == "Running"}
    assert running == {"set2", "set3"}


# -- quotas ----------------------------------------------------------------------------------------------------------------
def a_quota(name="quota", scopes=None, **hard):
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": name, "namespace": "default"},
            "spec": {"hard": {key.replace("__", "/").replace("_", "."): value for key, value in hard.items()}, **({"scopes": scopes} if scopes else {})}}


def used(cluster, name="quota"):
    return get(cluster, "resourcequotas", name)["status"]["used"]


COUNTED = [
    ("configmaps", {"apiVersion": "v1", "kind": "ConfigMap"}, "configmaps"),
    ("secrets", {"apiVersion": "v1", "kind": "Secret"}, "secrets"),
    ("services", {**a_service(), "spec": {"ports": [{"port": 80}], "type": "NodePort"}}, "services"),
    ("replicationcontrollers", a_controller(replicas=0), "replicationcontrollers"),
    ("count/replicasets.apps", a_controller("ReplicaSet", 0), "replicasets.apps"),
]


@pytest.mark.parametrize(("counted", "thing", "qualified"), COUNTED, ids=lambda one: one if isinstance(one, str) else "")
def test_what_is_counted_goes_up_and_down_with_its_objects(cluster, counted, thing, qualified):
    quota = a_quota()
    quota["spec"]["hard"] = {counted: "5", **({"services.nodeports": "1"} if qualified == "services" else {})}
    create(cluster, quota)
    run(cluster, 5)
    status = get(cluster, "resourcequotas", "quota")["status"]
    before = int(status["used"][counted])
    assert status["hard"] == quota["spec"]["hard"]
    create(cluster, {**thing, "metadata": {"name": "web", "namespace": "default"}})
    run(cluster, 5)
    assert int(used(cluster)[counted]) == before + 1
    if qualified == "services":
        second = create(cluster, {**thing, "metadata": {"name": "two", "namespace": "default"}})
        assert second.code == 403 and "exceeded quota" in second.body["message"]
    delete(cluster, qualified, "web")
    run(cluster, 10)
    assert int(used(cluster)[counted]) == before


def test_a_pod_is_charged_for_all_that_it_asks_for_and_what_is_too_much_is_refused(cluster):
    create(cluster, a_quota(pods="2", requests_cpu="500m", requests_memory="1Gi", requests_example_com__dongle="3"))
    run(cluster, 5)
    hard = get(cluster, "resourcequotas", "quota")["spec"]["hard"]
    asks = {"cpu": "300m", "memory": "200Mi"}
    assert create(cluster, a_pod("one", container={"resources": {"requests": asks, "limits": asks}})).code == 201
    run(cluster, 5)
    assert set(used(cluster)) == set(hard) and (used(cluster)["pods"], used(cluster)["requests.cpu"]) == ("1", "300m")
    refused = create(cluster, a_pod("two", container={"resources": {"requests": asks, "limits": asks}}))
    assert refused.code == 403 and "requested: requests.cpu=300m, used: requests.cpu=300m, limited: requests.cpu=500m" in refused.body["message"]
    assert patch(cluster, "pods", "one", {"spec": {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]}}).code == 422
    delete(cluster, "pods", "one", gracePeriodSeconds=0)
    run(cluster, 10)
    assert used(cluster)["pods"] == "0"


def test_scopes_count_by_class_of_service_and_by_deadline(cluster):
    for name, scope in (("best", "BestEffort"), ("not-best", "NotBestEffort"), ("ends", "Terminating"), ("lasts", "NotTerminating")):
        create(cluster, a_quota(name, [scope], pods="5"))
    run(cluster, 5)
    create(cluster, a_pod("plain"))
    create(cluster, asking("asks", "10m", activeDeadlineSeconds=3600))
    run(cluster, 5)
    assert {name: used(cluster, name)["pods"] for name in ("best", "not-best", "ends", "lasts")} == {"best": "1", "not-best": "1", "ends": "1", "lasts": "1"}
    delete(cluster, "pods", "asks", gracePeriodSeconds=0)
    run(cluster, 10)
    assert {name: used(cluster, name)["pods"] for name in ("best", "not-best", "ends", "lasts")} == {"best": "1", "not-best": "0", "ends": "0", "lasts": "1"}


def test_a_limit_range_gives_defaults_and_sets_bounds_that_may_change(cluster):
    limits = {"type": "Container", "min": {"cpu": "50m"}, "max": {"cpu": "500m"}, "default": {"cpu": "500m"}, "defaultRequest": {"cpu": "100m"}}
    create(cluster, {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "limits", "namespace": "default"}, "spec": {"limits": [limits]}})
    made = create(cluster, a_pod("one")).body["spec"]["containers"][0]["resources"]
    assert made == {"limits": {"cpu": "500m"}, "requests": {"cpu": "100m"}}
    large = a_pod("large", container={"resources": {"limits": {"cpu": "600m"}}})
    assert create(cluster, asking("small", "10m")).code == create(cluster, large).code == 403
    patch(cluster, "limitranges", "limits", {"spec": {"limits": [{**limits, "min": {"cpu": "5m"}}]}})
    assert create(cluster, asking("small", "10m")).code == 201


# -- budgets ---------------------------------------------------------------------------------------------------------------
def evict(cluster, name):
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": "default"}}
    return cluster.api.http("POST", f"/api/v1/namespaces/default/pods/{name}/eviction", {}, body)


def test_an_eviction_is_refused_until_the_budget_allows_it(cluster):
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "budget", "namespace": "default"},
              "spec": {"minAvailable": 3, "selector": {"matchLabels": {"app": "web"}}}}
    create(cluster, budget)
    create(cluster, a_deployment("web", 3))
    run(cluster, 15)
    name = every(cluster, "pods")[0]["metadata"]["name"]
    assert get(cluster, "poddisruptionbudgets.policy", "budget")["status"]["disruptionsAllowed"] == 0 and evict(cluster, name).code == 429
    patch(cluster, "poddisruptionbudgets.policy", "budget", {"spec": {"minAvailable": 2}})
    run(cluster, 5)
    assert get(cluster, "poddisruptionbudgets.policy", "budget")["status"]["disruptionsAllowed"] == 1 and evict(cluster, name).code == 201
    # There should be no second one at once.
    assert evict(cluster, every(cluster, "pods")[1]["metadata"]["name"]).code == 429


def test_a_cluster_that_was_scaled_back_counts_right(cluster):
    create(cluster, a_deployment("web", 2))
    run(cluster, 10)
    scale(cluster, 0)
    run(cluster, 60)
    assert every(cluster, "pods") == []
