"""Pods: their status, init containers, probes, deadlines, taints and what keeps them from starting."""
import pytest

from ..builders import a_cluster, a_pod, create, every, get, run, said
from ..changes import delete, patch


def sh(script, **pod):
    """A Pod whose one container runs a shell script."""
    container = {"image": "busybox", "command": ["/bin/sh", "-c", script], **pod.pop("container", {})}
    return a_pod(pod.pop("name", "web"), container=container, **pod)


def status_of(cluster, name="web", number=0):
    return get(cluster, "pods", name)["status"]["containerStatuses"][number]


def is_ready(cluster, name="web"):
    conditions = {each["type"]: each["status"] for each in get(cluster, "pods", name)["status"]["conditions"]}
    return conditions["Ready"] == "True"


# -- life ------------------------------------------------------------------------------------------------------------------
def test_requests_equal_to_limits_make_a_pod_guaranteed(cluster):
    amounts = {"cpu": "100m", "memory": "100Mi"}
    made = create(cluster, a_pod(container={"resources": {"requests": amounts, "limits": amounts}})).body
    assert made["status"]["qosClass"] == "Guaranteed"


def test_a_pod_is_seen_to_come_run_be_marked_and_go(cluster):
    create(cluster, a_pod())
    run(cluster, 10)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
    answered = delete(cluster, "pods", "web", gracePeriodSeconds=3).body["metadata"]
    assert answered["deletionGracePeriodSeconds"] == 3 and answered["deletionTimestamp"]
    run(cluster, 10)
    changes = list(cluster.etcd.since(0, "/registry/pods/default/web"))
    assert (changes[0].type, changes[-1].type) == ("ADDED", "DELETED")
    assert changes[-1].object["metadata"]["deletionTimestamp"]


def test_labels_and_the_status_of_a_running_pod_can_be_patched(cluster):
    create(cluster, a_pod())
    run(cluster, 10)
    assert patch(cluster, "pods", "web", {"metadata": {"labels": {"time": "now"}}}).code == 200
    condition = {"type": "example.com/seen", "status": "True"}
    patched = patch(cluster, "pods", "web", {"status": {"conditions": [condition]}}, subresource="status")
    run(cluster, 60)
    kept = get(cluster, "pods", "web")
    assert patched.code == 200 and kept["metadata"]["labels"] == {"time": "now"}
    assert condition.items() <= next(each for each in kept["status"]["conditions"] if each["type"] == "example.com/seen").items()
    assert status_of(cluster)["restartCount"] == 0 and kept["status"]["hostIP"].count(".") == 3


def test_a_deadline_set_later_ends_a_running_pod(cluster):
    create(cluster, a_pod())
    run(cluster, 10)
    assert patch(cluster, "pods", "web", {"spec": {"activeDeadlineSeconds": 5}}).code == 200
    run(cluster, 60)
    ended = get(cluster, "pods", "web")["status"]
    assert (ended["phase"], ended["reason"]) == ("Failed", "DeadlineExceeded")


@pytest.mark.parametrize(("policy", "phase", "restarted", "ready", "state"), [
    ("Always", "Running", True, False, "running"),
    ("OnFailure", "Succeeded", True, False, "terminated"),
    ("Never", "Failed", False, False, "terminated"),
])
def test_what_becomes_of_a_container_that_ends_is_the_policys_decision(cluster, policy, phase, restarted, ready, state):
    # The first run fails, the second succeeds; with Always a third one runs on.
    script = "f=/data/count; n=$(cat $f 2>/dev/null || echo 0); n=$((n+1)); echo $n > $f; [ $n = 1 ] && exit 1; [ $n = 2 ] && exit 0; sleep 600"
    volume = {"volumes": [{"name": "data", "emptyDir": {}}]}
    create(cluster, sh(script, restartPolicy=policy, container={"volumeMounts": [{"name": "data", "mountPath": "/data"}]}, **volume))
    run(cluster, 90)
    found, container = get(cluster, "pods", "web")["status"], status_of(cluster)
    assert found["phase"] == phase and (container["restartCount"] > 0) == restarted and state in container["state"]
    assert is_ready(cluster) == (policy == "Always")


def test_a_pod_whose_command_always_fails_says_so_and_can_be_deleted(cluster):
    create(cluster, a_pod(container={"image": "busybox", "command": ["/bin/false"]}))
    run(cluster, 60)
    container = status_of(cluster)
    assert (container.get("lastState") or container["state"])["terminated"]["reason"] == "Error"
    delete(cluster, "pods", "web")
    run(cluster, 60)
    assert get(cluster, "pods", "web") is None


# -- init containers -------------------------------------------------------------------------------------------------------
def with_init(*commands, policy="Always", command=("sleep", "3600")):
    inits = [{"name": f"init{number}", "image": "busybox", "command": [one]} for number, one in enumerate(commands, 1)]
    return a_pod(container={"image": "busybox", "command": list(command)}, initContainers=inits, restartPolicy=policy)


