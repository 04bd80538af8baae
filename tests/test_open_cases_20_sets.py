"""O20 and O21: a StatefulSet stuck on a broken update, and where DaemonSets have Pods. Times are seconds from the start of the script."""
from functools import cache

from lifecycle.simulation.objects import is_ready

from .stories import play


# -- O20 --------------------------------------------------------------------------------------------------------------------
def stateful_set(name, image="demo:ok", policy="OrderedReady"):
    return f"""
apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: {name}}}
spec:
  serviceName: {name}
  replicas: 3
  podManagementPolicy: {policy}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      containers:
      - {{name: c, image: "{image}"}}
"""


@cache
def broken_update():
    return play("""
        @0s kubectl apply -f db.yaml
        @0s kubectl apply -f par.yaml
        @30s kubectl set image sts/db c=demo:missing
        @30s kubectl set image sts/par c=demo:missing
        @60s kubectl apply -f db.yaml
        @60s kubectl apply -f par.yaml
        @90s kubectl rollout status sts/db --timeout=3s
        @100s kubectl delete pod db-2
        @120s kubectl rollout status sts/db --timeout=3s
        @120s kubectl get controllerrevisions
        @130s end
    """, {"db.yaml": stateful_set("db"), "par.yaml": stateful_set("par", policy="Parallel")})


def images(moment, prefix):
    return {pod["metadata"]["name"]: pod["spec"]["containers"][0]["image"] for pod in moment.list("pods", prefix)}


def test_o20_ordered_pods_come_one_after_another_each_when_the_one_before_is_ready():
    story = broken_update()
    made = {name: story.states("pods", name)[0].at for name in ("db-0", "db-1", "db-2")}
    for before, after in (("db-0", "db-1"), ("db-1", "db-2")):
        ready = next(state.at for state in story.states("pods", before) if is_ready(state.object))
        assert ready < made[after] < ready + 0.1


def test_o20_a_broken_update_stops_at_the_first_pod():
    assert images(broken_update().at(59), "db-") == {"db-0": "demo:ok", "db-1": "demo:ok", "db-2": "demo:missing"}


def test_o20_the_right_template_does_not_replace_the_broken_pod():
    story = broken_update()
    assert images(story.at(99), "db-")["db-2"] == "demo:missing"
    assert "Waiting for 1 pods to be ready..." in story.printed("kubectl rollout status sts/db --timeout=3s")
    assert story.exit("kubectl rollout status sts/db --timeout=3s") == 1


def test_o20_deleting_the_broken_pod_by_hand_ends_the_update():
    story = broken_update()
    assert images(story.end(), "db-")["db-2"] == "demo:ok"
    assert story.printed("kubectl rollout status sts/db --timeout=3s", 2).startswith("partitioned roll out complete: 3 new pods have been updated...")


def test_o20_going_back_gives_the_old_revision_a_new_number():
    revisions = broken_update().end().list("controllerrevisions.apps", "db-")
    assert sorted(each["revision"] for each in revisions) == [2, 3]
    good, = [each for each in revisions if each["data"]["spec"]["template"]["spec"]["containers"][0]["image"] == "demo:ok"]
    assert good["revision"] == 3


def test_o20_a_parallel_set_repairs_itself():
    story = broken_update()
    assert images(story.at(59), "par-") == {"par-0": "demo:ok", "par-1": "demo:ok", "par-2": "demo:missing"}
    assert set(images(story.at(75), "par-").values()) == {"demo:ok"}


# -- O21 --------------------------------------------------------------------------------------------------------------------
AGENT = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers:
      - {name: c, image: "demo:ok"}
"""
WEB = AGENT.replace("DaemonSet", "Deployment").replace("agent", "web").replace("spec:\n  selector", "spec:\n  replicas: 3\n  selector")


@cache
def taints():
    return play("""
        @0s kubectl taint node n2 dedicated=x:NoSchedule
        @0s kubectl cordon n3
        @1s kubectl create -f agent.yaml
        @1s kubectl create -f web.yaml
        @20s kubectl taint node n1 k=v:NoSchedule
        @40s kubectl taint node n1 k2=v:NoExecute
        @60s kubectl drain n3
        @65s kubectl drain n3 --ignore-daemonsets
        @70s kubectl taint node n1 k- k2-
        @80s kubectl taint node n2 dedicated-
        @100s end
    """, {"agent.yaml": AGENT, "web.yaml": WEB})


def placed(moment, prefix="agent-"):
    return sorted(pod["spec"].get("nodeName", "") for pod in moment.list("pods", prefix))


def numbers(moment):
    status = moment.get("daemonsets.apps", "agent")["status"]
    return status["desiredNumberScheduled"], status["currentNumberScheduled"], status["numberMisscheduled"]


def test_o21_a_daemon_pod_runs_on_a_cordoned_node_and_no_tainted_one():
    moment = taints().at(15)
    assert placed(moment) == ["n1", "n3"]
    assert numbers(moment) == (2, 2, 0)
    assert placed(moment, "web-") == ["n1"] * 3


def test_o21_the_scheduler_binds_daemon_pods_which_name_their_node_in_their_affinity():
    story = taints()
    pod = story.at(15).list("pods", "agent-")[0]
    term, = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term == {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [pod["spec"]["nodeName"]]}]}
    assert any(f"/pods/{pod['metadata']['name']}/binding" in step.request for step in story.messages("CreatePodBinding"))


def test_o21_daemon_pods_tolerate_what_befalls_nodes():
    tolerations = taints().at(15).list("pods", "agent-")[0]["spec"]["tolerations"]
    assert [(one["key"].removeprefix("node.kubernetes.io/"), one["effect"]) for one in tolerations] == [
        ("not-ready", "NoExecute"), ("unreachable", "NoExecute"), ("disk-pressure", "NoSchedule"), ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"), ("unschedulable", "NoSchedule")]
    assert not any("tolerationSeconds" in one for one in tolerations)


def test_o21_a_noexecute_taint_takes_the_pod_away_for_good():
    story = taints()
    assert placed(story.at(59)) == ["n3"]
    assert numbers(story.at(59)) == (1, 1, 0)
    assert (1, 1, 1) in [numbers(story.at(state.at)) for state in story.states("daemonsets.apps", "agent") if 40 < state.at < 45]


def test_o21_drain_leaves_daemon_pods_alone():
    story = taints()
    assert story.exit("kubectl drain n3") == 1
    assert "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-" in story.printed("kubectl drain n3")
    assert story.exit("kubectl drain n3 --ignore-daemonsets") == 0
    assert "Warning: ignoring DaemonSet-managed Pods: default/agent-" in story.printed("kubectl drain n3 --ignore-daemonsets")


def test_o21_without_the_taints_the_missing_pods_come_at_once():
    assert placed(taints().at(75)) == ["n1", "n3"]
    assert placed(taints().end()) == ["n1", "n2", "n3"]


def test_o21_a_noschedule_taint_changes_nothing_until_the_next_sync():
    before, after = taints().at(19), taints().at(39)
    assert placed(after) == placed(before)
    assert numbers(after) == (2, 2, 0)
