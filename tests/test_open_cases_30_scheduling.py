"""Open case O30: Pods for which there is no node, and what helps them."""
import pytest

from lifecycle.simulation.objects import condition

from .stories import play

NO_NODE = "0/3 nodes are available: "
NOT_HELPFUL = " no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
NO_VICTIMS = " no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."

BIG = """
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - name: c
    image: demo:ok
    resources: {requests: {cpu: "4"}}
"""
WANTS_1500M = BIG.replace("name: a}", "name: b}").replace('"4"', "1500m")
WANTS_SSD = """
apiVersion: v1
kind: Pod
metadata: {name: c}
spec:
  nodeSelector: {disk: ssd}
  containers: [{name: c, image: "demo:ok"}]
"""
ANYWHERE = """
apiVersion: v1
kind: Pod
metadata: {name: d}
spec:
  containers: [{name: c, image: "demo:ok"}]
"""
ON_NO_NODE = """
apiVersion: v1
kind: Pod
metadata: {name: e}
spec:
  nodeName: n9
  containers: [{name: c, image: "demo:ok"}]
"""
FILES = {"a.yaml": BIG, "b.yaml": WANTS_1500M, "c.yaml": WANTS_SSD, "d.yaml": ANYWHERE, "e.yaml": ON_NO_NODE}
ONE_CPU_ON_EVERY_NODE = {f"on-{node}.yaml": f"""
apiVersion: v1
kind: Pod
metadata: {{name: on-{node}}}
spec:
  nodeSelector: {{kubernetes.io/hostname: {node}}}
  containers:
  - name: c
    image: demo:ok
    resources: {{requests: {{cpu: "1"}}}}
""" for node in ("n1", "n2", "n3")}
CLOSED_NODES = """
    @0s kubectl taint node n1 n2 k=v:NoSchedule
    @0s kubectl cordon n3
"""


def whys(story, pod):
    """What the scheduler said about a Pod."""
    return [event.message for event in story.events(pod, "FailedScheduling")]


def with_one_cpu_taken():
    return play("""
        @0s kubectl apply -f on-n1.yaml
        @0s kubectl apply -f on-n2.yaml
        @0s kubectl apply -f on-n3.yaml
        @5s kubectl apply -f b.yaml
        @10s end
    """, {**FILES, **ONE_CPU_ON_EVERY_NODE})


def test_o30_a_pod_larger_than_any_node_says_that_preemption_cannot_help():
    story = play("@0s kubectl apply -f a.yaml\n@5s end", FILES)
    assert whys(story, "a") == [NO_NODE + "3 Insufficient cpu." + NOT_HELPFUL]


def test_o30_a_pod_larger_than_what_is_left_says_that_there_is_nobody_to_preempt():
    assert whys(with_one_cpu_taken(), "b") == [NO_NODE + "3 Insufficient cpu." + NO_VICTIMS]


def test_o30_a_selector_that_no_node_has():
    story = play("@0s kubectl apply -f c.yaml\n@5s end", FILES)
    assert whys(story, "c") == [NO_NODE + "3 node(s) didn't match Pod's node affinity/selector." + NOT_HELPFUL]


def test_o30_reasons_are_sorted_as_text_with_their_counts_in_front():
    story = play(CLOSED_NODES + "@1s kubectl apply -f d.yaml\n@5s end", FILES)
    assert whys(story, "d") == [NO_NODE + "1 node(s) were unschedulable, 2 node(s) had untolerated taint(s)." + NOT_HELPFUL]


def test_o30_the_reason_is_a_warning_and_a_condition_of_the_pod():
    story = play("@0s kubectl apply -f a.yaml\n@5s end", FILES)
    [event], pod = story.events("a"), story.end().get("pods", "a")
    scheduled = condition(pod, "PodScheduled")
    assert event.type == "Warning"
    assert (scheduled["status"], scheduled["reason"], scheduled["message"]) == ("False", "Unschedulable", event.message)


def test_o30_an_unschedulable_pod_stays_pending_for_ever_and_no_node_touches_it():
    story = play("""
        @0s kubectl apply -f a.yaml
        @30m kubectl get pods --no-headers -o wide
        @31m end
    """, FILES)
    assert story.printed("kubectl get pods --no-headers -o wide").split() == ["a", "0/1", "Pending", "0", "30m", "<none>", "<none>", "<none>", "<none>"]
    assert story.messages("RunPodSandbox") == story.messages("PullImage") == []


def test_o30_a_node_that_joins_and_fits_gets_the_pod_within_milliseconds():
    story = play("@0s kubectl apply -f a.yaml\n@60s end", FILES)
    story.join("n4", cpu="8")
    story.go_on("@65s end")
    assert [event.at for event in story.events("a", "Scheduled")] == [pytest.approx(60, abs=0.1)]
    assert story.end().get("pods", "a")["spec"]["nodeName"] == "n4"
    assert story.end().get("pods", "a")["status"]["phase"] == "Running"


@pytest.mark.parametrize(("setting", "pod", "mending"), [
    (CLOSED_NODES, "d", "kubectl uncordon n3"),
    (CLOSED_NODES, "d", "kubectl taint node n2 k=v:NoSchedule-"),
    ("", "c", "kubectl label node n2 disk=ssd"),
])
def test_o30_what_changes_on_a_node_helps_without_touching_the_pod(setting, pod, mending):
    story = play(setting + f"""
        @1s kubectl apply -f {pod}.yaml
        @60s {mending}
        @70s end
    """, FILES)
    assert [event.at for event in story.events(pod, "Scheduled")] == [pytest.approx(60, abs=0.3)]


def test_o30_a_pod_that_ends_makes_room():
    story = with_one_cpu_taken().go_on("@60s kubectl delete pod on-n2\n@70s end")
    ended = next(state.at for state in story.states("pods", "on-n2") if state.object["status"]["phase"] == "Succeeded")
    assert [event.at for event in story.events("b", "Scheduled")] == [pytest.approx(ended, abs=0.1)]
    assert story.end().get("pods", "b")["spec"]["nodeName"] == "n2"


def test_o30_a_pod_for_a_node_that_does_not_exist_stays_pending_without_any_event():
    story = play("""
        @0s kubectl apply -f e.yaml
        @30s kubectl get pod e --no-headers
        @31s end
    """, FILES)
    assert story.printed("kubectl get pod e --no-headers").split()[:4] == ["e", "0/1", "Pending", "0"]
    assert story.events("e") == []


def test_o30_the_pod_garbage_collector_removes_a_pod_for_a_node_that_does_not_exist():
    story = play("@0s kubectl apply -f e.yaml\n@100s end", FILES)
    assert 40 <= story.gone("pods", "e") <= 80
