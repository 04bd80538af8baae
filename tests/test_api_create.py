"""POST: what the API server makes of a manifest, and what it refuses."""
import pytest

from .builders import a_deployment, a_pod, a_service, create, get, run, said

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def post(cluster, path, body, query=None):
    return cluster.api.http("POST", path, query, body)


def test_a_new_pod_has_a_place_in_time_and_a_status_of_its_own(cluster):
    pod = create(cluster, {**a_pod(labels={"app": "web"}), "status": {"phase": "Running"}}).body

    assert pod["metadata"]["generation"] == 1
    assert pod["metadata"]["creationTimestamp"] == cluster.clock.timestamp()
    assert pod["metadata"]["resourceVersion"] == str(cluster.etcd.revision)
    assert pod["metadata"]["labels"] == {"app": "web"}
    assert pod["status"] == {"phase": "Pending", "qosClass": "BestEffort"}


def test_every_pod_runs_as_a_service_account_and_finds_its_token_in_a_volume(cluster):
    pod = create(cluster, a_pod()).body

    assert pod["spec"]["serviceAccountName"] == pod["spec"]["serviceAccount"] == "default"
    volume = pod["spec"]["volumes"][-1]
    assert volume["name"].startswith("kube-api-access-") and len(volume["name"]) == len("kube-api-access-") + 5
    assert volume["projected"] == {"defaultMode": 420, "sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}]}
    mount = {"name": volume["name"], "readOnly": True, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
    assert pod["spec"]["containers"][0]["volumeMounts"] == [mount]


def test_a_pod_that_wants_no_token_gets_none(cluster):
    pod = create(cluster, a_pod(automountServiceAccountToken=False)).body

    assert "volumes" not in pod["spec"]


def test_a_lost_node_keeps_its_pods_for_five_minutes_unless_they_say_otherwise(cluster):
    mine = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 10}
    pod = create(cluster, a_pod(tolerations=[mine])).body

    added = {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    assert pod["spec"]["tolerations"] == [mine, added]


@pytest.mark.parametrize(("requests", "limits", "expected"), [
    ({}, {}, "BestEffort"),
    ({"cpu": "100m"}, {}, "Burstable"),
    ({}, {"cpu": "1", "memory": "1Gi"}, "Guaranteed"),
    ({"cpu": "1000m", "memory": "1Gi"}, {"cpu": "1", "memory": "1024Mi"}, "Guaranteed"),
    ({"cpu": "500m", "memory": "1Gi"}, {"cpu": "1", "memory": "1Gi"}, "Burstable"),
])
def test_the_class_of_service_follows_from_requests_and_limits(cluster, requests, limits, expected):
    pod = create(cluster, a_pod(container={"resources": {"requests": requests, "limits": limits}})).body

    assert pod["status"]["qosClass"] == expected


def test_a_gated_pod_says_that_it_waits(cluster):
    status = create(cluster, a_pod(schedulingGates=[{"name": "example.com/gate"}])).body["status"]

    assert [status["conditions"][0][key] for key in ("type", "status", "reason", "message")] == [
        "PodScheduled", "False", "SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates"]


def test_priority_comes_from_the_class(cluster):
    pod = create(cluster, a_pod(priorityClassName="system-node-critical")).body
    refused = create(cluster, a_pod("other", priorityClassName="nope"))

    assert pod["spec"]["priority"] == 2_000_001_000
    assert refused.body["message"] == 'pods "other" is forbidden: no PriorityClass with name nope was found'


def test_a_generated_name_ends_in_five_letters_and_is_cut_to_what_a_label_holds(cluster):
    short = post(cluster, CONFIG_MAPS, {"metadata": {"generateName": "gen-"}}).body["metadata"]
    long = post(cluster, CONFIG_MAPS, {"metadata": {"generateName": "a" * 70 + "-"}}).body["metadata"]

    assert short["name"].startswith("gen-") and len(short["name"]) == 9
    assert set(short["name"][4:]) <= set("bcdfghjklmnpqrstvwxz2456789")
    assert long["name"][:58] == "a" * 58 and len(long["name"]) == 63


@pytest.mark.parametrize(("metadata", "code", "message"), [
    ({}, 422, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'),
    ({"name": "c1", "resourceVersion": "5"}, 500, "resourceVersion should not be set on objects to be created"),
    ({"name": "c1", "namespace": "other"}, 400, "the namespace of the provided object does not match the namespace sent on the request"),
    ({"name": "kube-root-ca.crt"}, 409, 'configmaps "kube-root-ca.crt" already exists'),
])
def test_what_a_create_refuses(cluster, metadata, code, message):
    answer = post(cluster, CONFIG_MAPS, {"metadata": metadata})

    assert (answer.code, answer.body["message"]) == (code, message)


def test_a_refusal_is_a_status_with_its_fields_in_order(cluster):
    status = post(cluster, CONFIG_MAPS, {"metadata": {"name": "kube-root-ca.crt"}}).body

    assert list(status) == ["kind", "apiVersion", "metadata", "status", "message", "reason", "details", "code"]
    assert status["details"] == {"name": "kube-root-ca.crt", "kind": "configmaps"}
    assert status["reason"] == "AlreadyExists"


def test_nothing_new_in_a_namespace_that_is_missing(cluster):
    answer = post(cluster, "/api/v1/namespaces/nope/configmaps", {"metadata": {"name": "c"}})

    assert (answer.code, answer.body["message"]) == (404, 'namespaces "nope" not found')


def test_a_name_stays_taken_while_the_object_waits_for_its_finalizers(cluster):
    body = {"metadata": {"name": "held", "finalizers": ["example.com/hold"]}}
    post(cluster, CONFIG_MAPS, body)
    cluster.api.http("DELETE", f"{CONFIG_MAPS}/held")

    assert post(cluster, CONFIG_MAPS, body).body["message"] == 'object is being deleted: configmaps "held" already exists'


def test_unknown_fields_are_refused_warned_about_or_dropped_as_asked(cluster):
    body = {"metadata": {"name": "c"}, "foo": 1}
    strict = post(cluster, CONFIG_MAPS, body, "fieldValidation=Strict")
    warned = post(cluster, CONFIG_MAPS, body, "fieldValidation=Warn")

    assert strict.body["message"] == 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo"'
    assert warned.code == 201 and warned.warnings == ('unknown field "foo"',) and "foo" not in warned.body


def test_a_dry_run_does_everything_but_store(cluster):
    before = cluster.etcd.revision
    answer = post(cluster, CONFIG_MAPS, {"metadata": {"name": "c"}}, "dryRun=All")

    assert answer.code == 201 and answer.body["metadata"]["uid"]
    assert cluster.etcd.revision == before
    assert not said(cluster, target="etcd")


def test_a_service_gets_an_address_and_keeps_it(cluster):
    service = create(cluster, a_service()).body
    updated = cluster.api.http("PUT", "/api/v1/namespaces/default/services/web", None, a_service(labels={"app": "other"})).body

    assert service["spec"]["clusterIP"].startswith("10.96.") and service["spec"]["clusterIPs"] == [service["spec"]["clusterIP"]]
    assert updated["spec"]["clusterIP"] == service["spec"]["clusterIP"]


def test_addresses_and_node_ports_are_never_given_twice(cluster):
    first = create(cluster, a_service("a", type="NodePort")).body["spec"]
    same_ip = create(cluster, a_service("b", clusterIP=first["clusterIP"]))
    far = create(cluster, {**a_service("c"), "spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 80}]}})

    assert 30000 <= first["ports"][0]["nodePort"] <= 32767
    assert same_ip.code == 422 and "provided IP is already allocated" in same_ip.body["message"]
    assert far.body["message"].endswith(
        "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767")


def test_a_headless_service_has_no_address(cluster):
    spec = create(cluster, a_service(clusterIP="None")).body["spec"]

    assert spec["clusterIP"] == "None" and spec["clusterIPs"] == ["None"]


def test_a_job_knows_its_pods_by_its_own_uid(cluster):
    job = cluster.api.http("POST", "/apis/batch/v1/namespaces/default/jobs", None, {
        "metadata": {"name": "once"}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "demo:ok"}]}}}}).body
    uid = job["metadata"]["uid"]

    assert job["spec"]["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    assert job["spec"]["template"]["metadata"]["labels"] == {
        "batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": "once", "controller-uid": uid, "job-name": "once"}


