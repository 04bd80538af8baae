"""kubectl get, describe, events and explain: what is asked for and what is printed."""
import json
import re

import pytest

from .builders import kubectl, run

FILES = {"web.yaml": """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: nginx}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
"""}


def running(cluster):
    kubectl(cluster, "kubectl apply -f web.yaml", FILES, seconds=20)


def get(cluster, rest, files=None):
    return kubectl(cluster, f"kubectl get {rest}", files)


def last_request(cluster):
    return [step.request for step in cluster.log.steps if step.source == "kubectl" and step.request][-1]


def test_all_asks_for_every_kind_of_the_category_and_prints_what_there_is(cluster):
    running(cluster)
    told = get(cluster, "all")["stdout"]
    assert [block.split()[0] for block in told.split("\n\n")] == ["NAME"] * 4
    assert "service/kubernetes" in told
    assert "deployment.apps/web   2/2     2            2" in told
    asked = [step.reason for step in cluster.log.steps if step.source == "kubectl" and step.reason.startswith("List")]
    assert asked == ["ListPod", "ListReplicationController", "ListService", "ListDaemonSet", "ListDeployment", "ListReplicaSet", "ListStatefulSet",
                     "ListHorizontalPodAutoscaler", "ListCronJob", "ListJob"]


def test_kinds_can_be_named_in_every_way(cluster):
    running(cluster)
    for name in ("deployments", "deployment", "deploy", "Deployment", "deployments.apps", "deployments.v1.apps", "deploy.apps"):
        assert get(cluster, f"{name} web -o name")["stdout"] == "deployment.apps/web\n"


def test_one_object_is_printed_alone_and_several_as_a_list(cluster):
    running(cluster)
    assert json.loads(get(cluster, "deploy web -o json")["stdout"])["kind"] == "Deployment"
    several = json.loads(get(cluster, "deploy/web svc/web -o json")["stdout"])
    assert [item["kind"] for item in several["items"]] == ["Deployment", "Service"]
    assert json.loads(get(cluster, "pods -l app=none -o json")["stdout"])["items"] == []


def test_paths_columns_and_templates_print_parts_of_objects(cluster):
    running(cluster)
    assert get(cluster, "deploy web -o jsonpath='{.spec.template.spec.containers[*].image}'")["stdout"] == "nginx"
    assert get(cluster, "deploy -o custom-columns=N:.metadata.name,R:.spec.replicas")["stdout"] == "N     R\nweb   2\n"
    assert get(cluster, "svc web -o go-template='{{.spec.clusterIP}}'")["stdout"].startswith("10.96.")


EXPECTED = "Expected format is one line of space separated headers, one line of space separated column specs."


@pytest.mark.parametrize(("text", "printed"), [
    ("NAME   READY  \n metadata.name  .status.readyReplicas \nmore\n", "NAME   READY\nweb    2\n"),
    ("", f"error: invalid template, missing header line. {EXPECTED}\n"), ("NAME\n", f"error: invalid template, missing spec line. {EXPECTED}\n"),
    ("NAME READY\n.metadata.name\n", "error: number of headers (2) and field specifications (1) don't match\n")])
def test_columns_may_stand_in_a_file(cluster, text, printed):
    running(cluster)
    assert get(cluster, "deploy -o custom-columns-file=columns.txt --no-headers", {"columns.txt": text})["output"] == printed


def test_a_file_of_columns_has_to_be_named_and_there(cluster):
    assert get(cluster, "pods -o custom-columns-file=a")["stderr"] == "error: error reading template a, open a: no such file or directory\n"
    assert get(cluster, "pods -o custom-columns-file=")["stderr"] == "error: custom-columns format specified but no custom columns given\n"


def test_selectors_become_parameters_of_the_list(cluster):
    get(cluster, "pods -l app=web --field-selector=status.phase=Running")
    assert last_request(cluster) == "GET /api/v1/namespaces/default/pods?fieldSelector=status.phase%3DRunning&labelSelector=app%3Dweb&limit=500"
    get(cluster, "pods -A")
    assert last_request(cluster) == "GET /api/v1/pods?limit=500"


def test_objects_are_sorted_by_a_field(cluster):
    for name, size in (("a", "10"), ("b", "9"), ("c", "100")):
        kubectl(cluster, f"kubectl create configmap {name} --from-literal=size={size}")
    assert get(cluster, "configmaps --sort-by=.data.size -o name --field-selector=metadata.name!=kube-root-ca.crt")["stdout"].split() == [
        "configmap/b", "configmap/a", "configmap/c"]


