"""What else goes wrong on a node: its network plugin, its clock, its process ids, and how it shuts down."""
import pytest

from .stories import play

HERE = "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}}}, spec: {{nodeName: n1, {1} containers: [{{name: app, image: nginx{2}}}]}}}}"


def here(name="web", spec="", container=""):
    return HERE.format(name, spec, container)


def ready(story, node="n2"):
    return [(state.at, one["status"], one["reason"], one["message"]) for state in story.states("nodes", node)
            for one in state.object["status"]["conditions"] if one["type"] == "Ready"]


# -- the network plugin --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how, text", [
    ("fail", "loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory"),
    ("exhausted", "failed to delegate add: failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.254"),
])
def test_without_a_network_there_is_no_sandbox_and_the_next_try_is_ten_to_fifteen_seconds_later(how, text):
    story = play(f"@0s node n1 cni {how}\n@0s kubectl apply -f web.yaml\n@40s node n1 cni mend\n@70s end", {"web.yaml": here()})
    tries = story.times("RunPodSandbox")
    assert all(10 <= later - earlier < 16.1 for earlier, later in zip(tries, tries[1:]))
    sandboxes = [step.facts["sandbox"] for step in story.messages("CNIAddFailed")]
    told = [event.message for event in story.events("web", "FailedCreatePodSandBox")]
    assert len(told) == len(sandboxes) == len(tries) - 1
    for sandbox, message in zip(sandboxes, told):
        assert message.startswith(f'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "{sandbox}')
        assert message.endswith(f'": plugin type="flannel" failed (add): {text}')
    assert not [at for at in story.times("PullImage") if at < tries[-1]]
    assert story.end().get("pods", "web")["status"]["podIP"] == "10.244.1.2"


def test_pods_that_run_do_not_need_the_network_plugin():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n1 cni fail\n@30s container web crash\n@40s end", {"web.yaml": here()})
    assert story.end().get("pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 1
    assert not story.events("web", "FailedCreatePodSandBox")


# -- process ids ---------------------------------------------------------------------------------------------------------------
def test_a_node_without_process_ids_evicts_and_keeps_the_condition_for_five_minutes():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n1 pid-pressure on\n@35s node n1 pid-pressure off\n@360s end", {"web.yaml": here()})
    assert story.events("n1", "EvictionThresholdMet")[0].message == "Attempting to reclaim pids"
    assert [event.at for event in story.events("n1", "NodeHasInsufficientPID")] == pytest.approx([30.5], abs=0.1)
    pod = story.end().get("pods", "web")["status"]
    assert (pod["phase"], pod["reason"], pod["message"]) == (
        "Failed", "Evicted", "The node was low on resource: pids. Threshold quantity: 3276, available: 1k. ")
    taints = [(state.at, [taint["key"] for taint in state.object["spec"].get("taints") or ()]) for state in story.states("nodes", "n1")]
    assert "node.kubernetes.io/pid-pressure" in next(keys for at, keys in taints if at > 30.5)
    assert taints[-1][1] == [] and taints[-1][0] == pytest.approx(340.5, abs=10.1)


# -- the clock -----------------------------------------------------------------------------------------------------------------
def test_a_clock_that_jumps_shows_in_the_lease_and_in_events_and_the_node_stays_ready():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n1 clock 5m\n@30s container web crash\n@200s end", {"web.yaml": here()})
    assert story.end().get("leases.coordination.k8s.io", "kube-node-lease/n1")["spec"]["renewTime"] == "2026-01-01T00:05:20.000000Z"
    [started] = [event for event in story.end().list("events", "web") if event["reason"] == "Started"]
    assert (started["firstTimestamp"], started["lastTimestamp"]) == ("2026-01-01T00:00:03Z", "2026-01-01T00:05:30Z")
    status = story.end().get("pods", "web")["status"]["containerStatuses"][0]
    assert status["state"]["running"]["startedAt"] == "2026-01-01T00:05:30Z"
    assert status["lastState"]["terminated"]["startedAt"] == "2026-01-01T00:00:03Z"
    assert not story.messages("NodeSilent")


@pytest.mark.parametrize("jump, first", [("2m", 20), ("-60s", 163)])
def test_a_clock_that_jumps_changes_when_a_container_is_probed_first(jump, first):
    probed = here(container=", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 100, periodSeconds: 1}")
    story = play(f"@0s kubectl apply -f web.yaml\n@20s node n1 clock {jump}\n@200s end", {"web.yaml": probed})
    assert story.times("ProbeResult") == pytest.approx([first], abs=1.1)


# -- shutdown ------------------------------------------------------------------------------------------------------------------
def test_a_shutdown_ends_ordinary_pods_first_and_critical_ones_last_and_then_the_machine_is_off():
    files = {"web.yaml": here("web", "terminationGracePeriodSeconds: 60,", ", env: [{name: IGNORE_TERM, value: '1'}]").replace("nginx", "demo:ok"),
             "vital.yaml": here("vital", "priorityClassName: system-node-critical,").replace("name: vital", "name: vital, namespace: kube-system")}
    story = play("""
        @0s kubectl apply -f web.yaml
        @0s kubectl apply -f vital.yaml
        @20s node n1 shutdown
        @22s kubectl apply -f late.yaml
        @120s end""", {**files, "late.yaml": here("late")})
    assert story.times("TerminatePod", pod="web") == pytest.approx([20], abs=1.1)
    assert story.times("SendSIGKILL", pod="web")[0] - story.times("SendSIGTERM", pod="web")[0] == pytest.approx(20)
    assert story.times("TerminatePod", pod="vital")[0] >= 40
    ended = story.end().get("pods", "web")["status"]
    assert (ended["phase"], ended["reason"], ended["message"]) == ("Failed", "Terminated", "Pod was terminated in response to imminent node shutdown.")
    [disruption] = [one for one in ended["conditions"] if one["type"] == "DisruptionTarget"]
    assert (disruption["status"], disruption["reason"]) == ("True", "TerminationByKubelet")
    late = story.end().get("pods", "late")["status"]
    assert (late["phase"], late["reason"], late["message"]) == (
        "Failed", "NodeShutdown", "Pod was rejected: Pod was rejected as the node is shutting down.")
    told = ready(story, "n1")
    assert ("False", "KubeletNotReady", "node is shutting down") in [row[1:] for row in told]
    assert told[-1][1:3] == ("Unknown", "NodeStatusUnknown")


def test_a_machine_that_was_shut_down_starts_when_it_is_switched_on():
    story = play("@0s kubectl create deployment web --image=nginx --replicas=3\n@20s node n2 shutdown\n@100s node n2 up\n@130s end")
    assert ready(story)[-1][1:3] == ("True", "KubeletReady")
    assert story.events("n2", "Rebooted") and not story.end().get("nodes", "n2")["spec"].get("taints")
    assert len([pod for pod in story.end().list("pods") if pod["status"]["phase"] == "Running"]) == 3
    lag = [state.at for state in story.states("replicasets.apps", story.end().names("replicasets.apps")[0]) if state.at > 20]
    assert lag[-1] < 25          # the replacement did not wait for any toleration


def test_a_reboot_cuts_a_shutdown_short():
    story = play("@0s kubectl apply -f web.yaml\n@20s node n1 shutdown\n@21s node n1 reboot\n@90s end",
                 {"web.yaml": here("web", "", ", env: [{name: IGNORE_TERM, value: '1'}]").replace("nginx", "demo:ok")})
    assert ready(story, "n1")[-1][1:3] == ("True", "KubeletReady")
    assert not story.cluster.etcd.read("node n1", "shutdown")
