"""What the API server refuses, and in which words (golden/validation_create.json: requests to a v1.36.2 server and what it answered)."""
import json
from pathlib import Path

import pytest

from lifecycle.simulation.control_plane.apiserver.defaulting import default
from lifecycle.simulation.control_plane.apiserver.validation import (
    deprecation,
    joined,
    validate_create,
    validate_pod_spec,
    warnings,
)
from lifecycle.simulation.control_plane.apiserver.validation.schedules import schedule_error
from lifecycle.simulation.objects import replaced

from .builders import a_deployment, a_pod
from .freezing import freeze

GOLDEN = Path(__file__).with_name("golden")
CREATES = json.loads(GOLDEN.joinpath("validation_create.json").read_text())
CLUSTER_SCOPED = ("namespaces", "persistentvolumes", "storageclasses.storage.k8s.io")


def prepared(kind, thing):
    """What a manifest is when it comes to validation: in a namespace, completed, a Job with its selector."""
    if kind not in CLUSTER_SCOPED:
        thing = replaced(thing, thing["metadata"].get("namespace", "default"), "metadata", "namespace")
    thing = default(kind, freeze(thing))
    if kind != "jobs.batch":
        return thing
    labels = {"batch.kubernetes.io/controller-uid": "u", "batch.kubernetes.io/job-name": thing["metadata"]["name"]}
    thing = replaced(replaced(thing, "u", "metadata", "uid"), labels, "spec", "template", "metadata", "labels")
    return replaced(thing, {"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}}, "spec", "selector")


def errors_of(manifest, kind="pods"):
    return [error.message() for error in validate_create(kind, prepared(kind, manifest))]


@pytest.mark.parametrize("case", CREATES, ids=[case["case"] for case in CREATES])
def test_a_new_object_is_refused_as_a_real_server_refused_it(case):
    assert errors_of(case["object"], case["kind"]) == case["errors"]


def test_an_error_knows_its_cause_and_several_are_joined_in_brackets():
    found = validate_create("pods", prepared("pods", a_pod(name="Bad_", image="")))
    assert found[1].cause() == {"reason": "FieldValueRequired", "message": "Required value", "field": "spec.containers[0].image"}
    assert joined(found).startswith('[metadata.name: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must')
    assert joined(found).endswith("spec.containers[0].image: Required value]")
    assert joined(found[1:]) == "spec.containers[0].image: Required value"


def test_the_verdict_on_a_spec_is_remembered():
    spec = prepared("pods", a_pod())["spec"]
    assert validate_pod_spec(spec) is validate_pod_spec(spec)


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ({"hostname": "a.b"}, 'spec.hostname: Invalid value: "a.b": must not contain dots'),
        ({"dnsPolicy": "None"}, "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"),
        ({"nodeSelector": {"a": "b c"}}, 'spec.nodeSelector: Invalid value: "b c": a valid label must be'),
        ({"tolerations": [{"value": "x"}]}, 'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty'),
        ({"schedulingGates": [{"name": "g"}, {"name": "g"}]}, 'spec.schedulingGates[1]: Duplicate value: "g"'),
        ({"preemptionPolicy": "Perhaps"}, 'spec.preemptionPolicy: Unsupported value: "Perhaps": supported values: "PreemptLowerPriority", "Never"'),
        (
            {"topologySpreadConstraints": [{"maxSkew": 0, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}]},
            "spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero",
        ),
        ({"volumes": [{"name": "a", "emptyDir": {}}, {"name": "a", "emptyDir": {}}]}, 'spec.volumes[1].name: Duplicate value: "a"'),
        ({"volumes": [{"name": "a", "configMap": {}}]}, "spec.volumes[0].configMap.name: Required value"),
        ({"securityContext": {"runAsUser": -1}}, "spec.securityContext.runAsUser: Invalid value: -1: must be between 0 and 4294967295, inclusive"),
        ({"ephemeralContainers": [{"name": "e", "image": "i"}]}, "spec.ephemeralContainers: Forbidden: cannot be set on create"),
    ],
)
def test_a_pod_spec_that_makes_no_sense_is_refused(spec, error):
    (found,) = errors_of(a_pod(**spec))
    assert found.startswith(error)


