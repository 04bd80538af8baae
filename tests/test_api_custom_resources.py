"""CustomResourceDefinitions, and policies written in CEL: the API can be extended while it runs."""
import pytest

from .builders import a_deployment, a_pod, create, get, run, said

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
CRON_TABS = "/apis/stable.example.com/v1/namespaces/default/crontabs"
NAME = "crontabs.stable.example.com"
SPEC = {"type": "object", "required": ["cronSpec"], "x-kubernetes-validations": [{"rule": "self.replicas < 8", "message": "too many replicas"}],
        "properties": {"cronSpec": {"type": "string", "pattern": "^[0-9* ]+$"}, "replicas": {"type": "integer", "minimum": 1, "maximum": 10, "default": 1}}}


@pytest.fixture
def definition(cluster):
    """A kind CronTab with a schema, a rule, printed columns and a scale."""
    version = {"name": "v1", "served": True, "storage": True,
               "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}},
               "additionalPrinterColumns": [{"name": "Spec", "type": "string", "jsonPath": ".spec.cronSpec"}],
               "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": SPEC, "status": {"type": "object"}}}}}
    answer = cluster.api.http("POST", DEFINITIONS, None, {"metadata": {"name": NAME}, "spec": {
        "group": "stable.example.com", "scope": "Namespaced", "names": {"plural": "crontabs", "kind": "CronTab", "shortNames": ["ct"]}, "versions": [version]}})
    run(cluster, 1)
    return answer.body


def a_cron_tab(cluster, query=None, name="a", **spec):
    return cluster.api.http("POST", CRON_TABS, query, {"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": name}, "spec": spec})


def test_a_definition_is_completed_then_established(cluster, definition):
    assert definition["spec"]["names"]["singular"] == "crontab" and definition["spec"]["names"]["listKind"] == "CronTabList"
    assert definition["status"] == {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]}
    status = get(cluster, "customresourcedefinitions.apiextensions.k8s.io", NAME)["status"]
    assert [(one["type"], one["status"], one["reason"]) for one in status["conditions"]] == [
        ("NamesAccepted", "True", "NoConflicts"), ("Established", "True", "InitialNamesAccepted")]
    assert [step.facts["for"] for step in said(cluster, target="etcd")][1:] == ["UpdateCustomResourceDefinitionStatus"] * 2


def test_nothing_is_served_before_it_is_defined(cluster):
    assert a_cron_tab(cluster, cronSpec="*").body["message"] == "the server could not find the requested resource"


def test_a_custom_resource_is_an_object_like_any_other(cluster, definition):
    made = a_cron_tab(cluster, cronSpec="* * *").body
    listed = cluster.api.http("GET", CRON_TABS, accept_table=True).body
    scaled = cluster.api.http("PATCH", f"{CRON_TABS}/a/scale", None, {"spec": {"replicas": 3}}, "application/merge-patch+json").body
    stored = cluster.api.http("GET", f"{CRON_TABS}/a").body

    assert made["metadata"]["generation"] == 1 and made["spec"] == {"cronSpec": "* * *", "replicas": 1} and "status" not in made
    assert listed["rows"][0]["cells"] == ["a", "* * *"]
    assert scaled["spec"] == {"replicas": 3} and stored["spec"]["replicas"] == 3 and stored["metadata"]["generation"] == 2


@pytest.mark.parametrize(("spec", "message"), [
    ({"cronSpec": "abc", "replicas": 20},
     "[spec.cronSpec: Invalid value: \"abc\": spec.cronSpec in body should match '^[0-9* ]+$', "
     "spec.replicas: Invalid value: 20: spec.replicas in body should be less than or equal to 10, spec: Invalid value: too many replicas]"),
    ({"replicas": 2}, "[spec.cronSpec: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
                      "correct the existing errors to complete validation]"),
    ({"cronSpec": "*", "replicas": 9}, "spec: Invalid value: too many replicas"),
])
def test_the_schema_and_its_rules_are_enforced(cluster, definition, spec, message):
    answer = a_cron_tab(cluster, **spec)

    assert (answer.code, answer.body["message"]) == (422, f'CronTab.stable.example.com "a" is invalid: {message}')


def test_fields_that_the_schema_does_not_know(cluster, definition):
    answer = a_cron_tab(cluster, "fieldValidation=Strict", cronSpec="*", bogus=1)

    assert answer.body["message"] == 'CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.bogus"'


def test_a_custom_resource_must_name_the_version_it_replaces(cluster, definition):
    made = a_cron_tab(cluster, cronSpec="*").body
    answer = cluster.api.http("PUT", f"{CRON_TABS}/a", None, {**made, "metadata": {"name": "a"}})

    assert answer.body["message"].endswith("metadata.resourceVersion: Invalid value: 0: must be specified for an update")


