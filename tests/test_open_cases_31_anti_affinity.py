"""Open case O31: a rollout with as many Pods as nodes, of which no two may share one."""
from lifecycle.simulation.objects import condition, is_ready

from .stories import play
from .test_open_cases_30_scheduling import NO_NODE, NO_VICTIMS, whys

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
