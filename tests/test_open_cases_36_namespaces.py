"""Open case O36: a namespace that stays Terminating, and what can still be done in it."""
import json

import pytest

from lifecycle.simulation.objects import condition

from .stories import play

FILES = {
    "x.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n",
    "hold.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hold, finalizers: [example.com/hold]}\n",
    "c2.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c2}\n",
    "web.yaml": """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: "demo:ok"}]
""",
}
BEGUN = """
    @0s kubectl apply -f x.yaml
    @1s kubectl -n x apply -f web.yaml
    @1s kubectl -n x apply -f hold.yaml
    @10s kubectl delete ns x --wait=false
"""
FAILURES = ("NamespaceDeletionDiscoveryFailure", "NamespaceDeletionGroupVersionParsingFailure", "NamespaceDeletionContentFailure")
REMAINING = ("NamespaceContentRemaining", "NamespaceFinalizersRemaining")
LET_GO = """kubectl -n x patch cm hold --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'"""
TERMINATING = 'configmaps "c2" is forbidden: unable to create new content in namespace x because it is being terminated'


@pytest.fixture(scope="module")
def stuck():
    return play(BEGUN + """
        @10.5s kubectl -n x create configmap c2
        @11s kubectl -n x apply -f c2.yaml
        @60s kubectl get ns x --no-headers
        @61s end
    """, FILES)


def test_o36_the_namespace_is_terminating_and_keeps_its_finalizer(stuck):
    namespace = stuck.at(11).get("namespaces", "/x")
    assert namespace["status"]["phase"] == "Terminating"
    assert namespace["spec"]["finalizers"] == ["kubernetes"]
    assert stuck.printed("kubectl get ns x --no-headers").split()[:2] == ["x", "Terminating"]


def marked(story, name):
    """The State in which a Pod of the namespace was first marked for deletion."""
    return next(state for state in story.states("pods", f"x/{name}") if "deletionTimestamp" in state.object["metadata"])


def test_o36_nothing_is_touched_for_five_seconds_and_then_the_pods_get_their_grace(stuck):
    pods = stuck.at(11).names("pods", "web-")
    assert len(pods) == 2
    for name in pods:
        assert marked(stuck, name).at == pytest.approx(15, abs=0.5)
        assert marked(stuck, name).object["metadata"]["deletionGracePeriodSeconds"] == 30


def test_o36_the_rest_goes_with_the_round_that_finds_no_pods_any_more(stuck):
    pods = stuck.at(11).names("pods", "web-")
    assert max(stuck.gone("pods", f"x/{name}") for name in pods) < stuck.gone("deployments.apps", "x/web") == pytest.approx(20, abs=0.7)


def test_o36_only_what_has_a_finalizer_is_left(stuck):
    end = stuck.end()
    assert end.get("configmaps", "x/hold")["metadata"]["deletionTimestamp"]
    assert end.get("configmaps", "x/kube-root-ca.crt") is None
    assert end.get("serviceaccounts", "x/default") is None


def test_o36_the_first_conditions_are_all_false(stuck):
    written = [state for state in stuck.states("namespaces", "/x") if state.object["status"].get("conditions")]
    assert written[0].at == pytest.approx(15, abs=0.5)
    assert {one["type"]: one["status"] for one in written[0].object["status"]["conditions"]} == dict.fromkeys([*FAILURES, *REMAINING], "False")


def test_o36_the_second_round_says_what_remains_and_whose_finalizer_it_is(stuck):
    written = [state for state in stuck.states("namespaces", "/x") if state.object["status"].get("conditions")]
    assert written[1].at == pytest.approx(20, abs=0.7)
    left, finalizers = (condition(written[1].object, kind) for kind in REMAINING)
    assert (left["status"], left["reason"], left["message"]) == (
        "True", "SomeResourcesRemain", "Some resources are remaining: configmaps. has 1 resource instances")
    assert (finalizers["status"], finalizers["reason"], finalizers["message"]) == (
        "True", "SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances")
    assert [condition(written[1].object, kind)["status"] for kind in FAILURES] == ["False"] * 3


def test_o36_nothing_can_be_created_in_it(stuck):
    assert stuck.printed("kubectl -n x create configmap c2") == f"error: failed to create configmap: {TERMINATING}\n"
    assert stuck.printed("kubectl -n x apply -f c2.yaml") == f'Error from server (Forbidden): error when creating "c2.yaml": {TERMINATING}\n'
    assert stuck.exit("kubectl -n x create configmap c2") == stuck.exit("kubectl -n x apply -f c2.yaml") == 1


