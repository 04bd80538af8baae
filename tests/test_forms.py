"""Every mistake in a form is said beside its field, in words, and a manifest's with its line."""
import pytest

from lifecycle import examples
from lifecycle.checking import problems
from lifecycle.forms import CommandForm, CreateForm, DeleteForm, NewClusterForm, PaceForm

from .builders import a_cluster, a_deployment, create

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: nginx
        image: nginx:1.27
"""


@pytest.fixture(scope="module")
def api():
    return a_cluster().api


def lines(text, api=None):
    return [problem.line for problem in problems(text, api)]


# -- manifests -------------------------------------------------------------------------------------------------------------
def test_a_good_manifest_has_no_problems(api):
    assert problems(DEPLOYMENT, api) == []


@pytest.mark.parametrize("name", examples.NAMES)
def test_every_example_is_accepted(name, api):
    assert problems(examples.text(name), api) == []


def test_yaml_that_cannot_be_read_is_marked_at_its_line():
    assert lines(DEPLOYMENT.replace("  replicas: 3", "  replicas: 3\n bad: [")) == [6]             # as kubectl's parser counts


def test_an_unknown_field_is_marked_at_its_line(api):
    (problem,) = problems(DEPLOYMENT.replace("replicas:", "replica:"), api)
    assert problem == (6, "unknown field “spec.replica”")


def test_a_value_of_the_wrong_type_is_marked_at_its_line(api):
    assert lines(DEPLOYMENT.replace("replicas: 3", "replicas: many"), api) == [6]


def test_what_the_api_server_finds_invalid_is_marked_at_its_lines(api):
    broken = DEPLOYMENT.replace("name: web", "name: Web_", 1).replace("        image: nginx:1.27\n", "")
    assert lines(broken, api) == [4, 15]


def test_lines_count_on_through_several_documents(api):
    text = "# two\n---\n" + DEPLOYMENT + "---\n" + DEPLOYMENT.replace("replicas:", "replica:").replace("name: web", "name: other", 1)
    assert lines(text, api) == [2 + 16 + 1 + 6]


@pytest.mark.parametrize("text, line", [("", 1), ("- a\n- b", 1), ("kind: Pod", 1), ("# c\napiVersion: v1", 2), ("apiVersion: v1\nkind: Teapot", 2)])
def test_what_is_no_object_is_said(text, line, api):
    assert lines(text, api)[:1] == [line]


def test_trying_a_manifest_stores_nothing():
    cluster = a_cluster()
    before = cluster.etcd.revision
    assert problems(DEPLOYMENT, cluster.api) == [] and cluster.etcd.revision == before


# -- forms -----------------------------------------------------------------------------------------------------------------
def test_a_cluster_has_one_to_ten_nodes():
    assert "nodes" in NewClusterForm({"name": "x", "nodes": "11"}).errors and "nodes" in NewClusterForm({"name": "x", "nodes": "0"}).errors
    form = NewClusterForm({"name": "  ", "nodes": "3"})
    assert form.is_valid() and form.cleaned_data["name"] == "Cluster"


def test_the_create_form_asks_for_yaml():
    assert "manifest" in CreateForm({"manifest": "", "verb": "apply"}).errors
    form = CreateForm({"manifest": "a: 1\r\nb: 2", "verb": "create"})
    assert form.is_valid() and (form.command(), form.texts()) == ("kubectl create -f manifest.yaml", {"manifest.yaml": "a: 1\nb: 2"})


def deletion(**fields):
    cluster = a_cluster()
    create(cluster, a_deployment("web"))
    defaults = {"target": "/registry/deployments/default/web", "cascade": "background", "wait": "on"}
    return DeleteForm(dict(cluster.etcd.objects()), {**defaults, **fields})


@pytest.mark.parametrize("fields, command", [
    ({}, "kubectl delete deployment web"),
    ({"cascade": "foreground"}, "kubectl delete deployment web --cascade=foreground"),
    ({"cascade": "orphan", "wait": ""}, "kubectl delete deployment web --cascade=orphan --wait=false"),
    ({"grace": "5"}, "kubectl delete deployment web --grace-period=5"),
    ({"now": "on"}, "kubectl delete deployment web --now"),
    ({"grace": "0", "force": "on"}, "kubectl delete deployment web --grace-period=0 --force"),
    ({"target": "/registry/minions/n1"}, "kubectl delete node n1"),
])
def test_a_deletion_becomes_the_command_that_does_it(fields, command):
    form = deletion(**fields)
    assert form.is_valid() and form.command() == command


@pytest.mark.parametrize("fields, field", [({"grace": "-1"}, "grace"), ({"grace": "3", "now": "on"}, "grace"), ({"grace": "3", "force": "on"}, "grace"),
                                           ({"target": "/registry/pods/default/gone"}, "target"), ({"cascade": "sideways"}, "cascade")])
def test_what_does_not_go_together_is_said_beside_its_field(fields, field):
    assert list(deletion(**fields).errors) == [field]


@pytest.mark.parametrize("line, command", [("kubectl get pods", "kubectl get pods"), (" k get pods ", "kubectl get pods"), ("kubectl", "kubectl")])
def test_the_console_takes_kubectl(line, command):
    form = CommandForm({"line": line})
    assert form.is_valid() and form.cleaned_data["line"] == command


@pytest.mark.parametrize("line", ["", "rm -rf /", "kubectlx get pods"])
def test_and_nothing_else(line):
    assert "line" in CommandForm({"line": line}).errors


def test_a_pace_is_one_of_the_list():
    form = PaceForm({"choice": "real:10"})
    assert form.is_valid() and form.pace() == ("real", 10.0)
    paused = PaceForm({"choice": "paused"})
    assert paused.is_valid() and paused.pace() == ("paused", None)
    assert not PaceForm({"choice": "real:9999"}).is_valid()