def test_an_event_can_be_written_in_one_group_and_read_in_the_other(cluster):
    body = {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "e", "namespace": "default"},
            "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "default-scheduler", "reportingInstance": "i", "action": "Binding",
            "reason": "Scheduled", "note": "done", "type": "Normal", "regarding": {"kind": "Pod", "namespace": "default", "name": "web"}}
    answer = post(cluster, "/apis/events.k8s.io/v1/namespaces/default/events", body)
    stored = get(cluster, "events", "e")

    assert answer.code == 201 and answer.body["note"] == "done" and answer.body["apiVersion"] == "events.k8s.io/v1"
    assert (stored["apiVersion"], stored["message"], stored["involvedObject"]["name"]) == ("v1", "done", "web")
    assert stored["reportingComponent"] == "default-scheduler"


def test_a_create_is_told_as_a_request_a_commit_and_an_answer(cluster):
    cluster.api.http("POST", "/apis/apps/v1/namespaces/default/deployments", {"fieldManager": "kubectl-create", "fieldValidation": "Strict"}, a_deployment())
    request, commit, answer = cluster.log.steps

    assert (request.source, request.target, request.reason) == ("kubectl", "apiserver", "CreateDeployment")
    assert request.request == "POST /apis/apps/v1/namespaces/default/deployments?fieldManager=kubectl-create&fieldValidation=Strict"
    assert (commit.target, commit.reason, commit.request) == ("etcd", "EtcdCreate", "PUT /registry/deployments/default/web")
    assert commit.revision == cluster.etcd.revision and commit.facts == {"for": "CreateDeployment", "by": "kubectl", "event": "ADDED"}
    assert (answer.source, answer.target, answer.reason, answer.facts["code"]) == ("apiserver", "kubectl", "Respond", 201)


def test_a_refused_create_says_its_code_and_reaches_no_store(cluster):
    create(cluster, a_pod())
    create(cluster, a_pod())
    request = said(cluster, "CreatePod")[1]

    assert request.facts["code"] == 409 and request.facts["message"] == 'pods "web" already exists'
    assert len(said(cluster, "EtcdCreate")) == 1


def test_a_new_namespace_is_active_and_named_by_a_label(cluster):
    namespace = post(cluster, "/api/v1/namespaces", {"metadata": {"name": "team"}}).body
    run(cluster, 1)

    assert namespace["status"] == {"phase": "Active"} and namespace["spec"] == {"finalizers": ["kubernetes"]}
    assert namespace["metadata"]["labels"] == {"kubernetes.io/metadata.name": "team"}
    assert get(cluster, "serviceaccounts", "default", "team")
