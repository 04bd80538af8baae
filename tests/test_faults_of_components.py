"""Components that are slow, that hear nothing, that stop; and clocks that jump."""
import pytest

from .stories import play

CRON = """
apiVersion: batch/v1
kind: CronJob
metadata: {name: often}
spec:
  schedule: "*/5 * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: busybox, command: ["true"]}]}}}}
"""


# -- slow ----------------------------------------------------------------------------------------------------------------------
def test_a_slow_scheduler_takes_a_second_for_each_pod_and_is_fast_again_when_mended():
    story = play("""
        @0s component scheduler slow 100
        @10s kubectl run a --image=nginx
        @20s component scheduler mend
        @30s kubectl run b --image=nginx
        @40s end""")
    assert story.times("CreatePodBinding", pod="a") == pytest.approx([11.08], abs=0.01)
    assert story.times("CreatePodBinding", pod="b") == pytest.approx([30.08], abs=0.01)


def test_a_slow_controller_manager_is_slow_in_every_controller_and_comes_to_the_same():
    script = "@0s component controller-manager slow {0}\n@1s kubectl create deployment web --image=nginx --replicas=2\n@60s end"
    slow, fast = play(script.format(200)), play(script.format(2))
    for story, least in ((slow, 4), (fast, 0.04)):
        asked = story.times("CreateDeployment")[0]
        assert least < story.times("CreatePod")[0] - asked < least * 2
        assert story.end().get("deployments.apps", "web")["status"]["readyReplicas"] == 2


def test_probes_of_a_slow_kubelet_still_come_in_time():
    pod = ("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {nodeName: n1, containers: "
           "[{name: app, image: nginx, readinessProbe: {httpGet: {port: 80}, initialDelaySeconds: 20, periodSeconds: 1}}]}}")
    slow = play("@0s component kubelet slow 50\n@0s kubectl apply -f web.yaml\n@60s end", {"web.yaml": pod})
    started = next(at for at in slow.times("ContainerStarted"))
    assert 18 < slow.times("ProbeResult")[0] - started < 22


# -- watches -------------------------------------------------------------------------------------------------------------------
def test_a_dropped_watch_is_taken_up_where_it_ended_and_nothing_is_lost():
    story = play("@10s component scheduler watch drop\n@10s kubectl run a --image=nginx\n@30s end")
    [watch] = story.messages("WatchPod", component="scheduler")
    assert (watch.at, watch.source, watch.target) == (11_000, "scheduler", "apiserver")
    assert watch.request.startswith("GET /api/v1/pods?allowWatchBookmarks=true&watch=true&resourceVersion=")
    assert not story.messages("ListPod", component="scheduler")
    [heard] = [step for step in story.messages("WatchAdded") if step.target == "scheduler"]
    assert heard.at == 11_001
    assert story.end().get("pods", "a")["status"]["phase"] == "Running"


def test_a_watch_whose_revision_is_too_old_is_followed_by_a_list():
    story = play("@10s component replicaset watch expire\n@10s kubectl create deployment web --image=nginx\n@30s end")
    told = [(step.reason, step.facts.get("code"), step.at) for step in story.messages(component="replicaset") if step.reason.endswith("ReplicaSet")]
    assert told == [("WatchReplicaSet", 410, 11_000), ("ListReplicaSet", None, 11_000), ("WatchReplicaSet", None, 11_000)]
    [gone] = [step for step in story.messages("WatchReplicaSet") if "code" in step.facts]
    assert gone.facts["message"].startswith("too old resource version: ")
    assert 11 < story.times("CreatePod")[0] < 11.1


def test_the_garbage_collector_watches_every_kind_again():
    story = play("@10s component garbage-collector watch drop\n@20s end")
    kinds = {step.reason for step in story.messages(component="garbage-collector")}
    assert {"WatchPod", "WatchDeployment", "WatchConfigMap", "WatchNode"} <= kinds
    assert "WatchEvent" not in kinds


# -- stopped -------------------------------------------------------------------------------------------------------------------
def test_kubelets_that_are_stopped_are_missed_like_nodes_and_containers_run_on():
    story = play("@0s kubectl run web --image=nginx\n@20s component kubelet stop\n@100s component kubelet start\n@130s end")
    states = {state.at: state.object["status"]["conditions"][-1]["status"] for state in story.states("nodes", "n1")}
    assert (states[max(at for at in states if at < 100)], states[max(states)]) == ("Unknown", "True")
    assert 69 < min(at for at, status in states.items() if status == "Unknown") < 76
    assert not story.messages("ProcessExited")
    ready = {one["type"]: one["status"] for one in story.end().get("pods", "web")["status"]["conditions"]}
    assert ready["Ready"] == "True"


# -- clocks --------------------------------------------------------------------------------------------------------------------
def test_a_jump_of_all_clocks_makes_what_was_due_meanwhile_late():
    story = play("@0s kubectl apply -f often.yaml\n@10s kubectl run web --image=busybox -- sleep 60\n@20s clock 1h\n@3700s end", {"often.yaml": CRON})
    # Of the schedules that were missed only the last is made up for
    assert len([at for at in story.times("CreateJob") if at < 3640]) == 1
    [ended] = [state.object["status"]["containerStatuses"][0] for state in story.states("pods", "web") if "terminated" in str(state.object["status"])][:1]
    assert ended["state"]["terminated"]["exitCode"] == 0
    assert min(story.times("ProcessExited")) >= 3620


def test_other_processes_tell_their_events_while_the_controller_manager_is_stopped():
    story = play("@0s component controller-manager stop\n@1s kubectl run web --image=nginx --overrides='{\"spec\":{\"nodeName\":\"n1\"}}'\n@20s end")
    assert [event.reason for event in story.events("web")] == ["Pulling", "Pulled", "Created", "Started"]
    assert all(event.at < 10 for event in story.events("web"))
