"""O27 and O28: containers that take more memory, or more disk, than they may."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .stories import play
from .terminations import row

GET = "kubectl get pods"


def pod(name, *containers, **spec):
    more = "".join(f"\n  {field}: {value}" for field, value in spec.items())
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:{more}
  containers:
""" + "".join(f"  - {{{container}}}\n" for container in containers)


# -- O27 --------------------------------------------------------------------------------------------------------------------
HOOK = 'lifecycle: {preStop: {exec: {command: [sleep, "5"]}}}'
GREEDY = f'name: c, image: "demo:ok", env: [{{name: ALLOC_MB, value: "128"}}], resources: {{limits: {{memory: 64Mi}}}}, {HOOK}'


@cache
def always():
    return play(f"@0s kubectl create -f oom.yaml\n@9s {GET}\n@60s end", {"oom.yaml": pod("oom", GREEDY)})


@cache
def never():
    return play(f"@0s kubectl create -f oom.yaml\n@9s {GET}\n@60s end", {"oom.yaml": pod("oom", GREEDY, restartPolicy="Never")})


def test_o27_the_kernels_kill_has_a_reason_of_its_own():
    ended = always().at(9).get("pods", "oom")["status"]["containerStatuses"][0]["state"]["terminated"]
    assert (ended["exitCode"], ended["reason"]) == (137, "OOMKilled")
    assert row(always(), GET)[1:4] == ["0/1", "OOMKilled", "1"]


def test_o27_the_first_restart_comes_at_once_and_the_next_ones_wait():
    starts = always().times("StartContainer", pod="oom")
    ends = always().times("ProcessExited", pod="oom")
    assert [start - end < 1.5 for start, end in zip(starts[1:2], ends)] == [True]
    assert [start - end > due for start, end, due in zip(starts[2:], ends[1:], (10, 20))] == [True, True]


def test_o27_crashloopbackoff_shows_only_for_the_moment_before_a_restart():
    story = always()
    waiting = [state for state in story.states("pods", "oom")
               if state.object["status"].get("containerStatuses") and "waiting" in state.object["status"]["containerStatuses"][0]["state"] and state.at > 5]
    starts = story.times("StartContainer", pod="oom")
    assert waiting
    assert all(any(0 < start - state.at < 1.5 for start in starts) for state in waiting)
    assert {state.object["status"]["containerStatuses"][0]["lastState"]["terminated"]["reason"] for state in waiting} == {"OOMKilled"}


def test_o27_nobody_is_asked_to_stop():
    for story in (always(), never()):
        assert [reason for reason in ("RunPreStopHook", "SendSIGTERM", "StopContainer") if story.messages(reason, pod="oom")] == []


def test_o27_with_never_the_pod_fails_and_it_is_no_eviction():
    status = never().end().get("pods", "oom")["status"]
    assert status["phase"] == "Failed"
    assert "reason" not in status
    assert never().events("oom", "Evicted") == []
    assert row(never(), GET)[1:4] == ["0/1", "OOMKilled", "0"]


def test_o27_a_child_over_the_limit_dies_alone_as_measured_with_cgroup_v1():
    child = ('name: c, image: "demo:ok", resources: {limits: {memory: 64Mi}}, '
             'command: [sh, -c, "ALLOC_MB=128 /bin/app & wait; echo the shell goes on; sleep 1000"]')
    story = play(f"@0s kubectl create -f p.yaml\n@20s {GET}\n@20s kubectl logs child\n@22s end", {"p.yaml": pod("child", child, restartPolicy="Never")})
    assert row(story, GET)[1:4] == ["1/1", "Running", "0"]
    assert "the shell goes on" in story.printed("kubectl logs child")


# -- O28 --------------------------------------------------------------------------------------------------------------------
SUM = "Pod ephemeral local storage usage exceeds the total limit of containers 100Mi. "


def writer(megabytes, limit, before="sleep 5; ", to="/tmp/f", more=""):
    command = f"{before}dd if=/dev/zero of={to} bs=1M count={megabytes}; sleep 1000"
    return f'name: c, image: "busybox:1.36", command: [sh, -c, "{command}"], resources: {{limits: {{ephemeral-storage: {limit}}}}}{more}'


