"""StatefulSets: Pods with names, places and claims of their own."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition, controller_of, is_ready

from .stories import play

CLAIMS = """
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""


def stateful_set(replicas=3, image="demo:v1", spec="", more=""):
    return f"""
apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: db}}
spec:
  serviceName: db
  replicas: {replicas}
  {spec}
  selector: {{matchLabels: {{app: db}}}}
  template:
    metadata: {{labels: {{app: db}}}}
    spec:
      containers: [{{name: app, image: "{image}"}}]
{more}
"""


def told(script, **kwargs):
    return play(f"@0s kubectl apply -f db.yaml\n{script}", {"db.yaml": stateful_set(**kwargs)})


def images(moment):
    return [pod["spec"]["containers"][0]["image"] for pod in moment.list("pods", "db-")]


def status(moment):
    return moment.get("statefulsets.apps", "db")["status"]


@cache
def plain():
    return told("@20s kubectl scale sts db --replicas=1\n@40s kubectl scale sts db --replicas=3\n@60s kubectl delete pod db-1\n@80s end")


def test_a_pod_has_its_place_in_name_labels_and_host_name():
    pod = plain().at(10).get("pods", "db-1")
    assert (pod["spec"]["hostname"], pod["spec"]["subdomain"]) == ("db-1", "db")
    revision = status(plain().at(10))["currentRevision"]
    assert pod["metadata"]["labels"] == {
        "app": "db", "apps.kubernetes.io/pod-index": "1", "controller-revision-hash": revision, "statefulset.kubernetes.io/pod-name": "db-1"}


def test_a_revision_is_named_as_a_real_cluster_names_it():
    # The same template in a recording of v1.36.2 was called db-fbdf84994.
    assert plain().end().names("controllerrevisions.apps") == ["db-fbdf84994"]


def test_shrinking_takes_the_highest_pod_first_and_waits_until_it_is_gone():
    story = plain()
    marked = {name: next(state.at for state in story.states("pods", name) if "deletionTimestamp" in state.object["metadata"]) for name in ("db-1", "db-2")}
    gone = next(state.at for state in story.states("pods", "db-2") if state.type == "DELETED")
    assert 20 < marked["db-2"] < gone < marked["db-1"] < 30
    assert story.at(39).names("pods") == ["db-0"]


def test_a_deleted_pod_comes_back_under_its_name_when_the_old_one_is_gone():
    states = [state for state in plain().states("pods", "db-1") if state.at >= 60]
    gone = next(state.at for state in states if state.type == "DELETED")
    back = next(state for state in states if state.type == "ADDED")
    assert gone <= back.at < gone + 0.1
    assert is_ready(plain().end().get("pods", "db-1"))


def test_what_it_does_is_said_in_events():
    messages = [event.message for event in plain().events("db")]
    assert messages[:3] == [f"Create Pod db-{place} in StatefulSet db successful" for place in range(3)]
    assert "Delete Pod db-2 in StatefulSet db successful" in messages


def test_an_update_goes_from_the_highest_place_down_one_at_a_time():
    story = told("@20s kubectl set image sts/db app=demo:v2\n@60s end")
    ready = [sum(is_ready(pod) for pod in pods) for at, pods in story.history("pods", "db-", since=20)]
    assert min(ready) == 2
    assert [images(story.at(at)) for at in (20, 60)] == [["demo:v1"] * 3, ["demo:v2"] * 3]
    made = [next(state.at for state in story.states("pods", f"db-{place}") if state.at > 20 and state.type == "ADDED") for place in range(3)]
    assert made == sorted(made, reverse=True)
    found = status(story.end())
    assert found["currentRevision"] == found["updateRevision"] and found["currentReplicas"] == found["updatedReplicas"] == 3


def test_an_update_spares_the_pods_below_the_partition():
    story = told("@20s kubectl set image sts/db app=demo:v2\n@50s kubectl delete pod db-0\n@80s end", spec="updateStrategy: {rollingUpdate: {partition: 2}}")
    assert images(story.at(49)) == ["demo:v1", "demo:v1", "demo:v2"]
    # It comes back as it was before the update.
    assert images(story.end()) == ["demo:v1", "demo:v1", "demo:v2"]
    assert status(story.end())["updatedReplicas"] == 1


def test_more_than_one_at_a_time_is_not_possible_because_its_feature_gate_is_off():
    strategy = "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"
    story = told("@60s kubectl set image statefulset/db app=demo:v2\n@200s end", spec=f"podManagementPolicy: Parallel\n  {strategy}")
    assert story.at(50).get("statefulsets.apps", "db")["spec"]["updateStrategy"] == {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}
    assert min(len([pod for pod in pods if is_ready(pod)]) for _, pods in story.history("pods", "db-", since=60)) == 2
    assert images(story.end()) == ["demo:v2"] * 3