@pytest.mark.parametrize(
    ("container", "error"),
    [
        ({"ports": [{"containerPort": 80, "name": "a-very-long-name"}]}, 'ports[0].name: Invalid value: "a-very-long-name": must be no more than 15'),
        ({"ports": [{"containerPort": 80, "protocol": "HTTP"}]}, 'ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"'),
        ({"resources": {"limits": {"coal": "1"}}}, 'resources.limits[coal]: Invalid value: "coal": must be a standard resource type or fully qualified'),
        ({"resources": {"requests": {"nvidia.com/gpu": "1"}}}, "resources.limits: Required value: Limit must be set for non overcommitable resources"),
        ({"lifecycle": {"preStop": {}}}, "lifecycle.preStop: Required value: must specify a handler type"),
        ({"lifecycle": {"preStop": {"sleep": {"seconds": 31}}}}, "lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than"),
        ({"livenessProbe": {"exec": {}}}, "livenessProbe.exec.command: Required value"),
        ({"env": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "c"}}}]}, "env[0].valueFrom.configMapKeyRef.key: Required value"),
        ({"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}]}, "env[0].valueFrom.fieldRef.fieldPath: Unsupported value"),
        ({"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "spec.nope"}}}]}, "env[0].valueFrom.fieldRef.fieldPath: Invalid value"),
        ({"envFrom": [{}]}, 'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`'),
        ({"terminationMessagePolicy": "Print"}, 'terminationMessagePolicy: Unsupported value: "Print": supported values: "File", "FallbackToLogsOnError"'),
    ],
)
def test_a_container_that_makes_no_sense_is_refused(container, error):
    found = errors_of(a_pod(container=container))
    assert any(text.startswith(f"spec.containers[0].{error}") for text in found), found


def test_the_spec_of_a_stateful_sets_template_is_judged_with_its_pods():
    workload = a_deployment(template={"containers": [{"name": "app", "image": "demo:ok", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}]})
    assert errors_of(workload, "statefulsets.apps") == []
    assert errors_of(workload, "deployments.apps") == ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"']


def test_a_template_has_the_restart_policy_that_suits_its_owner():
    unsupported = 'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'
    for kind in ("deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps"):
        assert errors_of(a_deployment(template={"restartPolicy": "Never"}), kind) == [unsupported]


def test_labels_and_owners_are_checked_wherever_they_are():
    pod = a_pod(labels={"a" * 64: "x"})
    assert errors_of(pod)[0] == f'metadata.labels: Invalid value: "{"a" * 64}": name part must be no more than 63 bytes'
    owners = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": name, "controller": True} for name in ("a", "b")]
    (found,) = errors_of(replaced(a_pod(), owners, "metadata", "ownerReferences"))
    assert found.endswith('Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/a and ReplicaSet/b')


def test_annotations_have_a_size_and_finalizers_a_domain():
    assert errors_of(replaced(a_pod(), {"a": "x" * 262144}, "metadata", "annotations")) == ["metadata.annotations: Too long: may not be more than 262144 bytes"]
    found = errors_of(replaced(a_pod(), ["mine"], "metadata", "finalizers"))
    assert found == ['metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified']


def test_a_generated_name_may_end_in_a_dash_before_it_is_finished():
    pod = replaced(a_pod(name="web-x7k2p"), "web-", "metadata", "generateName")
    assert errors_of(pod) == []


@pytest.mark.parametrize(
    ("schedule", "error"),
    [
        ("*/5 * * * *", None),
        ("0 9-17 * * mon-fri", None),
        ("@daily", None),
        ("@every 1h30m", None),
        ("@sometimes", "unrecognized descriptor: @sometimes"),
        ("* * * * 8", "end of range (8) above maximum (6): 8"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("30-10 * * * *", "beginning of range (30) beyond end of range (10): 30-10"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
    ],
)
def test_a_schedule_is_read_as_cron_reads_it(schedule, error):
    assert schedule_error(schedule) == error


def test_names_that_make_poor_hostnames_are_accepted_with_a_warning():
    surprise = "which can result in surprising behavior; a DNS label is recommended: [must not contain dots]"
    assert warnings("pods", prepared("pods", a_pod(name="a.b"))) == [f"metadata.name: this is used in the Pod's hostname, {surprise}"]
    deployment = prepared("deployments.apps", a_deployment(name="a.b"))
    assert warnings("deployments.apps", deployment) == [f"metadata.name: this is used in Pod names and hostnames, {surprise}"]
    # It should not be told again with every update.
    assert warnings("deployments.apps", deployment, deployment) == []


def test_doubtful_parts_of_a_template_are_accepted_with_a_warning():
    container = {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}], "resources": {"limits": {"memory": "100m"}}}
    deployment = prepared("deployments.apps", a_deployment(template={"containers": [{"name": "app", "image": "demo:ok", **container}]}))
    assert warnings("deployments.apps", deployment) == [
        'spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
        'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ]


def test_a_deprecated_kind_says_so():
    assert deprecation("endpoints") == "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"
    assert deprecation("pods") is None