DEPLOYMENT = f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{{writer(200, "100Mi")}}}]}}
"""


@cache
def pods_piling_up():
    return play(f"""
        @0s kubectl create -f web.yaml
        @60s {GET}
        @100s end
    """, {"web.yaml": DEPLOYMENT})


@cache
def evicted(manifest):
    return play(f"@0s kubectl create -f p.yaml\n@80s {GET}\n@90s end", {"p.yaml": manifest})


def first(story, prefix="web-"):
    """The name of the Pod that was made first."""
    return min(story.end().list("pods", prefix), key=lambda one: one["metadata"]["creationTimestamp"])["metadata"]["name"]


def test_o28_the_pod_says_that_it_was_evicted_and_why():
    story = pods_piling_up()
    status = story.end().get("pods", first(story))["status"]
    assert (status["phase"], status["reason"], status["message"]) == ("Failed", "Evicted", SUM)


def test_o28_the_kubelet_notices_ten_to_twenty_seconds_later():
    story = pods_piling_up()
    name = first(story)
    event, = story.events(name, "Evicted")
    assert (event.type, event.message) == ("Warning", SUM)
    passed = story.times("StartContainer", pod=name)[0] + 5
    assert 10 <= event.at - passed <= 24


def test_o28_the_killing_follows_and_a_local_limit_is_no_disruption():
    story = pods_piling_up()
    name = first(story)
    killing, = story.events(name, "Killing")
    assert 0 <= killing.at - story.events(name, "Evicted")[0].at < 0.1
    assert condition(story.end().get("pods", name), "DisruptionTarget") is None


def test_o28_the_phase_is_failed_when_the_containers_have_ended_and_the_successor_comes_at_once():
    story = pods_piling_up()
    name = first(story)
    failed = next(state.at for state in story.states("pods", name) if state.object["status"]["phase"] == "Failed")
    assert failed >= max(story.times("ProcessExited", pod=name))
    assert failed - story.events(name, "Evicted")[0].at == pytest.approx(2.5, abs=1)
    successor = min(at for at, pods in story.history("pods", "web-") if len(pods) == 2)
    assert 0 < successor - failed < 0.1


def test_o28_successors_share_the_fate_and_the_old_ones_stay():
    pods = pods_piling_up().end().list("pods", "web-")
    assert len(pods) >= 3
    assert sorted(one["status"]["phase"] for one in pods)[:-1] == ["Failed"] * (len(pods) - 1)


def test_o28_the_status_column_shows_what_became_of_the_container():
    rows = [line.split() for line in pods_piling_up().printed(GET).splitlines()[1:]]
    assert {columns[2] for columns in rows} == {"Error", "Running"}


def test_o28_a_single_container_is_told_apart_when_the_sum_leaves_room():
    story = evicted(pod("single", writer(60, "50Mi"), 'name: d, image: "demo:ok", resources: {limits: {ephemeral-storage: 100Mi}}'))
    assert story.end().get("pods", "single")["status"]["message"] == 'Container c exceeded its local ephemeral storage limit "50Mi". '
    assert sorted(event.message for event in story.events("single", "Killing")) == ["Stopping container c", "Stopping container d"]


def test_o28_a_container_that_ended_before_the_others_is_lost():
    """Its last listing removed it, so that nobody could tell any more how it ended."""
    story = evicted(pod("single", writer(60, "50Mi"), 'name: d, image: "demo:ok", resources: {limits: {ephemeral-storage: 100Mi}}'))
    status = story.end().get("pods", "single")["status"]["containerStatuses"][1]
    assert status["state"]["terminated"] == {"exitCode": 137, "reason": "ContainerStatusUnknown",
                                             "message": "The container could not be located when the pod was terminated"}
    assert status["lastState"]["terminated"]["reason"] == "ContainerStatusUnknown"
    assert status["restartCount"] == 1
    ready, shown, _ = row(story, GET)[1:4]
    assert ready == "0/2"
    assert shown in ("Error", "ContainerStatusUnknown")


def test_o28_an_emptydir_is_looked_at_first_and_measured_once_a_minute():
    container = writer(60, "10Mi", before="", to="/x/f", more=", volumeMounts: [{name: x, mountPath: /x}]")
    story = evicted(pod("empty", container, volumes="[{name: x, emptyDir: {sizeLimit: 50Mi}}]"))
    assert story.end().get("pods", "empty")["status"]["message"] == 'Usage of EmptyDir volume "x" exceeds the limit "50Mi". '
    assert 10 <= story.events("empty", "Evicted")[0].at <= 75


def test_o28_the_grace_is_one_second_whatever_the_pod_asks_for():
    command = "trap 'echo got term; sleep 20' TERM; "
    hook = ', lifecycle: {preStop: {exec: {command: [sleep, "10"]}}}'
    story = evicted(pod("graceful", writer(200, "100Mi", before=command + "sleep 5; ", more=hook)))
    asked, = story.times("RunPreStopHook", pod="graceful")
    told, = story.times("SendSIGTERM", pod="graceful")
    killed, = story.times("SendSIGKILL", pod="graceful")
    assert told - asked == pytest.approx(1, abs=0.3)
    assert killed - told == pytest.approx(2, abs=0.3)
    assert [event.message for event in story.events("graceful", "FailedPreStopHook")] == ["PreStopHook failed"]


def test_o28_a_node_under_pressure_evicts_with_a_condition_of_its_own():
    story = play("@0s kubectl create -f p.yaml\n@10s node n1 memory-pressure on\n@40s end",
                 {"p.yaml": pod("web", 'name: c, image: "demo:ok"', nodeName="n1")})
    web = story.end().get("pods", "web")
    assert web["status"]["reason"] == "Evicted"
    assert condition(web, "DisruptionTarget")["reason"] == "TerminationByKubelet"
