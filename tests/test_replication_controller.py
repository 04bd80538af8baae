"""ReplicationControllers: what there was before ReplicaSets."""
from lifecycle.simulation.objects import controller_of

from .stories import play

OLD = """
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  replicas: 2
  selector: {app: old}
  template:
    metadata: {labels: {app: old}}
    spec: {containers: [{name: c, image: "demo:ok"}]}
"""


def told(script):
    return play(f"@0s kubectl create -f old.yaml\n{script}", {"old.yaml": OLD})


def test_it_keeps_as_many_pods_as_asked_for():
    story = told("@10s kubectl scale rc old --replicas=4\n@20s kubectl scale rc old --replicas=1\n@40s end")
    assert [len(story.at(at).names("pods", "old-")) for at in (9, 19, 39)] == [2, 4, 1]
    assert story.at(19).get("replicationcontrollers", "old")["status"] == {
        "replicas": 4, "fullyLabeledReplicas": 4, "readyReplicas": 4, "availableReplicas": 4, "observedGeneration": 2}
    assert {event.reason for event in story.events("old")} == {"SuccessfulCreate", "SuccessfulDelete"}


def test_it_adopts_a_pod_with_its_labels_and_then_has_one_too_many():
    story = told("@10s kubectl run other --image=demo:ok\n@20s kubectl label pod other app=old\n@40s end")
    assert any(controller_of(state.object) is not None for state in story.states("pods", "other"))
    assert len(story.end().list("pods")) == 2


def test_a_pod_without_the_labels_of_any_controller_is_left_alone():
    story = told("@10s kubectl run other --image=demo:ok\n@40s end")
    assert controller_of(story.end().get("pods", "other")) is None
