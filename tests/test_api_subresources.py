"""binding, eviction, scale, token: small endpoints with rules of their own."""
import pytest

from .builders import a_deployment, a_pod, create, get, said

POD, DEPLOYMENT = "/api/v1/namespaces/default/pods/web", "/apis/apps/v1/namespaces/default/deployments/web"


def bind(cluster, node="n2", **metadata):
    body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "web", **metadata}, "target": {"kind": "Node", "name": node}}
    return cluster.api.http("POST", f"{POD}/binding", None, body)


def test_a_binding_places_and_marks_in_one_write(cluster):
    create(cluster, a_pod())
    answer = bind(cluster)
    pod = get(cluster, "pods", "web")

    assert (answer.code, answer.body) == (201, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201})
    assert pod["spec"]["nodeName"] == "n2" and pod["metadata"]["generation"] == 1
    assert [(one["type"], one["status"]) for one in pod["status"]["conditions"]] == [("PodScheduled", "True")]
    assert len(said(cluster, "EtcdUpdate")) == 1 and said(cluster, "CreatePodBinding")[0].request == f"POST {POD}/binding"


@pytest.mark.parametrize(("spec", "metadata", "why"), [
    ({"nodeName": "n1"}, {}, 'pod web is already assigned to node "n1"'),
    ({"schedulingGates": [{"name": "a.b/c"}]}, {}, "pod web has non-empty .spec.schedulingGates"),
])
def test_a_pod_that_cannot_be_placed(cluster, spec, metadata, why):
    create(cluster, a_pod(**spec))
    answer = bind(cluster, **metadata)

    assert (answer.code, answer.body["message"]) == (409, f'Operation cannot be fulfilled on pods/binding "web": {why}')
    assert answer.body["details"] == {"name": "web", "kind": "pods/binding"}


def test_a_pod_that_is_leaving_is_not_placed(cluster):
    create(cluster, {**a_pod(), "metadata": {"name": "web", "namespace": "default", "finalizers": ["example.com/hold"]}})
    cluster.api.http("DELETE", POD)

    assert bind(cluster).body["message"].endswith("pod web is being deleted, cannot be assigned to a host")


# -- eviction --------------------------------------------------------------------------------------------------------------
def evict(cluster):
    return cluster.api.http("POST", f"{POD}/eviction", None, {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "web"}})


def a_running_pod(cluster):
    create(cluster, a_pod(labels={"app": "web"}, nodeName="n1"))
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    cluster.api.http("PATCH", f"{POD}/status", None, {"status": status}, "application/merge-patch+json")


def a_budget(cluster, **status):
    path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
    cluster.api.http("POST", path, None, {"metadata": {"name": "x"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}})
    status = {"observedGeneration": 1, "expectedPods": 1, "desiredHealthy": 1, "currentHealthy": 1, "disruptionsAllowed": 0, **status}
    cluster.api.http("PATCH", f"{path}/x/status", None, {"status": status}, "application/merge-patch+json")


def test_an_eviction_marks_the_pod_and_deletes_it_with_its_grace(cluster):
    a_running_pod(cluster)
    answer = evict(cluster)
    pod = get(cluster, "pods", "web")
    target = pod["status"]["conditions"][-1]

    assert answer.code == 201 and pod["metadata"]["deletionGracePeriodSeconds"] == 30
    assert (target["type"], target["status"], target["reason"], target["message"]) == (
        "DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting")


def test_a_budget_with_nothing_left_says_no(cluster):
    a_running_pod(cluster)
    a_budget(cluster)
    answer = evict(cluster)

    assert (answer.code, answer.reason) == (429, "TooManyRequests")
    assert answer.body["message"] == "Cannot evict pod as it would violate the pod's disruption budget."
    assert answer.body["details"] == {"causes": [{"reason": "DisruptionBudget", "message": "The disruption budget x needs 1 healthy pods and has 1 currently"}]}


def test_a_budget_with_something_left_has_less_afterwards(cluster):
    a_running_pod(cluster)
    a_budget(cluster, currentHealthy=2, disruptionsAllowed=1)
    evict(cluster)
    status = get(cluster, "poddisruptionbudgets.policy", "x")["status"]

    assert status["disruptionsAllowed"] == 0 and list(status["disruptedPods"]) == ["web"]


def test_a_budget_nobody_has_looked_at_yet_makes_evictions_wait(cluster):
    a_running_pod(cluster)
    a_budget(cluster, observedGeneration=0, disruptionsAllowed=1)
    details = evict(cluster).body["details"]

    assert details["retryAfterSeconds"] == 10 and details["causes"][0]["message"] == "The disruption budget x is still being processed by the server."


# -- scale, token ----------------------------------------------------------------------------------------------------------
def test_a_scale_is_a_small_view_of_a_workload(cluster):
    create(cluster, a_deployment())
    before = cluster.api.http("GET", f"{DEPLOYMENT}/scale").body
    after = cluster.api.http("PATCH", f"{DEPLOYMENT}/scale", None, {"spec": {"replicas": 5}}, "application/merge-patch+json").body

    assert before["kind"] == "Scale" and before["spec"] == {"replicas": 3} and before["status"] == {"replicas": 0, "selector": "app=web"}
    assert after["spec"] == {"replicas": 5} and get(cluster, "deployments.apps", "web")["metadata"]["generation"] == 2


def test_a_scale_minds_the_version_it_was_read_at(cluster):
    create(cluster, a_deployment())
    scale = cluster.api.http("GET", f"{DEPLOYMENT}/scale").body
    cluster.api.http("PUT", f"{DEPLOYMENT}/scale", None, {**scale, "spec": {"replicas": 5}})
    late = cluster.api.http("PUT", f"{DEPLOYMENT}/scale", None, {**scale, "spec": {"replicas": 6}})

    assert late.code == 409


def test_fewer_than_none_is_invalid(cluster):
    create(cluster, a_deployment())
    answer = cluster.api.http("PATCH", f"{DEPLOYMENT}/scale", None, {"spec": {"replicas": -1}}, "application/merge-patch+json")

    assert answer.body["message"] == 'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'


def test_a_token_is_given_and_not_stored(cluster):
    before = cluster.etcd.revision
    answer = cluster.api.http("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", None, {"spec": {"expirationSeconds": 600}})

    assert answer.code == 201 and answer.body["status"]["token"].count(".") == 2 and cluster.etcd.revision == before


def test_an_endpoint_that_does_not_exist(cluster):
    create(cluster, a_pod())
    answer = cluster.api.http("GET", f"{POD}/nope")

    assert (answer.code, answer.body["message"]) == (404, "the server could not find the requested resource")