def initialized(cluster):
    return next(each["status"] for each in get(cluster, "pods", "web")["status"]["conditions"] if each["type"] == "Initialized")


def test_init_containers_run_one_by_one_whatever_the_policy(cluster):
    create(cluster, with_init("/bin/true", "/bin/true"))
    run(cluster, 30)
    found = get(cluster, "pods", "web")["status"]
    assert found["phase"] == "Running" and initialized(cluster) == "True"
    assert [each["state"]["terminated"]["exitCode"] for each in found["initContainerStatuses"]] == [0, 0]
    create(cluster, {**with_init("/bin/true", policy="Never", command=["/bin/true"]), "metadata": {"name": "once", "namespace": "default"}})
    run(cluster, 30)
    assert get(cluster, "pods", "once")["status"]["phase"] == "Succeeded"


def test_a_failing_init_container_keeps_the_others_from_starting(cluster):
    create(cluster, with_init("/bin/false", "/bin/true"))
    run(cluster, 60)
    found = get(cluster, "pods", "web")["status"]
    assert found["phase"] == "Pending" and initialized(cluster) == "False" and found["initContainerStatuses"][0]["restartCount"] >= 2
    assert "waiting" in found["initContainerStatuses"][1]["state"] and "waiting" in status_of(cluster)["state"]


def test_a_failing_init_container_fails_a_pod_that_never_restarts(cluster):
    create(cluster, with_init("/bin/false", policy="Never"))
    run(cluster, 30)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Failed" and initialized(cluster) == "False"
    assert "waiting" in status_of(cluster)["state"]


# -- probes ----------------------------------------------------------------------------------------------------------------
HEALTH = {"exec": {"command": ["cat", "/tmp/health"]}}
QUICK = {"initialDelaySeconds": 15, "failureThreshold": 1}


@pytest.mark.parametrize(("probe", "container"), [
    ({"httpGet": {"path": "/healthz", "port": 80}}, {"env": [{"name": "PORT", "value": "80"}]}),
    ({"tcpSocket": {"port": 80}}, {"env": [{"name": "PORT", "value": "80"}]}),
    ({"grpc": {"port": 80}}, {"image": "example.com/speaks-grpc:1"}),
], ids=["http", "tcp", "grpc"])
def test_a_container_that_answers_its_liveness_probe_is_not_restarted(cluster, probe, container):
    create(cluster, a_pod(container={"livenessProbe": {**probe, **QUICK}, **container}))
    run(cluster, 240)
    assert status_of(cluster)["restartCount"] == 0 and is_ready(cluster)


def test_a_file_that_stays_keeps_a_container_alive_and_one_that_goes_ends_it(cluster):
    create(cluster, sh("touch /tmp/health; sleep 600", container={"livenessProbe": {**HEALTH, **QUICK}}))
    create(cluster, sh("touch /tmp/health; sleep 10; rm -rf /tmp/health; sleep 600", name="short", container={"livenessProbe": {**HEALTH, **QUICK}}))
    run(cluster, 100)
    assert status_of(cluster)["restartCount"] == 0
    assert status_of(cluster, "short")["restartCount"] >= 1


def test_a_service_that_turns_unhealthy_or_that_nobody_listens_to_is_restarted_and_counted_up(cluster):
    sick = {"env": [{"name": "UNHEALTHY_AFTER", "value": "10"}], "livenessProbe": {"httpGet": {"path": "/healthz", "port": 80}, **QUICK}}
    create(cluster, a_pod(container=sick))
    create(cluster, a_pod("deaf", container={"livenessProbe": {"grpc": {"port": 2333}, **QUICK}}))
    run(cluster, 90)
    assert status_of(cluster)["restartCount"] >= 1 and status_of(cluster, "deaf")["restartCount"] >= 1
    counts = []
    while not counts or counts[-1] < 5:
        run(cluster, 30)
        counts.append(status_of(cluster)["restartCount"])
    assert counts == sorted(counts)


def test_readiness_waits_for_its_delay_and_never_restarts(cluster):
    create(cluster, a_pod(container={"readinessProbe": {"httpGet": {"path": "/", "port": 80}, "initialDelaySeconds": 30}}))
    create(cluster, a_pod("never", container={"readinessProbe": {"exec": {"command": ["/bin/false"]}}}))
    run(cluster, 25)
    assert not is_ready(cluster)
    run(cluster, 60)
    assert is_ready(cluster) and not is_ready(cluster, "never")
    assert status_of(cluster)["restartCount"] == status_of(cluster, "never")["restartCount"] == 0


# -- taints ----------------------------------------------------------------------------------------------------------------
def taint(cluster, on=True):
    patch(cluster, "nodes", "n1", {"spec": {"taints": [{"key": "evict", "value": "yes", "effect": "NoExecute"}] if on else None}}, None)


