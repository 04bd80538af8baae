"""kubectl create, apply, replace and diff: several documents, refusals, what changed and what did not."""
import json

from .builders import get, kubectl, said

SETTINGS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: "1", b: "2"}
"""
WEB = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: nginx}, {name: log, image: busybox}]}
"""
MIXED = """
apiVersion: v1
kind: ConfigMap
metadata: {name: first}
---
apiVersion: example.com/v1
kind: Bogus
metadata: {name: strange}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: Bad_Name}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: last}
"""
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def apply(cluster, text, flags=""):
    return kubectl(cluster, f"kubectl apply -f file.yaml {flags}", {"file.yaml": text})


def requests(cluster):
    return [step.reason for step in cluster.log.steps if step.source == "kubectl" and step.target == "apiserver"]


def test_apply_creates_then_leaves_alone_then_changes(cluster):
    assert apply(cluster, SETTINGS)["stdout"] == "configmap/settings created\n"
    assert apply(cluster, SETTINGS)["stdout"] == "configmap/settings unchanged\n"
    assert apply(cluster, SETTINGS.replace('"1"', '"9"'))["stdout"] == "configmap/settings configured\n"
    assert requests(cluster) == ["GetOpenAPI", "GetConfigMap", "CreateConfigMap", "GetOpenAPI", "GetConfigMap", "GetOpenAPI", "GetConfigMap", "PatchConfigMap"]


def test_apply_remembers_what_it_applied_in_an_annotation(cluster):
    apply(cluster, SETTINGS)
    text = get(cluster, "configmaps", "settings")["metadata"]["annotations"][LAST_APPLIED]
    assert text.endswith("\n")
    assert json.loads(text) == {"apiVersion": "v1", "data": {"a": "1", "b": "2"}, "kind": "ConfigMap", "metadata": {"annotations": {}, "name": "settings",
                                                                                                                    "namespace": "default"}}


def test_what_leaves_the_file_leaves_the_object_but_what_others_set_stays(cluster):
    apply(cluster, SETTINGS)
    kubectl(cluster, """kubectl patch configmap settings -p '{"data": {"mine": "3"}}'""")
    apply(cluster, SETTINGS.replace(', b: "2"', ""))
    assert get(cluster, "configmaps", "settings")["data"] == {"a": "1", "mine": "3"}


def test_a_replica_count_that_is_not_in_the_file_is_not_reset(cluster):
    bare = WEB.replace("  replicas: 2\n", "")
    apply(cluster, bare)
    kubectl(cluster, "kubectl scale deployment web --replicas=5")
    assert apply(cluster, bare.replace("nginx", "nginx:2"))["stdout"] == "deployment.apps/web configured\n"
    assert get(cluster, "deployments.apps", "web")["spec"]["replicas"] == 5


def test_a_container_that_leaves_the_file_is_removed(cluster):
    apply(cluster, WEB)
    apply(cluster, WEB.replace(", {name: log, image: busybox}", ""))
    assert [container["name"] for container in get(cluster, "deployments.apps", "web")["spec"]["template"]["spec"]["containers"]] == ["app"]


def test_apply_warns_about_an_object_that_was_made_otherwise(cluster):
    kubectl(cluster, "kubectl create -f file.yaml", {"file.yaml": SETTINGS})
    told = apply(cluster, SETTINGS)
    assert told["stdout"] == "configmap/settings configured\n"
    assert told["stderr"].startswith(f"Warning: resource configmaps/settings is missing the {LAST_APPLIED} annotation")


def test_one_bad_document_does_not_stop_the_others_and_unknown_kinds_are_told_last(cluster):
    told = apply(cluster, MIXED)
    assert told["stdout"] == "configmap/first created\nconfigmap/last created\n"
    bad, *unknown = told["stderr"].splitlines()
    assert bad.startswith('Error from server (Invalid): error when creating "file.yaml": ConfigMap "Bad_Name" is invalid: metadata.name: ')
    assert unknown == ['resource mapping not found for name: "strange" namespace: "" from "file.yaml": no matches for kind "Bogus" in version "example.com/v1"',
                       "ensure CRDs are installed first"]
    assert told["exit"] == 1


