"""Open case O37: names that are refused, names that are only warned of, and names that are made of others."""
import re

import pytest

from .stories import play

CREATE = "kubectl create -f f.yaml"
SUBDOMAIN = ("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
             "alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')")
LABEL = ("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character "
         "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')")
HOSTNAME = "Warning: metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [{}]\n"
SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}"


def pod(name, container="c"):
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: "{name}"}}
spec:
  containers: [{{name: "{container}", image: "demo:ok"}}]
"""


def workload(kind, name, more=""):
    return f"""
apiVersion: apps/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
  replicas: 1
  {more}
  selector: {{matchLabels: {{app: x}}}}
  template:
    metadata: {{labels: {{app: x}}}}
    spec:
      containers: [{{name: c, image: "demo:ok"}}]
"""


def job(name):
    return f"""
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: c, image: "demo:ok"}}]
"""


def created(text, seconds=5):
    return play(f"@0s {CREATE}\n@{seconds}s end", {"f.yaml": text})


@pytest.mark.parametrize(("name", "why"), [
    *[(name, SUBDOMAIN) for name in ("My_App", "a..b", "-a", "a-", "a.-b")], ("a" * 254, "must be no more than 253 characters")])
def test_o37_a_pod_name_that_is_no_subdomain_is_refused(name, why):
    story = created(pod(name))
    assert story.printed(CREATE) == f'The Pod "{name}" is invalid: metadata.name: Invalid value: "{name}": {why}\n'
    assert story.exit(CREATE) == 1
    assert story.end().list("pods") == []


@pytest.mark.parametrize(("name", "why"), [("C1", LABEL), ("c.1", "must not contain dots"), ("c" * 64, "must be no more than 63 characters")])
def test_o37_a_container_name_must_be_a_label(name, why):
    story = created(pod("web", name))
    assert story.printed(CREATE) == f'The Pod "web" is invalid: spec.containers[0].name: Invalid value: "{name}": {why}\n'
    assert story.exit(CREATE) == 1


def test_o37_a_container_name_may_have_63_characters():
    assert created(pod("web", "c" * 63)).printed(CREATE) == "pod/web created\n"


def test_o37_kubectl_run_gives_two_causes():
    run = "kubectl run My_App --image=demo:ok"
    story = play(f"@0s {run}\n@5s end")
    assert story.printed(run) == (f'The Pod "My_App" is invalid: \n* metadata.name: Invalid value: "My_App": {SUBDOMAIN}\n'
                                  f'* spec.containers[0].name: Invalid value: "My_App": {LABEL}\n')


@pytest.mark.parametrize(("name", "why"), [("my.app", "must not contain dots"), ("a" * 253, "must be no more than 63 characters")])
def test_o37_a_pod_name_that_is_no_label_is_accepted_with_a_warning(name, why):
    story = created(pod(name))
    assert story.printed(CREATE) == f"pod/{name} created\n" + HOSTNAME.format(why)
    assert story.exit(CREATE) == 0
    assert story.end().get("pods", name)["status"]["phase"] == "Running"


@pytest.mark.parametrize("length", [60, 63, 250])
def test_o37_names_made_of_a_long_deployment_name_are_cut_to_58_characters(length):
    name = "d" * length
    story = created(workload("Deployment", name))
    [replica_set], [pod_name] = story.end().names("replicasets.apps"), story.end().names("pods")
    hash_value = replica_set.rpartition("-")[2]
    assert replica_set == f"{name[:253 - len(hash_value) - 1]}-{hash_value}"
    assert re.fullmatch("d" * 58 + SUFFIX, pod_name)
    assert story.end().get("deployments.apps", name)["status"]["readyReplicas"] == 1


def test_o37_a_short_name_keeps_its_hash():
    story = created(workload("Deployment", "web"))
    [replica_set], [pod_name] = story.end().names("replicasets.apps", "web"), story.end().names("pods", "web")
    assert re.fullmatch(re.escape(replica_set) + "-" + SUFFIX, pod_name)


def test_o37_a_prefix_that_leads_to_no_name_is_refused_with_two_causes():
    story = play("@0s end")
    body = {"metadata": {"generateName": "a.b.--1-"}, "spec": {"containers": [{"name": "c", "image": "demo:ok"}]}}
    answer = story.cluster.api.http("POST", "/api/v1/namespaces/default/pods", {}, body)
    name = answer.body["details"]["name"]
    assert (answer.code, answer.body["reason"]) == (422, "Invalid")
    assert re.fullmatch(r"a\.b\.--1-" + SUFFIX, name)
    assert [(cause["field"], cause["message"]) for cause in answer.body["details"]["causes"]] == [
        ("metadata.generateName", f'Invalid value: "a.b.--1-": {SUBDOMAIN}'), ("metadata.name", f'Invalid value: "{name}": {SUBDOMAIN}')]


def test_o37_a_stateful_set_of_60_characters_is_created_but_its_pods_are_refused():
    name = "s" * 60
    story = created(workload("StatefulSet", name, "serviceName: x"), 30)
    assert story.printed(CREATE) == f"statefulset.apps/{name} created\n"
    [event] = story.events(name, "FailedCreate")
    hash_value = re.search(name + "-([0-9a-z]+)\": must be no more", event.message)[1]
    assert event.type == "Warning"
    assert event.message == (f'Create Pod {name}-0 in StatefulSet {name} failed error: Pod "{name}-0" is invalid: metadata.labels: '
                             f'Invalid value: "{name}-{hash_value}": must be no more than 63 bytes')
    assert event.count > 5
    story.go_on("@31s kubectl get sts --no-headers\n@32s end")
    assert story.printed("kubectl get sts --no-headers").split()[:2] == [name, "0/1"]


@pytest.mark.parametrize(("text", "message"), [
    (workload("StatefulSet", "t" * 64, "serviceName: x"),
     f'The StatefulSet "{"t" * 64}" is invalid: metadata.name: Invalid value: "{"t" * 64}": must be no more than 63 characters\n'),
    (job("j" * 64), f'The Job "{"j" * 64}" is invalid: spec.template.labels: Invalid value: "{"j" * 64}": must be no more than 63 bytes\n'),
])
def test_o37_names_that_become_labels_are_refused_at_once(text, message):
    story = created(text)
    assert story.printed(CREATE) == message
    assert story.exit(CREATE) == 1


def test_o37_a_job_of_63_characters_is_accepted():
    assert created(job("j" * 63)).printed(CREATE) == f"job.batch/{'j' * 63} created\n"
