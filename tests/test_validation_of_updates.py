"""What may not change, and in which words the API server says so (golden/validation_update.json: requests to a v1.36.2 server and what it answered)."""
import json

import pytest

from lifecycle.simulation.control_plane.apiserver.validation import validate_status_update, validate_update
from lifecycle.simulation.objects import replaced

from .builders import a_deployment, a_pod, a_service
from .freezing import freeze
from .test_validation import GOLDEN, prepared

UPDATES = json.loads(GOLDEN.joinpath("validation_update.json").read_text())


def errors_of_update(old, new, kind="pods"):
    old, new = (replaced(prepared(kind.partition("/")[0], thing), "1", "metadata", "resourceVersion") for thing in (old, new))
    return [error.message() for error in validate_update(kind, new, old)]


@pytest.mark.parametrize("case", UPDATES, ids=[f"{number}-{case['kind']}" for number, case in enumerate(UPDATES)])
def test_an_update_is_refused_as_a_real_server_refused_it(case):
    found = validate_update(case["kind"], freeze(case["new"]), freeze(case["old"]))
    assert [error.message() for error in found] == case["errors"]


def test_what_identifies_an_object_may_not_change():
    pod = replaced(a_pod(), "one", "metadata", "uid")
    assert errors_of_update(pod, replaced(pod, "two", "metadata", "uid")) == ['metadata.uid: Invalid value: "two": field is immutable']


def test_images_deadlines_and_further_tolerations_of_a_pod_may_change():
    old = a_pod(activeDeadlineSeconds=60, tolerations=[{"key": "a", "operator": "Exists"}])
    new = a_pod(image="demo:v2", activeDeadlineSeconds=30, tolerations=[{"key": "a", "operator": "Exists"}, {"key": "b", "operator": "Exists"}])
    assert errors_of_update(old, new) == []
    assert errors_of_update(new, old)[0] == "spec.activeDeadlineSeconds: Invalid value: 60: must be less than or equal to previous value"
    assert errors_of_update(old, a_pod(tolerations=old["spec"]["tolerations"])) == [
        "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"
    ]


def test_a_gated_pod_may_be_narrowed_down_and_get_no_new_gate():
    old = a_pod(schedulingGates=[{"name": "wait"}], nodeSelector={"disk": "ssd"})
    assert errors_of_update(old, a_pod(schedulingGates=[{"name": "wait"}], nodeSelector={"disk": "ssd", "zone": "a"})) == []
    assert errors_of_update(old, a_pod(nodeSelector={"disk": "ssd"})) == []
    gates = [{"name": "wait"}, {"name": "more"}]
    assert errors_of_update(old, a_pod(schedulingGates=gates, nodeSelector={"disk": "ssd"})) == [
        "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'more'"
    ]
    assert errors_of_update(old, a_pod(schedulingGates=[{"name": "wait"}])) == [
        "spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are allowed (no mutations or deletions)"
    ]


def test_a_resize_changes_cpu_and_memory_only_and_keeps_the_class():
    old = a_pod(container={"resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}})
    assert errors_of_update(old, a_pod(container={"resources": {"requests": {"cpu": "200m", "memory": "32Mi"}}}), "pods/resize") == []
    assert errors_of_update(old, a_pod(container={"resources": {"requests": {"cpu": "200m"}}}), "pods/resize") == [
        "spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed"
    ]
    found = errors_of_update(old, a_pod(image="other", container=old["spec"]["containers"][0] | {"image": "other"}), "pods/resize")
    assert found == ["spec: Forbidden: only cpu and memory resources are mutable"]
    assert 'spec: Invalid value: "": Pod QOS Class may not change as a result of resizing' in errors_of_update(
        old, a_pod(container={"resources": {"limits": {"cpu": "100m", "memory": "64Mi"}}}), "pods/resize"
    )


def test_a_terminated_container_that_is_not_restarted_stays_terminated():
    def with_state(state):
        pod = prepared("pods", a_pod(restartPolicy="Never"))
        return replaced({**pod, "status": {"containerStatuses": [{"name": "app", "state": state}]}}, "1", "metadata", "resourceVersion")

    found = validate_status_update("pods", with_state({"running": {}}), with_state({"terminated": {"exitCode": 1}}))
    assert [error.message() for error in found] == ["status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"]


def test_the_address_of_a_service_may_not_change_once_set():
    old = a_service(clusterIP="10.96.0.9", clusterIPs=["10.96.0.9"])
    new = a_service(clusterIP="10.96.5.5", clusterIPs=["10.96.5.5"])
    assert errors_of_update(old, new, "services") == ['spec.clusterIPs[0]: Invalid value: ["10.96.5.5"]: may not change once set']


def test_a_job_keeps_its_template_and_shows_it_in_the_servers_own_form():
    def a_job(image):
        template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": image}]}}
        return {"metadata": {"name": "j"}, "spec": {"completions": 1, "template": template}}

    (found,) = errors_of_update(a_job("demo:ok"), a_job("demo:v2"), "jobs.batch")
    assert found.startswith('spec.template: Invalid value: {"labels":{"batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"j"},"Spec":{"Vo')
    assert '"Containers":[{"Name":"c","Image":"demo:v2","Command":null,' in found
    assert found.endswith('"HostnameOverride":null,"SchedulingGroup":null}}: field is immutable')


def test_a_stateful_set_changes_in_a_few_fields_only():
    old = a_deployment(serviceName="a")
    assert errors_of_update(old, a_deployment(serviceName="a", replicas=5), "statefulsets.apps") == []
    (found,) = errors_of_update(old, a_deployment(serviceName="b"), "statefulsets.apps")
    assert found.startswith("spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template'")


@pytest.mark.parametrize(("kind", "data"), [("configmaps", {"a": "1"}), ("secrets", {"a": "MQ=="})])
def test_what_was_declared_immutable_stays(kind, data):
    old = {"metadata": {"name": "x"}, "immutable": True, "data": data}
    assert errors_of_update(old, {"metadata": {"name": "x"}, "data": {}}, kind) == [
        "immutable: Forbidden: field is immutable when `immutable` is set",
        "data: Forbidden: field is immutable when `immutable` is set",
    ]


def test_a_bound_claim_may_grow():
    def a_claim(size, phase):
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, "volumeName": "pv"}
        return {"metadata": {"name": "c"}, "spec": spec, "status": {"phase": phase, "capacity": {"storage": "1Gi"}}}

    assert errors_of_update(a_claim("1Gi", "Bound"), a_claim("2Gi", "Bound"), "persistentvolumeclaims") == []
    assert errors_of_update(a_claim("1Gi", "Bound"), a_claim("500Mi", "Bound"), "persistentvolumeclaims") == [
        "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
    ]


def test_a_storage_class_keeps_what_it_provisions_with():
    old = {"metadata": {"name": "fast"}, "provisioner": "example.com/disk"}
    found = errors_of_update(old, {**old, "provisioner": "example.com/other"}, "storageclasses.storage.k8s.io")
    assert found == ["provisioner: Forbidden: updates to provisioner are forbidden."]


def test_a_node_keeps_its_pod_cidr():
    def a_node(*networks):
        return {"metadata": {"name": "n1", "resourceVersion": "1"}, "spec": {"podCIDR": networks[0], "podCIDRs": list(networks)}}

    found = validate_update("nodes", a_node("10.244.7.0/24", "10.244.5.0/24"), a_node("10.244.5.0/24"))
    assert [error.message() for error in found] == [
        'spec.podCIDRs: Invalid value: ["10.244.7.0/24","10.244.5.0/24"]: may specify no more than one CIDR for each IP family',
        'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    ]
