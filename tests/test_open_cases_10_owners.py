"""O10 to O14: selectors, and who owns which Pod. Times are seconds from the start of the script."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition, controller_of, is_ready

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


# -- O13 --------------------------------------------------------------------------------------------------------------------
ORPHAN = "kubectl delete deployment web --cascade=orphan"


@cache
def orphans():
    story = play(f"""
        @0s {APPLY}
        @30s {ORPHAN}
        @40s end
    """, {"web.yaml": deployment(), "other.yaml": deployment(image="demo:ok2")})
    return story.go_on(f"""
        @40s kubectl delete pod {story.end().names("pods")[0]}
        @60s {APPLY}
        @80s {ORPHAN}
        @90s kubectl apply -f other.yaml
        @120s kubectl rollout history deployment/web
        @125s end
    """)


def test_o13_replica_set_and_pods_stay_as_they_are():
    story = orphans()
    before, after = story.at(29), story.at(39)
    assert after.list("deployments.apps") == []
    assert before.list("pods") == after.list("pods")
    assert "ownerReferences" in before.list("replicasets.apps")[0]["metadata"]
    orphan, = after.list("replicasets.apps")
    assert not orphan["metadata"].get("ownerReferences")
    assert {controller_of(each)["uid"] for each in after.list("pods")} == uids([orphan])


def test_o13_the_deployment_carries_the_finalizer_while_its_dependents_are_let_go():
    story = orphans()
    held = [state for state in story.states("deployments.apps", "web") if "orphan" in state.object["metadata"].get("finalizers", ()) and state.at < 40]
    assert held
    assert story.messages("PatchReplicaSet")[0].at / 1000 >= held[0].at
    assert 30 < held[0].at <= held[-1].at < 31


def test_o13_the_orphan_still_replaces_its_pods():
    moments = orphans().at(39), orphans().at(59)
    assert len(moments[1].list("pods")) == 2
    assert len(uids(moments[0].list("pods")) & uids(moments[1].list("pods"))) == 1


def test_o13_the_same_manifest_adopts_the_replica_set_again():
    story = orphans()
    before, after = story.at(59), story.at(79)
    adopted, = after.list("replicasets.apps")
    web = after.get("deployments.apps", "web")
    assert uids([adopted]) == uids(before.list("replicasets.apps"))
    assert controller_of(adopted)["uid"] == web["metadata"]["uid"] != story.at(29).get("deployments.apps", "web")["metadata"]["uid"]
    assert before.list("pods") == after.list("pods")
    assert {status["restartCount"] for each in after.list("pods") for status in each["status"]["containerStatuses"]} == {0}


def test_o13_another_image_adopts_it_as_old_and_rolls():
    story = orphans()
    sets = {each["spec"]["template"]["spec"]["containers"][0]["image"]: each for each in story.end().list("replicasets.apps")}
    assert uids([sets["demo:ok"]]) == uids(story.at(79).list("replicasets.apps"))
    assert [sets[image]["spec"]["replicas"] for image in ("demo:ok", "demo:ok2")] == [0, 2]
    assert min(sum(map(is_ready, pods)) for _, pods in story.history("pods", since=90)) == 2
    history = story.printed("kubectl rollout history deployment/web").strip().splitlines()[2:]
    assert [line.split()[0] for line in history] == ["1", "2"]


# -- O14 --------------------------------------------------------------------------------------------------------------------
@cache
def nothing_stays_deleted():
    """The story, and the names of the Pod and of the ReplicaSet that are deleted."""
    story = play(f"@0s {APPLY}\n@20s end", {"web.yaml": deployment(env='{name: TERM_DELAY, value: "10"}')})
    pod, replica_set = story.end().names("pods")[0], story.end().names("replicasets.apps")[0]
    story.go_on(f"""
        @30s kubectl delete pod {pod}
        @60s kubectl delete rs {replica_set}
        @90s kubectl scale deployment web --replicas=0
        @120s kubectl get deployment web
        @130s kubectl scale deployment web --replicas=2
        @150s kubectl delete deployment web
        @180s end
    """)
    return story, pod, replica_set


def test_o14_a_deleted_pod_is_replaced_before_it_has_ended():
    story, pod, _ = nothing_stays_deleted()
    before, soon, after = story.at(29), story.at(30.5), story.at(59)
    new, = uids(soon.list("pods")) - uids(before.list("pods"))
    assert len(soon.list("pods")) == 3
    assert pod in soon.names("pods")
    assert story.gone("pods", pod) > 40
    assert pod not in after.names("pods")
    assert new in uids(after.list("pods"))
    assert {status["restartCount"] for each in after.list("pods") for status in each["status"]["containerStatuses"]} == {0}


def test_o14_a_deleted_replica_set_comes_back_under_the_same_name():
    story, _, name = nothing_stays_deleted()
    states = [state for state in story.states("replicasets.apps", name) if 60 < state.at < 61]
    gone, added = next(state for state in states if state.type == "DELETED"), next(state for state in states if state.type == "ADDED")
    assert 60 < gone.at < 60.5
    assert gone.at <= added.at < gone.at + 0.05
    assert gone.object["metadata"]["uid"] != added.object["metadata"]["uid"]


def test_o14_it_brings_two_new_pods_and_the_old_ones_are_collected():
    story, _, _ = nothing_stays_deleted()
    old, new = uids(story.at(59).list("pods")), uids(story.at(89).list("pods"))
    assert (len(old), len(new), old & new) == (2, 2, set())
    collected = [step for step in story.messages("DeletePod", controller="garbage-collector") if 60_000 < step.at < 61_000]
    assert len(collected) == 2


def test_o14_the_event_of_the_second_creation_counts_the_first_one_up():
    story, _, name = nothing_stays_deleted()
    moment = story.at(80)
    event, = [each for each in moment.list("events", "web.") if each["message"] == f"Scaled up replica set {name} from 0 to 2"]
    assert event["count"] == 2


def test_o14_scaled_to_zero_it_keeps_its_replica_set_and_is_available():
    story, _, name = nothing_stays_deleted()
    moment = story.at(120)
    assert moment.names("replicasets.apps") == [name]
    assert moment.list("pods") == []
    assert story.printed("kubectl get deployment web").splitlines()[1].split()[1] == "0/0"
    assert condition(moment.get("deployments.apps", "web"), "Available")["status"] == "True"
    assert moment.get("replicasets.apps", name)["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "1"


def test_o14_a_deleted_deployment_goes_at_once_then_its_replica_set_then_its_pods_with_their_grace():
    story, _, name = nothing_stays_deleted()
    pods = story.at(149).names("pods")
    assert 150 < story.gone("deployments.apps", "web") < 150.5
    assert story.gone("deployments.apps", "web") < story.gone("replicasets.apps", name) < 150.5
    assert all(story.gone("pods", each) > 160 for each in pods)
    assert [story.at(155).get("pods", each)["metadata"]["deletionGracePeriodSeconds"] for each in pods] == [30, 30]
    assert story.messages("SendSIGKILL") == []
