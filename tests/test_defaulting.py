"""What the API server fills in (golden/defaults.json: what users sent to a v1.36.2 server, and what it stored)."""
import json
from pathlib import Path

import pytest

from lifecycle.simulation.control_plane.apiserver.defaulting import default, default_pod_spec

from .builders import a_deployment, a_pod, a_service
from .freezing import freeze

RECORDED = json.loads(Path(__file__).with_name("golden").joinpath("defaults.json").read_text())


def completed(manifest, kind="pods"):
    """The manifest as stored; it is read-only, so a default written into it would fail."""
    return default(kind, freeze(manifest))


def the_container(pod):
    return pod["spec"]["containers"][0]


@pytest.mark.parametrize("case", RECORDED, ids=[f"{case['kind']}-{case['given']['metadata'].get('name')}-{number}" for number, case in enumerate(RECORDED)])
def test_objects_get_what_a_real_server_gave_them(case):
    stored = completed(case["given"], case["kind"])
    assert {key: stored.get(key) for key in case["stored"]} == case["stored"]


@pytest.mark.parametrize("case", RECORDED, ids=range(len(RECORDED)))
def test_a_complete_object_comes_back_as_it_is(case):
    stored = completed(case["given"], case["kind"])
    assert default(case["kind"], stored) is stored


def test_pods_of_one_template_share_its_completed_spec():
    spec = freeze({"containers": [{"name": "app", "image": "demo:ok"}]})
    assert default_pod_spec(spec) is default_pod_spec(spec)


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("nginx", "Always"),
        ("nginx:latest", "Always"),
        ("nginx:1.27", "IfNotPresent"),
        ("registry.example.com:5000/team/app", "Always"),
        ("registry.example.com:5000/team/app:v1", "IfNotPresent"),
        ("nginx@sha256:" + "0" * 64, "IfNotPresent"),
        ("Not An Image", "IfNotPresent"),
        ("", "IfNotPresent"),
    ],
)
def test_the_tag_decides_when_an_image_is_pulled(image, policy):
    assert the_container(completed(a_pod(image=image)))["imagePullPolicy"] == policy


def test_limits_become_requests_in_a_pod_and_not_in_a_template():
    resources = {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "100m"}}
    pod = completed(a_pod(container={"resources": resources}))
    assert the_container(pod)["resources"]["requests"] == {"cpu": "100m", "memory": "1Gi"}
    template = {"containers": [{"name": "app", "image": "demo:ok", "resources": resources}]}
    deployment = completed(a_deployment(template=template), "deployments.apps")
    assert deployment["spec"]["template"]["spec"]["containers"][0]["resources"] == resources


def test_requests_of_a_whole_pod_are_those_of_its_containers_or_else_its_limits():
    pod = completed(a_pod(resources={"limits": {"cpu": "2", "memory": "1Gi"}}, container={"resources": {"requests": {"cpu": "250m"}}}))
    assert pod["spec"]["resources"]["requests"] == {"cpu": "250m", "memory": "1Gi"}


def test_amounts_finer_than_a_thousandth_are_rounded_up():
    pod = completed(a_pod(container={"resources": {"requests": {"cpu": "100500u"}}}))
    assert the_container(pod)["resources"]["requests"] == {"cpu": "101m"}


def test_on_the_hosts_network_container_ports_are_host_ports():
    pod = completed(a_pod(hostNetwork=True, container={"ports": [{"containerPort": 80}]}))
    assert the_container(pod)["ports"] == [{"containerPort": 80, "protocol": "TCP", "hostPort": 80}]


def test_probes_and_hooks_get_their_times_and_paths():
    hook = {"preStop": {"httpGet": {"port": 80}}}
    container = the_container(completed(a_pod(container={"livenessProbe": {"httpGet": {"port": 80}, "periodSeconds": 5}, "lifecycle": hook})))
    assert container["livenessProbe"] == {
        "httpGet": {"port": 80, "path": "/", "scheme": "HTTP"},
        "timeoutSeconds": 1,
        "periodSeconds": 5,
        "successThreshold": 1,
        "failureThreshold": 3,
    }
    assert container["lifecycle"]["preStop"]["httpGet"] == {"port": 80, "path": "/", "scheme": "HTTP"}