def test_o36_the_refusal_names_its_cause():
    story = play(BEGUN + "@11s end", FILES)
    answer = story.cluster.api.http("POST", "/api/v1/namespaces/x/configmaps", {}, {"metadata": {"name": "c2"}})
    assert (answer.code, answer.body["reason"]) == (403, "Forbidden")
    assert answer.body["details"]["causes"] == [
        {"reason": "NamespaceTerminating", "message": "namespace x is being terminated", "field": "metadata.namespace"}]


def test_o36_removing_the_finalizer_ends_it():
    story = play(BEGUN + f"@60s {LET_GO}\n@90s end", FILES)
    removed = story.gone("configmaps", "x/hold")
    assert removed == pytest.approx(60.1, abs=0.2)
    assert removed < story.gone("namespaces", "/x") < 80


def test_o36_finalizing_by_hand_leaves_an_orphan_behind():
    story = play(BEGUN + "@60s end", FILES)
    namespace = story.end().get("namespaces", "/x")
    story.files["finalized.json"] = json.dumps({**namespace, "spec": {"finalizers": []}})
    story.go_on("""
        @61s kubectl replace --raw /api/v1/namespaces/x/finalize -f finalized.json
        @65s kubectl get ns x
        @66s kubectl -n x get cm --no-headers
        @67s kubectl create ns x
        @70s kubectl -n x get cm --no-headers
        @71s end
    """)
    assert story.gone("namespaces", "/x") == pytest.approx(61.1, abs=0.2)
    assert story.printed("kubectl get ns x") == 'Error from server (NotFound): namespaces "x" not found\n'
    names = [[line.split()[0] for line in story.printed("kubectl -n x get cm --no-headers", number).splitlines()] for number in (1, 2)]
    assert names == [["hold"], ["hold", "kube-root-ca.crt"]]


def test_o36_custom_resources_go_too_and_hold_the_namespace_by_their_finalizers():
    definition = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
    held = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: held, finalizers: [example.com/hold]}\n"
    free = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: free}\n"
    story = play("""
        @0s kubectl apply -f crd.yaml -f x.yaml
        @5s kubectl -n x apply -f things.yaml
        @10s kubectl delete ns x --wait=false
        @30s kubectl -n x get things --no-headers
        @31s end
    """, {**FILES, "crd.yaml": definition, "things.yaml": held + "---\n" + free})
    assert [line.split()[0] for line in story.printed("kubectl -n x get things --no-headers").splitlines()] == ["held"]
    left = condition(story.end().get("namespaces", "/x"), "NamespaceContentRemaining")
    assert left["message"] == "Some resources are remaining: things.example.com has 1 resource instances"


# -- a server that does not answer -----------------------------------------------------------------------------------------
BROKEN = """
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  service: {name: metrics-server, namespace: kube-system}
"""


@pytest.fixture(scope="module")
def undiscovered():
    return play("""
        @0s kubectl apply -f broken.yaml
        @1s kubectl get apiservice v1beta1.metrics.k8s.io --no-headers
        @5s kubectl apply -f x.yaml
        @10s kubectl delete ns x --wait=false
        @100s kubectl delete apiservice v1beta1.metrics.k8s.io
        @180s end
    """, {**FILES, "broken.yaml": BROKEN})


def test_o36_an_api_service_without_a_service_is_not_available(undiscovered):
    cells = undiscovered.printed("kubectl get apiservice v1beta1.metrics.k8s.io --no-headers").split()
    assert cells[1:4] == ["kube-system/metrics-server", "False", "(ServiceNotFound)"]


def test_o36_a_broken_api_service_keeps_every_namespace_from_going(undiscovered):
    namespace = undiscovered.at(100).get("namespaces", "/x")
    failed = condition(namespace, "NamespaceDeletionDiscoveryFailure")
    assert (failed["status"], failed["reason"]) == ("True", "DiscoveryFailed")
    assert failed["message"] == ("Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: "
                                 "metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1")
    assert [condition(namespace, kind)["status"] for kind in (*FAILURES[1:], *REMAINING)] == ["False"] * 4


def test_o36_the_namespace_goes_within_a_minute_when_the_api_service_is_deleted(undiscovered):
    assert 100 < undiscovered.gone("namespaces", "/x") < 162


def test_o36_what_an_api_service_lacks_is_looked_at_again_when_its_service_changes():
    service = """
apiVersion: v1
kind: Service
metadata: {name: metrics-server, namespace: kube-system}
spec: {selector: {app: nobody}, ports: [{port: 443}]}
"""
    story = play("@0s kubectl apply -f broken.yaml\n@5s kubectl apply -f service.yaml\n@10s end", {"broken.yaml": BROKEN, "service.yaml": service})
    reasons = [condition(state.object, "Available")["reason"] for state in story.states("apiservices.apiregistration.k8s.io", "/v1beta1.metrics.k8s.io")[1:]]
    assert reasons[0] == "ServiceNotFound"
    assert reasons[-1] == "MissingEndpoints"