def test_on_delete_updates_a_pod_only_when_someone_deletes_it():
    story = told("@20s kubectl set image sts/db app=demo:v2\n@40s kubectl delete pod db-1\n@60s end", spec="updateStrategy: {type: OnDelete}")
    assert images(story.at(39)) == ["demo:v1"] * 3
    assert images(story.end()) == ["demo:v1", "demo:v2", "demo:v1"]


def test_parallel_pods_come_and_go_without_waiting_for_each_other():
    story = told("@20s kubectl scale sts db --replicas=0\n@40s end", spec="podManagementPolicy: Parallel")
    made = [story.states("pods", f"db-{place}")[0].at for place in range(3)]
    assert max(made) - min(made) < 0.1
    assert not any(is_ready(pod) for at, pods in story.history("pods", "db-") for pod in pods if at <= max(made))


def test_places_can_start_at_another_number():
    story = told("@20s end", replicas=2, spec="ordinals: {start: 5}")
    assert story.end().names("pods") == ["db-5", "db-6"]


def test_a_pod_counts_as_available_after_min_ready_seconds():
    story = told("@40s end", replicas=2, spec="minReadySeconds: 10")
    ready = next(state for state in story.states("pods", "db-0") if is_ready(state.object))
    since = condition(ready.object, "Ready")["lastTransitionTime"]
    second = story.states("pods", "db-1")[0].at
    assert 10 <= second - story.cluster.clock.parse(since) / 1000 < 11.5
    assert status(story.at(second - 0.05))["availableReplicas"] == 0


# -- claims ----------------------------------------------------------------------------------------------------------------
POLICY = "persistentVolumeClaimRetentionPolicy: {{whenDeleted: {}, whenScaled: {}}}"


def claims(moment):
    return moment.names("persistentvolumeclaims")


def test_each_pod_has_a_claim_of_its_own_that_outlives_it():
    story = told("@60s kubectl scale sts db --replicas=1\n@90s kubectl delete sts db\n@120s end", replicas=2, more=CLAIMS)
    pod = story.at(59).get("pods", "db-1")
    assert pod["spec"]["volumes"][0] == {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-1"}}
    assert story.states("persistentvolumeclaims", "data-db-1")[0].at < story.states("pods", "db-1")[0].at
    assert claims(story.end()) == ["data-db-0", "data-db-1"]
    assert [event.message for event in story.events("db")][0] == "Create Claim data-db-0 Pod db-0 in StatefulSet db success"


@pytest.mark.parametrize("deleted, scaled, after_scaling, at_the_end", [
    ("Retain", "Delete", ["data-db-0"], ["data-db-0"]), ("Delete", "Retain", ["data-db-0", "data-db-1"], []), ("Delete", "Delete", ["data-db-0"], [])])
def test_the_retention_policy_decides_which_claims_go(deleted, scaled, after_scaling, at_the_end):
    story = told("@60s kubectl scale sts db --replicas=1\n@90s kubectl delete sts db\n@150s end", replicas=2, spec=POLICY.format(deleted, scaled), more=CLAIMS)
    assert claims(story.at(89)) == after_scaling
    assert claims(story.end()) == at_the_end


# -- claiming ----------------------------------------------------------------------------------------------------------------
def test_a_pod_that_lost_its_labels_is_let_go_of_and_taken_back_with_them():
    story = told("@20s kubectl label pod db-1 app=other --overwrite\n@40s kubectl label pod db-1 app=db --overwrite\n@60s end", replicas=2)
    assert controller_of(story.at(39).get("pods", "db-1")) is None
    assert controller_of(story.end().get("pods", "db-1"))["kind"] == "StatefulSet"


def test_a_refused_pod_is_complained_about_and_tried_again():
    story = play("@0s kubectl create quota q --hard=pods=1\n@5s kubectl apply -f db.yaml\n@20s kubectl delete quota q\n@90s end", {"db.yaml": stateful_set(2)})
    event, = story.events("db", "FailedCreate")
    assert event.message.startswith('Create Pod db-1 in StatefulSet db failed error: pods "db-1" is forbidden: exceeded quota: q')
    assert story.end().names("pods") == ["db-0", "db-1"]


def test_old_revisions_are_forgotten_beyond_the_limit():
    changes = "".join(f"@{20 * number}s kubectl set image sts/db app=demo:v{number + 1}\n" for number in range(1, 5))
    story = told(f"{changes}@120s end", replicas=1, spec="revisionHistoryLimit: 1")
    assert sorted(each["revision"] for each in story.end().list("controllerrevisions.apps")) == [4, 5]


def test_a_settled_stateful_set_leaves_nothing_to_do():
    assert not [key for component, key in plain().cluster.queue.waiting if component == "statefulset"]
