"""O13 and O14: what is left behind or deleted is adopted, or replaced. Times are seconds from the start of the script."""
from functools import cache

from lifecycle.simulation.objects import condition, controller_of, is_ready

from .stories import play
from .test_open_cases_10_owners import APPLY, deployment, uids

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
