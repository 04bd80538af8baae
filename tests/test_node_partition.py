"""A node whose kubelet runs on, and hears nothing of the API server, nor is heard."""
import pytest

from .stories import play

AGENT = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: app, image: nginx}]}
"""
JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: work}
spec:
  template:
    spec:
      nodeName: n2
      restartPolicy: Never
      containers: [{name: app, image: busybox, command: [sleep, "60"]}]
"""
HERE = "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}}}, spec: {{nodeName: n2, containers: [{{name: app, image: nginx}}]}}}}"
FILES = {"agent.yaml": AGENT, "job.yaml": JOB, "web.yaml": HERE.format("web"), "late.yaml": HERE.format("late")}


def on(moment, node, prefix=""):
    return [pod for pod in moment.list("pods", prefix) if pod["spec"].get("nodeName") == node]


def condition(thing, kind):
    return next(one["status"] for one in thing["status"]["conditions"] if one["type"] == kind)


def test_containers_run_on_and_are_restarted_though_nobody_hears_of_it():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n2 partition\n@30s container web crash\n@40s end", FILES)
    assert 30 < story.times("RestartContainer")[0] < 32
    assert story.end().get("pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 0
    [lost] = story.messages("RequestLost")
    assert (lost.source, lost.target, lost.facts["verb"], lost.facts["resource"]) == ("kubelet", "apiserver", "patch", "pods")
    assert not story.messages("PatchPodStatus", node="n2")[-1].at > 20_000


def test_the_control_plane_sees_what_it_sees_of_a_dead_node():
    story = play("@0s kubectl create deployment web --image=nginx --replicas=3\n@20s node n2 partition\n@450s end", FILES)
    [silent] = story.messages("NodeSilent")
    assert (silent.facts["node"], silent.at) == ("n2", 70_000)
    assert condition(story.at(75).get("nodes", "n2"), "Ready") == "Unknown"
    [old] = on(story.end(), "n2")
    assert "deletionTimestamp" in old["metadata"]
    assert len(on(story.end(), "n1") + on(story.end(), "n3")) == 3
    assert "ProcessExited" not in {step.reason for step in story.messages()}          # it still runs, beside its replacement


def test_after_the_heal_statuses_catch_up_and_evicted_pods_are_killed():
    story = play("@0s kubectl create deployment web --image=nginx --replicas=3\n@0s kubectl apply -f agent.yaml\n@20s node n2 partition\n@25s end", FILES)
    [agent] = on(story.end(), "n2", "agent")
    [web] = on(story.end(), "n2", "web")
    name = agent["metadata"]["name"]
    story.go_on(f"@30s container {name} crash\n@450s node n2 heal\n@500s end")
    assert condition(story.at(449).get("pods", name), "Ready") == "False"
    told = story.at(451).get("pods", name)["status"]
    assert (told["containerStatuses"][0]["restartCount"], told["containerStatuses"][0]["ready"]) == (1, True)
    assert condition(story.at(451).get("pods", name), "Ready") == "True"
    assert 450 < story.gone("pods", web["metadata"]["name"]) < 453
    assert story.end().get("nodes", "n2")["spec"].get("taints") is None
    assert story.times("ProcessExited", pod=web["metadata"]["name"]) == [450.06]
    started = [event for event in story.events(name) if event.reason == "Started"]
    assert started[0].count == 2          # what happened meanwhile is told afterwards


def test_a_pod_that_ended_meanwhile_has_succeeded_when_the_network_is_back():
    story = play("@0s kubectl apply -f job.yaml\n@20s node n2 partition\n@120s node n2 heal\n@160s end", FILES)
    [pod] = story.at(119).list("pods", "work")
    assert pod["status"]["phase"] == "Running"
    [pod] = story.at(125).list("pods", "work")
    assert pod["status"]["phase"] == "Succeeded"
    assert story.end().get("jobs.batch", "work")["status"]["succeeded"] == 1


def test_a_pod_that_is_bound_to_the_node_meanwhile_waits_for_the_network():
    story = play("@0s node n2 partition\n@10s kubectl apply -f late.yaml\n@60s node n2 heal\n@100s end", FILES)
    assert story.times("AdmitPod", pod="late") == [60]
    assert story.end().get("pods", "late")["status"]["phase"] == "Running"


def test_a_pod_that_was_deleted_by_force_meanwhile_is_stopped_when_the_kubelet_hears_of_it():
    story = play("""
        @0s kubectl apply -f web.yaml
        @20s node n2 partition
        @30s kubectl delete pod web --force --grace-period=0
        @60s node n2 heal
        @150s end""", FILES)
    assert story.gone("pods", "web") < 31
    assert 60 <= story.times("ProcessExited", pod="web")[0] < 91
    assert not [what for what in story.cluster.etcd.disk("node n2") if what.split()[0] in ("pod", "runtime", "removed", "own")]


def test_nobody_reaches_the_kubelet_meanwhile():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n2 partition\n@21s kubectl logs web\n@22s kubectl exec web -- date\n@30s end", FILES)
    assert "10250" in story.printed("kubectl logs web") and story.exit("kubectl logs web") == 1
    assert story.exit("kubectl exec web -- date") == 1


def test_a_machine_that_starts_in_a_partition_does_not_know_its_pods():
    story = play("""
        @0s kubectl apply -f web.yaml
        @20s node n2 partition
        @30s node n2 reboot
        @100s node n2 heal
        @130s end""", FILES)
    assert not [at for at in story.times("RunPodSandbox", pod="web") if 20 < at < 100]
    status = story.end().get("pods", "web")["status"]
    assert (status["phase"], status["containerStatuses"][0]["restartCount"]) == ("Running", 1)


@pytest.mark.parametrize("how, back", [("down", "up"), ("partition", "heal")])
def test_pods_of_a_daemon_are_ready_again_when_their_node_is_back(how, back):
    story = play(f"@0s kubectl apply -f agent.yaml\n@20s node n2 {how}\n@200s node n2 {back}\n@220s end", FILES)
    [before], [after] = on(story.at(199), "n2"), on(story.end(), "n2")
    assert (condition(before, "Ready"), condition(after, "Ready")) == ("False", "True")
    assert story.end().get("daemonsets.apps", "agent")["status"]["numberReady"] == 3


def test_a_partition_that_is_short_enough_is_not_noticed():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n2 partition\n@50s node n2 heal\n@200s end", FILES)
    assert not story.messages("NodeSilent")
    assert {condition(state.object, "Ready") for state in story.states("nodes", "n2")} == {"True"}
