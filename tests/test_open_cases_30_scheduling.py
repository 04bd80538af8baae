"""Open cases O30 and O31: Pods for which there is no node, and what helps them."""
import pytest

from lifecycle.simulation.objects import condition, is_ready

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


# -- O31 -------------------------------------------------------------------------------------------------------------------
SPREAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  progressDeadlineSeconds: 60
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - labelSelector: {matchLabels: {app: web}}
            topologyKey: kubernetes.io/hostname
      containers: [{name: c, image: "demo:ok"}]
"""
PER_REVISION = SPREAD.replace("            topologyKey:", "            matchLabelKeys: [pod-template-hash]\n            topologyKey:")
PREFERRED = SPREAD.replace("requiredDuring", "preferredDuring").replace("""          - labelSelector: {matchLabels: {app: web}}
            topologyKey: kubernetes.io/hostname
""", """          - weight: 100
            podAffinityTerm:
              labelSelector: {matchLabels: {app: web}}
              topologyKey: kubernetes.io/hostname
""")
NEW_IMAGE = "kubectl set image deployment/web c=demo:ok2"
ONE_BY_ONE = """kubectl patch deployment web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1}}}}'"""


def updated(manifest, rest="@100s end"):
    """A Deployment of three that gets a new image at 10 s."""
    return play(f"@0s kubectl apply -f web.yaml\n@10s {NEW_IMAGE}\n{rest}", {"web.yaml": manifest})


def progressing(deployment):
    found = condition(deployment, "Progressing")
    return found["status"], found["reason"]


def on_new_image(moment):
    return [pod for pod in moment.list("pods", "web-") if pod["spec"]["containers"][0]["image"] == "demo:ok2" and is_ready(pod)]


def test_o31_the_surplus_pod_of_the_rollout_has_no_node_left():
    story = updated(SPREAD)
    [stuck] = [pod for pod in story.end().list("pods", "web-") if "nodeName" not in pod["spec"]]
    assert stuck["spec"]["containers"][0]["image"] == "demo:ok2"
    assert whys(story, stuck["metadata"]["name"]) == [NO_NODE + "3 node(s) didn't match pod anti-affinity rules." + NO_VICTIMS]


def test_o31_the_three_old_pods_keep_serving_and_the_deadline_passes():
    story = updated(SPREAD)
    deployment = story.end().get("deployments.apps", "web")
    assert (deployment["status"]["readyReplicas"], deployment["status"]["updatedReplicas"]) == (3, 1)
    assert progressing(story.at(69).get("deployments.apps", "web")) == ("True", "ReplicaSetUpdated")
    assert progressing(story.at(72.5).get("deployments.apps", "web")) == ("False", "ProgressDeadlineExceeded")


def test_o31_it_never_resolves_itself():
    story = updated(SPREAD, "@2h end")
    deployment = story.end().get("deployments.apps", "web")
    assert deployment["status"]["updatedReplicas"] == 1
    assert progressing(deployment) == ("False", "ProgressDeadlineExceeded")


def test_o31_without_surge_the_update_goes_through_pod_by_pod():
    story = updated(SPREAD, f"@100s {ONE_BY_ONE}\n@200s end")
    assert len(on_new_image(story.end())) == 3
    # It should report progress at once.
    assert progressing(story.at(101).get("deployments.apps", "web"))[0] == "True"
    # Never more than one Pod was away.
    available = [state.object["status"].get("availableReplicas", 0) for state in story.states("deployments.apps", "web") if state.at > 100]
    assert min(available) == 2


def test_o31_without_surge_a_new_pod_waits_until_the_old_one_has_left_its_node():
    story = updated(SPREAD, f"@100s {ONE_BY_ONE}\n@200s end")
    new = [pod["metadata"]["name"] for pod in on_new_image(story.end())]
    waited = [name for name in new if whys(story, name)]
    assert len(waited) == 3


def test_o31_a_fourth_node_ends_the_deadlock():
    story = updated(SPREAD)
    story.join("n4")
    story.go_on("@200s end")
    assert len(on_new_image(story.end())) == 3
    assert progressing(story.end().get("deployments.apps", "web")) == ("True", "NewReplicaSetAvailable")


def test_o31_a_preference_does_not_deadlock():
    story = updated(PREFERRED, "@60s end")
    assert len(on_new_image(story.end())) == 3
    assert story.events(reason="FailedScheduling") == []


def test_o31_anti_affinity_within_a_revision_does_not_deadlock():
    story = updated(PER_REVISION, "@60s end")
    assert len(on_new_image(story.end())) == 3


def test_o31_the_pods_own_label_becomes_part_of_its_selector():
    story = play("@0s kubectl apply -f web.yaml\n@5s end", {"web.yaml": PER_REVISION})
    [pod, *_] = story.end().list("pods", "web-")
    [term] = pod["spec"]["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    hash_value = pod["metadata"]["labels"]["pod-template-hash"]
    assert term["labelSelector"] == {"matchLabels": {"app": "web"},
                                     "matchExpressions": [{"key": "pod-template-hash", "operator": "In", "values": [hash_value]}]}
    # The template does not change.
    template = story.end().get("deployments.apps", "web")["spec"]["template"]
    [term] = template["spec"]["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["labelSelector"] == {"matchLabels": {"app": "web"}}


def test_o31_pods_with_the_plain_rule_keep_those_of_the_better_rule_away():
    story = play("""
        @0s kubectl apply -f web.yaml
        @10s kubectl apply -f better.yaml
        @20s end
    """, {"web.yaml": SPREAD, "better.yaml": PER_REVISION})
    [new] = [pod["metadata"]["name"] for pod in story.end().list("pods", "web-") if "nodeName" not in pod["spec"]]
    assert whys(story, new) == [NO_NODE + "3 node(s) didn't satisfy existing pods anti-affinity rules." + NO_VICTIMS]