def tolerating(name, seconds):
    return a_pod(name, nodeName="n1", tolerations=[{"key": "evict", "value": "yes", "effect": "NoExecute", "tolerationSeconds": seconds}])


def test_each_pod_is_evicted_after_its_own_time_and_not_if_the_taint_goes_before():
    cluster = a_cluster(nodes=1)
    for name, seconds in (("soon", 6), ("later", 12), ("patient", 30)):
        create(cluster, tolerating(name, seconds))
    run(cluster, 5)
    taint(cluster)
    begin, revision, marked = cluster.clock.now, cluster.etcd.revision, {}
    run(cluster, 20)
    for change in cluster.etcd.since(revision, "/registry/pods/"):
        if "deletionTimestamp" in change.object["metadata"]:
            marked.setdefault(change.object["metadata"]["name"], (change.at - begin) / 1000)
    assert marked["soon"] == pytest.approx(6, abs=1) and marked["later"] == pytest.approx(12, abs=1)
    taint(cluster, on=False)
    run(cluster, 60)
    assert "patient" not in marked and get(cluster, "pods", "patient")["status"]["phase"] == "Running"


# -- what keeps a Pod from starting ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", ["/tmp", ".."])
def test_a_volume_path_made_of_a_bad_value_keeps_the_container_from_being_made(cluster, value):
    mount = {"name": "data", "mountPath": "/data", "subPathExpr": "$(WHERE)"}
    container = {"env": [{"name": "WHERE", "value": value}], "volumeMounts": [mount]}
    create(cluster, a_pod(container=container, volumes=[{"name": "data", "emptyDir": {}}]))
    run(cluster, 30)
    assert status_of(cluster)["state"]["waiting"]["reason"] == "CreateContainerConfigError"


def test_only_sysctls_with_good_names_are_accepted(cluster):
    sysctls = [{"name": name, "value": "1"} for name in ("foo-", "kernel.shmmax", "safe-and-unsafe", "bar..")]
    refused = create(cluster, a_pod(securityContext={"sysctls": sysctls}))
    assert refused.code == 422
    assert [cause["field"] for cause in refused.body["details"]["causes"]] == [f"spec.securityContext.sysctls[{place}].name" for place in (0, 3)]


def test_a_runtime_class_must_exist_and_adds_its_overhead(cluster):
    refused = create(cluster, a_pod(runtimeClassName="nothing"))
    assert (refused.code, refused.body["reason"]) == (403, "Forbidden") and 'RuntimeClass "nothing" not found' in refused.body["message"]
    heavy = {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "heavy"}, "handler": "runc",
             "overhead": {"podFixed": {"cpu": "10m", "memory": "20Mi"}}}
    create(cluster, heavy)
    create(cluster, {**heavy, "metadata": {"name": "light"}, "overhead": None})
    assert create(cluster, a_pod(runtimeClassName="heavy")).body["spec"]["overhead"] == {"cpu": "10m", "memory": "20Mi"}
    assert "overhead" not in create(cluster, a_pod("light", runtimeClassName="light")).body["spec"]
    run(cluster, 10)
    assert {pod["status"]["phase"] for pod in every(cluster, "pods")} == {"Running"}
    delete(cluster, "runtimeclasses.node.k8s.io", "heavy", namespace=None)
    assert create(cluster, a_pod("late", runtimeClassName="heavy")).code == 403


def test_two_ephemeral_containers_join_a_pod_and_run(cluster):
    create(cluster, a_pod())
    run(cluster, 10)
    path = "/api/v1/namespaces/default/pods/web/ephemeralcontainers"
    for name in ("first", "second"):
        body = {"spec": {"ephemeralContainers": [{"name": name, "image": "busybox", "command": ["sleep", "600"], "stdin": True}]}}
        assert cluster.api.http("PATCH", path, {}, body, "application/strategic-merge-patch+json").code == 200
        run(cluster, 10)
    statuses = {each["name"]: each["state"] for each in get(cluster, "pods", "web")["status"]["ephemeralContainerStatuses"]}
    assert set(statuses) == {"first", "second"} and all("running" in state for state in statuses.values())
    assert len(said(cluster, "StartContainer")) == 3


def test_many_volumes_of_config_maps_and_secrets_let_a_pod_run(cluster):
    volumes = []
    for number in range(50):
        create(cluster, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"m{number}", "namespace": "default"}, "data": {"a": "1"}})
        volumes.append({"name": f"m{number}", "configMap": {"name": f"m{number}"}})
    create(cluster, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"}, "stringData": {"a": "1"}})
    volumes.append({"name": "s", "secret": {"secretName": "s"}})
    mounts = [{"name": each["name"], "mountPath": f"/mnt/{each['name']}"} for each in volumes]
    create(cluster, a_pod(container={"volumeMounts": mounts}, volumes=volumes))
    run(cluster, 20)
    assert get(cluster, "pods", "web")["status"]["phase"] == "Running"