def test_nothing_found_is_said_on_standard_error_and_is_no_error(cluster):
    told = get(cluster, "pods")
    assert (told["stdout"], told["stderr"], told["exit"]) == ("", "No resources found in default namespace.\n", 0)
    assert get(cluster, "pods -A -l app=none")["stderr"] == "No resources found\n"
    assert get(cluster, "pod web --ignore-not-found")["exit"] == 0


def test_what_is_missing_does_not_hide_what_is_there(cluster):
    running(cluster)
    told = get(cluster, "deploy web nope -o name")
    assert told["stdout"] == "deployment.apps/web\n"
    assert told["stderr"] == 'Error from server (NotFound): deployments.apps "nope" not found\n'


def test_a_pod_in_a_namespace_that_does_not_exist_is_told_as_a_missing_namespace(cluster):
    assert get(cluster, "pod web -n nope")["stderr"] == 'Error from server (NotFound): namespaces "nope" not found\n'


def test_who_may_not_is_told_so(cluster):
    told = get(cluster, "pods --as=bob")
    assert told["stderr"] == ('Error from server (Forbidden): pods is forbidden: '
                              'User "bob" cannot list resource "pods" in API group "" in the namespace "default"\n')
    assert (told["exit"], kubectl(cluster, "kubectl auth can-i list pods --as=bob")["stdout"]) == (1, "no\n")


def test_a_watch_prints_the_list_and_then_every_change_in_the_same_columns(cluster):
    kubectl(cluster, "kubectl run web --image=nginx", seconds=20)
    watch = cluster.kubectl("kubectl get pods -w")
    run(cluster, 1)
    kubectl(cluster, "kubectl delete pod web", seconds=10)
    lines = cluster.console.command(watch)["stdout"].splitlines()
    assert lines[0] == "NAME   READY   STATUS    RESTARTS   AGE"
    assert [line.split()[2] for line in lines[1:]][:2] == ["Running", "Terminating"]
    opened = [step.request for step in cluster.log.steps if step.reason == "WatchPod" and "fieldSelector" not in step.request]
    assert len(opened) == 1
    assert opened[0].startswith("GET /api/v1/namespaces/default/pods?resourceVersion=")


def test_only_changes_that_are_printed_are_told_as_delivered(cluster):
    kubectl(cluster, "kubectl run web --image=nginx", seconds=20)
    wait = cluster.kubectl("kubectl wait --for=condition=Never pod/web --timeout=60s")
    run(cluster, 1)
    before = len(cluster.log.steps)
    kubectl(cluster, "kubectl label pod web a=b")
    assert cluster.console.running() == [wait]
    assert not [step for step in cluster.log.steps[before:] if step.target == "kubectl" and step.reason.startswith("Watch")]


def test_describe_asks_for_what_is_related(cluster):
    running(cluster)
    told = kubectl(cluster, "kubectl describe deploy web")["stdout"]
    assert "Replicas:               2 desired | 2 updated | 2 total | 2 available | 0 unavailable" in told
    assert "ScalingReplicaSet" in told
    asked = [step.reason for step in cluster.log.steps if step.source == "kubectl"][-5:]
    assert asked == ["GetDeployment", "GetDeployment", "ListEvent", "ListReplicaSet", "PrintOutput"]


def test_describe_takes_the_beginning_of_a_name(cluster):
    running(cluster)
    told = kubectl(cluster, "kubectl describe pods web-")["stdout"]
    assert len(re.findall(r"^Name: ", told, re.MULTILINE)) == 2
    assert told.count("\n\nName:") == 1 and told.endswith("\n\n")           # an empty line after each, and no Events
    assert "Events:" not in told


def test_events_are_listed_with_the_oldest_first(cluster):
    running(cluster)
    lines = kubectl(cluster, "kubectl events --for deployment/web")["stdout"].splitlines()
    assert lines[0].split("  ")[0] == "LAST SEEN"
    assert "ScalingReplicaSet   Deployment/web" in lines[1]
    assert kubectl(cluster, "kubectl events --types=Warning")["stderr"] == "No events found in default namespace.\n"


def test_explain_documents_a_field(cluster):
    told = kubectl(cluster, "kubectl explain deployment.spec.replicas")["stdout"]
    assert told.startswith("GROUP:      apps\nKIND:       Deployment\nVERSION:    v1\n\nFIELD: replicas <integer>\n")
    wrong = kubectl(cluster, "kubectl explain pod.spec.nope")
    assert (wrong["stdout"], wrong["stderr"]) == ("KIND:       Pod\nVERSION:    v1\n\n", 'error: field "nope" does not exist\n')


def test_a_path_can_be_asked_for_as_it_is(cluster):
    assert json.loads(get(cluster, "--raw /version")["stdout"])["minor"] == "36"
    assert get(cluster, "--raw /healthz")["stdout"] == "ok"