def test_a_document_without_kind_ends_the_reading(cluster):
    told = apply(cluster, SETTINGS + "---\napiVersion: v1\nmetadata: {name: b}\n---" + SETTINGS.replace("settings", "more"))
    assert told["stdout"] == "configmap/settings created\n"
    assert told["stderr"] == ('error: error validating "file.yaml": error validating data: kind not set; '
                              "if you choose to ignore these errors, turn validation off with --validate=false\n")


def test_an_invalid_object_is_told_with_all_its_problems(cluster):
    told = apply(cluster, WEB.replace("matchLabels: {app: web}", "matchLabels: {app: other}").replace("replicas: 2", "replicas: -1"))
    assert told["stderr"].splitlines() == [
        'The Deployment "web" is invalid: ', "* spec.replicas: Invalid value: -1: must be greater than or equal to 0",
        '* spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`']


def test_a_namespace_in_the_file_must_be_the_one_on_the_line(cluster):
    told = kubectl(cluster, "kubectl apply -n default -f file.yaml", {"file.yaml": SETTINGS.replace("name: settings", "name: settings, namespace: shop")})
    assert told["stderr"] == ('error: the namespace from the provided object "shop" does not match the namespace "default". '
                              "You must pass '--namespace=shop' to perform this operation.\n")


def test_a_stale_version_in_the_file_is_tried_six_times(cluster):
    apply(cluster, SETTINGS)
    told = kubectl(cluster, "kubectl apply -f file.yaml", {"file.yaml": SETTINGS.replace("name: settings", 'name: settings, resourceVersion: "1"')}, seconds=10)
    assert told["stderr"].startswith("Error from server (Conflict): error when applying patch:\n{")
    assert told["stderr"].endswith('to:\nResource: "/v1, Resource=configmaps", GroupVersionKind: "/v1, Kind=ConfigMap"\n'
                                   'Name: "settings", Namespace: "default"\n'
                                   'for: "file.yaml": error when patching "file.yaml": Operation cannot be fulfilled on configmaps "settings": '
                                   "the object has been modified; please apply your changes to the latest version and try again\n")
    assert len(said(cluster, "PatchConfigMap")) == 6
    assert 4_000 < told["ended"] - told["started"] < 5_000


def test_a_dry_run_stores_nothing(cluster):
    assert apply(cluster, SETTINGS, "--dry-run=server")["stdout"] == "configmap/settings created (server dry run)\n"
    assert apply(cluster, SETTINGS, "--dry-run=client")["stdout"] == "configmap/settings created (dry run)\n"
    assert get(cluster, "configmaps", "settings") is None


def test_server_side_apply_tells_whose_field_it_would_take(cluster):
    assert apply(cluster, SETTINGS, "--server-side")["stdout"] == "configmap/settings serverside-applied\n"
    told = apply(cluster, SETTINGS.replace('"1"', '"5"'), "--server-side --field-manager=other")
    assert told["stderr"].splitlines()[0] == 'error: Apply failed with 1 conflict: conflict with "kubectl": .data.a'
    assert told["stderr"].endswith("See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts\n")
    assert apply(cluster, SETTINGS.replace('"1"', '"5"'), "--server-side --field-manager=other --force-conflicts")["exit"] == 0
    assert get(cluster, "configmaps", "settings")["data"]["a"] == "5"


def test_replace_needs_the_object_and_by_force_makes_it_anew(cluster):
    missing = kubectl(cluster, "kubectl replace -f file.yaml", {"file.yaml": SETTINGS})
    assert missing["stderr"] == 'Error from server (NotFound): error when replacing "file.yaml": configmaps "settings" not found\n'
    apply(cluster, SETTINGS)
    uid = get(cluster, "configmaps", "settings")["metadata"]["uid"]
    told = kubectl(cluster, "kubectl replace --force -f file.yaml", {"file.yaml": SETTINGS})
    assert told["stdout"] == 'configmap "settings" deleted from default namespace\nconfigmap/settings replaced\n'
    assert get(cluster, "configmaps", "settings")["metadata"]["uid"] != uid


def test_diff_shows_what_apply_would_change(cluster):
    apply(cluster, SETTINGS)
    told = kubectl(cluster, "kubectl diff -f file.yaml", {"file.yaml": SETTINGS.replace('"1"', '"7"')})
    assert told["exit"] == 1
    assert [line for line in told["stdout"].splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")] == ['-  a: "1"', '+  a: "7"']
    assert kubectl(cluster, "kubectl diff -f file.yaml", {"file.yaml": SETTINGS})["exit"] == 0