def test_a_definition_takes_its_objects_with_it(cluster, definition):
    a_cron_tab(cluster, cronSpec="*")
    marked = cluster.api.http("DELETE", f"{DEFINITIONS}/{NAME}").body
    run(cluster, 1)

    assert marked["metadata"]["finalizers"] == ["customresourcecleanup.apiextensions.k8s.io"]
    assert get(cluster, "customresourcedefinitions.apiextensions.k8s.io", NAME) is None
    assert cluster.etcd.get("/registry/stable.example.com/crontabs/default/a") is None
    assert cluster.api.http("GET", CRON_TABS).code == 404


def test_the_status_of_a_definition_that_waits_for_its_objects_can_be_written(cluster, definition):
    a_cron_tab(cluster, cronSpec="*")
    cluster.api.http("PATCH", f"{CRON_TABS}/a", None, {"metadata": {"finalizers": ["example.com/hold"]}}, "application/merge-patch+json")
    cluster.api.http("DELETE", f"{DEFINITIONS}/{NAME}")
    run(cluster, 5)
    waiting = cluster.api.http("GET", f"{DEFINITIONS}/{NAME}").body
    assert waiting["metadata"]["finalizers"] == ["customresourcecleanup.apiextensions.k8s.io"]
    assert cluster.api.http("PUT", f"{DEFINITIONS}/{NAME}/status", None, waiting).code == 200


def test_a_definition_waits_for_finalizers_of_its_objects(cluster, definition):
    cluster.api.http("POST", CRON_TABS, None, {"metadata": {"name": "a", "finalizers": ["example.com/hold"]}, "spec": {"cronSpec": "*"}})
    cluster.api.http("DELETE", f"{DEFINITIONS}/{NAME}")
    run(cluster, 60)
    waiting = get(cluster, "customresourcedefinitions.apiextensions.k8s.io", NAME)
    cluster.api.http("PATCH", f"{CRON_TABS}/a", None, {"metadata": {"finalizers": None}}, "application/merge-patch+json")
    run(cluster, 1)

    assert waiting is not None and len(cluster.queue) == 0
    assert get(cluster, "customresourcedefinitions.apiextensions.k8s.io", NAME) is None


# -- policies --------------------------------------------------------------------------------------------------------------
POLICIES = "/apis/admissionregistration.k8s.io/v1"


def a_policy(cluster, expression, message="", actions=("Deny",), namespace="default"):
    rule = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["deployments"]}
    cluster.api.http("POST", f"{POLICIES}/validatingadmissionpolicies", None, {"metadata": {"name": "demo-policy"}, "spec": {
        "matchConstraints": {"resourceRules": [rule]},
        "validations": [{"expression": expression, **({"message": message} if message else {})}]}})
    selector = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}}}
    cluster.api.http("POST", f"{POLICIES}/validatingadmissionpolicybindings", None, {
        "metadata": {"name": "demo-binding"}, "spec": {"policyName": "demo-policy", "validationActions": list(actions), "matchResources": selector}})


def test_a_policy_refuses_in_its_own_words(cluster):
    a_policy(cluster, "object.spec.replicas <= 5", "at most 5 replicas")
    denied = "ValidatingAdmissionPolicy 'demo-policy' with binding 'demo-binding' denied request: at most 5 replicas"
    answer = create(cluster, a_deployment(replicas=9))

    assert (answer.code, answer.reason, answer.body["message"]) == (422, "Invalid", f'deployments.apps "web" is forbidden: {denied}')
    assert answer.body["details"] == {"name": "web", "group": "apps", "kind": "deployments", "causes": [{"message": denied}]}
    assert create(cluster, a_deployment(replicas=5)).code == 201 and create(cluster, a_pod()).code == 201


def test_a_policy_can_warn_only(cluster):
    a_policy(cluster, "object.spec.replicas <= 5", actions=["Warn"])
    answer = create(cluster, a_deployment(replicas=9))

    assert answer.code == 201
    assert answer.warnings == ("Validation failed for ValidatingAdmissionPolicy 'demo-policy' with binding 'demo-binding': "
                               "failed expression: object.spec.replicas <= 5",)


def test_a_policy_is_bound_to_some_namespaces(cluster):
    a_policy(cluster, "false", namespace="elsewhere")

    assert create(cluster, a_deployment()).code == 201


def test_an_expression_without_a_value_fails(cluster):
    a_policy(cluster, "object.spec.nope == 1")

    assert create(cluster, a_deployment()).body["message"].endswith("denied request: expression 'object.spec.nope == 1' resulted in error: no such key: nope")
