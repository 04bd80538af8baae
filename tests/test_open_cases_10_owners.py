"""O10 to O12: selectors, and who owns which Pod. Times are seconds from the start of the script."""
from functools import cache

import pytest

from lifecycle.simulation.objects import controller_of

from .stories import play


def deployment(name="web", replicas=2, image="demo:ok", selector="{matchLabels: {app: web}}", labels="{app: web}", env=""):
    selector = f"selector: {selector}" if selector else ""
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  {selector}
  template:
    metadata: {{labels: {labels}}}
    spec:
      containers:
      - {{name: app, image: "{image}", env: [{env}]}}
"""


def pod(name, labels):
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {labels}}}
spec:
  containers:
  - {{name: app, image: "demo:ok"}}
"""


def uids(things):
    return {thing["metadata"]["uid"] for thing in things}


# -- O10 --------------------------------------------------------------------------------------------------------------------
APPLY = "kubectl apply -f web.yaml"


@pytest.mark.parametrize("manifest, error", [
    (deployment(selector=""), """\
The Deployment "web" is invalid:\x20
* spec.selector: Required value
* spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`
"""),
    (deployment(labels="{app: api}"),
     'The Deployment "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"api"}: `selector` does not match template `labels`\n'),
    (deployment(selector="{}"), 'The Deployment "web" is invalid: spec.selector: Invalid value: {}: empty selector is invalid for deployment\n'),
], ids=["none", "other", "empty"])
def test_o10_a_selector_is_required_and_must_match_the_template(manifest, error):
    story = play(f"@0s {APPLY}", {"web.yaml": manifest})
    assert (story.exit(APPLY), story.printed(APPLY)) == (1, error)
    assert story.messages("CreateDeployment")[0].facts["code"] == 422
    assert story.end().list("deployments.apps") == []


def test_o10_a_selector_never_changes():
    story = play(f"@0s {APPLY}\n@20s kubectl apply -f more.yaml\n@30s end", {
        "web.yaml": deployment(), "more.yaml": deployment(selector="{matchLabels: {app: web, tier: fe}}", labels="{app: web, tier: fe}")})
    assert story.exit("kubectl apply -f more.yaml") == 1
    assert story.printed("kubectl apply -f more.yaml") == (
        'The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"fe"}}: field is immutable\n')
    assert story.end().get("deployments.apps", "web")["metadata"]["generation"] == 1


def test_o10_labels_of_the_template_may_change_while_the_selector_matches():
    story = play(f"@0s {APPLY}\n@20s kubectl apply -f more.yaml\n@40s end", {"web.yaml": deployment(), "more.yaml": deployment(labels="{app: web, tier: fe}")})
    assert story.printed("kubectl apply -f more.yaml") == "deployment.apps/web configured\n"
    assert [each["metadata"]["labels"].get("tier") for each in story.end().list("pods")] == ["fe", "fe"]


# -- O11 --------------------------------------------------------------------------------------------------------------------
@cache
def three_deployments_with_one_selector():
    return play("""
        @0s kubectl create -f service.yaml
        @0s kubectl create -f d1.yaml
        @0s kubectl create -f d2.yaml
        @0s kubectl create -f d3.yaml
        @20s kubectl get pods -l app=web
        @300s end
    """, {"service.yaml": "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [{port: 80}]}}",
          "d1.yaml": deployment("d1"), "d2.yaml": deployment("d2", 1, "demo:ok2"), "d3.yaml": deployment("d3", 1)})


def test_o11_deployments_with_one_selector_do_not_steal_pods():
    story = three_deployments_with_one_selector()
    changes = [state for _, pods in story.history("pods") for state in pods if "deletionTimestamp" in state["metadata"]]
    assert changes == []
    assert len(story.end().list("pods")) == 4
    assert story.history("pods", since=10) == []


def test_o11_each_has_its_own_replica_set_even_with_the_same_template():
    end = three_deployments_with_one_selector().end()
    sets = {each["metadata"]["name"].partition("-")[0]: each for each in end.list("replicasets.apps")}
    assert list(sets) == ["d1", "d2", "d3"]
    hashes = {name: each["metadata"]["labels"]["pod-template-hash"] for name, each in sets.items()}
    assert hashes["d1"] == hashes["d3"] != hashes["d2"]
    owners = [controller_of(each)["uid"] for each in end.list("pods")]
    assert {name: owners.count(each["metadata"]["uid"]) for name, each in sets.items()} == {"d1": 2, "d2": 1, "d3": 1}


def test_o11_the_label_finds_them_all_and_so_does_the_service():
    story = three_deployments_with_one_selector()
    assert len(story.printed("kubectl get pods -l app=web").splitlines()) == 1 + 4
    piece, = story.end().list("endpointslices.discovery.k8s.io", "web-")
    assert len(piece["endpoints"]) == 4
    assert all(endpoint["conditions"]["ready"] for endpoint in piece["endpoints"])


# -- O12 --------------------------------------------------------------------------------------------------------------------
REPLICA_SET = """
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: fe}
spec:
  replicas: 3
  selector: {matchLabels: {tier: fe}}
  template:
    metadata: {labels: {tier: fe}}
    spec:
      containers: [{name: app, image: "demo:ok"}]
"""


@cache
def an_adoption():
    return play("""
        @0s kubectl create -f p1.yaml
        @0s kubectl create -f p2.yaml
        @20s kubectl create -f fe.yaml
        @40s kubectl create -f p3.yaml
        @60s end
    """, {"fe.yaml": REPLICA_SET, **{f"{name}.yaml": pod(name, "{tier: fe}") for name in ("p1", "p2", "p3")}})


def test_o12_a_replica_set_adopts_matching_pods_and_creates_only_what_is_missing():
    moment = an_adoption().at(39)
    fe = moment.get("replicasets.apps", "fe")
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "fe", "uid": fe["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
    assert [moment.get("pods", name)["metadata"]["ownerReferences"] for name in ("p1", "p2")] == [[owner], [owner]]
    assert len(moment.names("pods", "fe-")) == 1
    assert len(moment.list("pods")) == 3


def test_o12_one_that_comes_too_late_is_adopted_and_deleted_at_once():
    story = an_adoption()
    states = story.states("pods", "p3")
    adopted = next(state.at for state in states if controller_of(state.object))
    deleted = next(state.at for state in states if "deletionTimestamp" in state.object["metadata"])
    assert adopted <= deleted < states[0].at + 0.1
    assert story.gone("pods", "p3") < 45
    assert [event.message for event in story.events("fe", "SuccessfulDelete")] == ["Deleted pod: p3"]
    assert story.at(39).names("pods") == story.end().names("pods")


def test_o12_a_deployment_adopts_nothing():
    story = play("""
        @0s kubectl create -f p4.yaml
        @20s kubectl create -f dep.yaml
        @40s end
    """, {"p4.yaml": pod("p4", "{app: dep}"), "dep.yaml": deployment("dep", 1, selector="{matchLabels: {app: dep}}", labels="{app: dep}")})
    assert "ownerReferences" not in story.end().get("pods", "p4")["metadata"]
    assert len(story.end().names("pods", "dep-")) == 1
