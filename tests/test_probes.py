"""Probes: when they run, and what follows."""
import pytest

from .builders import a_pod, a_service, create, every, get, run, said


def ready(cluster, name):
    return get(cluster, "pods", name)["status"]["containerStatuses"][0]["ready"]


def http(path, **fields):
    return {"httpGet": {"path": path, "port": 80}, "periodSeconds": 2, **fields}


def env(**values):
    return [{"name": name, "value": str(value)} for name, value in values.items()]


def unhealthy(cluster):
    return {event["message"]: event["count"] for event in every(cluster, "events") if event["reason"] == "Unhealthy"}


def test_a_pod_is_ready_when_its_probe_says_so(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"env": env(READY_AFTER=5), "readinessProbe": http("/ready")}))
    run(cluster, 4)
    assert not ready(cluster, "web")
    run(cluster, 5)
    assert ready(cluster, "web")
    assert list(unhealthy(cluster)) == ["Readiness probe failed: HTTP probe failed with statuscode: 503"]


def test_a_probed_pod_that_is_well_leaves_no_work(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"readinessProbe": http("/ready"), "livenessProbe": http("/healthz")}))
    run(cluster, 10)
    assert ready(cluster, "web")
    assert len(cluster.queue) == 0


def test_three_failures_in_a_row_restart_the_container_in_the_same_sync(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"env": env(UNHEALTHY_AFTER=4), "livenessProbe": http("/healthz")}))
    run(cluster, 15)
    [kill], [restart, *_] = said(cluster, "KillContainer"), said(cluster, "RestartContainer")
    assert kill.facts["message"] == "Container app failed liveness probe, will be restarted"
    assert restart.at - kill.at < 100
    assert unhealthy(cluster) == {"Liveness probe failed: HTTP probe failed with statuscode: 500": 3}


def test_a_startup_probe_holds_the_others_back(cluster):
    startup = {"tcpSocket": {"port": 80}, "periodSeconds": 2, "failureThreshold": 10}
    create(cluster, a_pod("web", nodeName="n1", container={
        "env": env(START_DELAY=7), "startupProbe": startup, "livenessProbe": http("/healthz", failureThreshold=1), "readinessProbe": http("/ready")}))
    run(cluster, 6)
    status = get(cluster, "pods", "web")["status"]["containerStatuses"][0]
    assert (status["started"], status["ready"]) == (False, False)
    run(cluster, 6)
    status = get(cluster, "pods", "web")["status"]["containerStatuses"][0]
    assert (status["started"], status["ready"], status["restartCount"]) == (True, True, 0)
    assert all(message.startswith("Startup probe failed: dial tcp 10.244.1.") for message in unhealthy(cluster))


def test_commands_from_outside_change_what_a_probe_sees(cluster):
    probe = {"exec": {"command": ["test", "!", "-e", "/tmp/bad"]}, "periodSeconds": 1, "failureThreshold": 2}
    create(cluster, a_pod("web", nodeName="n1", container={"readinessProbe": probe}))
    run(cluster, 5)
    assert ready(cluster, "web")
    assert len(cluster.queue) == 0
    cluster.kubectl("kubectl exec web -- touch /tmp/bad")
    run(cluster, 4)
    assert not ready(cluster, "web")
    cluster.kubectl("kubectl exec web -- rm /tmp/bad")
    run(cluster, 4)
    assert ready(cluster, "web")
    assert len(cluster.queue) == 0


def test_a_probe_that_takes_too_long_has_failed(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"livenessProbe": {"exec": {"command": ["sleep", "5"]}, "periodSeconds": 2}}))
    run(cluster, 12)
    assert list(unhealthy(cluster)) == ['Liveness probe failed: command timed out: "sleep 5" timed out after 1s']
    assert get(cluster, "pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 1


@pytest.mark.parametrize(("image", "port", "answers"), [("nginx", 80, False), ("example.com/greeter:1", 5000, True)])
def test_a_grpc_probe_fails_where_nobody_speaks_grpc(cluster, image, port, answers):
    create(cluster, a_pod(image=image, container={"readinessProbe": {"grpc": {"port": port}, "timeoutSeconds": 2}}))
    run(cluster, 60)
    assert ready(cluster, "web") is answers
    # It should have said so every time, not only until the server had started
    text = f'timeout: failed to connect service "{get(cluster, "pods", "web")["status"]["podIP"]}:{port}" within 2s: context deadline exceeded'
    assert set(unhealthy(cluster)) == {f"Readiness probe failed: {text}"}
    assert (unhealthy(cluster)[f"Readiness probe failed: {text}"] > 2) is not answers


def test_the_classic_of_the_documentation_a_file_that_goes_after_thirty_seconds(cluster):
    text = "touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600"
    probe = {"exec": {"command": ["cat", "/tmp/healthy"]}, "initialDelaySeconds": 5, "periodSeconds": 5}
    create(cluster, a_pod("liveness", image="busybox", nodeName="n1", container={"command": ["sh", "-c", text], "livenessProbe": probe}))
    run(cluster, 100)
    assert list(unhealthy(cluster)) == ["Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n"]
    killed = said(cluster, "KillContainer")[0].at - said(cluster, "StartContainer")[0].at
    assert 40_000 <= killed <= 46_000


def test_rules_send_traffic_to_ready_pods_and_as_a_last_resort_to_those_that_leave(cluster):
    create(cluster, a_service("web"))
    create(cluster, a_pod("web", nodeName="n1", labels={"app": "web"}, container={"readinessProbe": http("/ready"), "env": env(TERM_DELAY=8)}))
    run(cluster, 5)
    cluster.api.http("DELETE", "/api/v1/namespaces/default/pods/web", {}, None)
    run(cluster, 5)
    # It should still be there: nobody else could answer.
    assert [step.facts["endpoints"] for step in said(cluster, "SyncProxyRules")][-1] == 1
    run(cluster, 10)
    assert [step.facts["endpoints"] for step in said(cluster, "SyncProxyRules")][-1] == 0