def test_volumes_get_modes_and_one_without_a_source_is_empty():
    token = {"serviceAccountToken": {"path": "token"}}
    volumes = [
        {"name": "a"},
        {"name": "b", "configMap": {"name": "c"}},
        {"name": "d", "hostPath": {"path": "/x"}},
        {"name": "e", "projected": {"sources": [token]}},
    ]
    stored = completed(a_pod(volumes=volumes))["spec"]["volumes"]
    assert stored == [
        {"name": "a", "emptyDir": {}},
        {"name": "b", "configMap": {"name": "c", "defaultMode": 420}},
        {"name": "d", "hostPath": {"path": "/x", "type": ""}},
        {"name": "e", "projected": {"sources": [{"serviceAccountToken": {"path": "token", "expirationSeconds": 3600}}], "defaultMode": 420}},
    ]


def test_a_negative_grace_period_is_one_second():
    assert completed(a_pod(terminationGracePeriodSeconds=-5))["spec"]["terminationGracePeriodSeconds"] == 1
    # It should stay as it was written in a template.
    deployment = completed(a_deployment(template={"terminationGracePeriodSeconds": -5}), "deployments.apps")
    assert deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] == -5


def test_a_service_gets_ports_policies_and_a_family_by_its_type():
    spec = completed(a_service(type="LoadBalancer"), "services")["spec"]
    assert spec["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    assert spec["externalTrafficPolicy"] == spec["internalTrafficPolicy"] == "Cluster"
    assert spec["allocateLoadBalancerNodePorts"] is True
    assert (spec["ipFamilyPolicy"], spec["ipFamilies"], spec["sessionAffinity"]) == ("SingleStack", ["IPv4"], "None")


def test_an_external_name_has_no_address_family():
    spec = completed(a_service(type="ExternalName", externalName="example.com"), "services")["spec"]
    assert not {"ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"} & set(spec)


def test_a_recreate_strategy_has_no_rolling_update():
    spec = completed(a_deployment(strategy={"type": "Recreate"}), "deployments.apps")["spec"]
    assert spec["strategy"] == {"type": "Recreate"}


def test_a_job_counts_to_one_and_takes_over_generated_labels_later():
    job = {"metadata": {"name": "j"}, "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "demo:ok"}]}}}}
    stored = completed(job, "jobs.batch")
    assert (stored["spec"]["completions"], stored["spec"]["parallelism"], stored["spec"]["backoffLimit"]) == (1, 1, 6)
    assert "labels" not in stored["metadata"]
    template = {**stored["spec"]["template"], "metadata": {"labels": {"job-name": "j"}}}
    again = completed({**stored, "spec": {**stored["spec"], "template": template}}, "jobs.batch")
    assert again["metadata"]["labels"] == {"job-name": "j"}


def test_what_is_written_as_text_into_a_secret_is_kept_in_base64():
    stored = completed({"metadata": {"name": "s"}, "stringData": {"password": "hunter2"}, "data": {"user": "YWRh"}}, "secrets")
    assert stored == {"metadata": {"name": "s"}, "type": "Opaque", "data": {"user": "YWRh", "password": "aHVudGVyMg=="}}


def test_a_limit_range_derives_defaults_for_containers_from_its_bounds():
    item = {"type": "Container", "max": {"cpu": "1"}, "min": {"memory": "64Mi"}}
    stored = completed({"metadata": {"name": "l"}, "spec": {"limits": [item]}}, "limitranges")["spec"]["limits"][0]
    assert stored["default"] == {"cpu": "1"}
    assert stored["defaultRequest"] == {"memory": "64Mi", "cpu": "1"}


def test_the_service_account_is_kept_under_both_of_its_names():
    spec = completed(a_pod(serviceAccount="builder"))["spec"]
    assert spec["serviceAccountName"] == spec["serviceAccount"] == "builder"


def test_a_network_policy_is_about_what_it_has_rules_for():
    policy = {"metadata": {"name": "p"}, "spec": {"podSelector": {}, "egress": [{"ports": [{"port": 53}]}]}}
    spec = completed(policy, "networkpolicies.networking.k8s.io")["spec"]
    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert spec["egress"] == [{"ports": [{"port": 53, "protocol": "TCP"}]}]
