"""The real kubectl reads: every form of get, watches, describe, events, and what the server says about itself."""
import json
import re
import urllib.request
from itertools import count
from select import select

import pytest
import yaml

from ..builders import a_deployment, a_service
from ..kubectl import Learner
from ..processes import ROOT, wait_until
from .conftest import PACE, running


def text(*manifests):
    return yaml.safe_dump_all(manifests)


@pytest.fixture(scope="module")
def web(server, tmp_path_factory):
    """kubectl, and a cluster with a Deployment `web` of three ready Pods and its Service, which no test changes."""
    kubectl = Learner(server).cluster(tmp_path_factory.mktemp("web"), pace=PACE)
    kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.27"), a_service()))
    kubectl("rollout status deployment/web --timeout=50s")
    kubectl.learner.post(f"{kubectl.place}pace/", choice="paused")          # Events last for an hour
    return kubectl


PODS = ["get", "pods", "-l", "app=web", "-o"]
FORMS = (
    ("name", r"(pod/web-\w+-\w+\n){3}"),
    ("jsonpath={.items[*].status.phase}", r"Running Running Running"),
    ("jsonpath-as-json={.items[0].status.phase}", r'\[\n    "Running"\n\]\n'),
    ("go-template={{range .items}}{{.spec.nodeName}};{{end}}", r"(n\d;){3}"),
    ("custom-columns=A:.metadata.name,B:.spec.nodeName", r"A +B\n(web-\S+ +n\d\n){3}"),
    ("wide", r"NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n"
             r"(web-\S+ +1/1 +Running +0 +\S+ +10\.\S+ +n\d +<none> +<none>\n){3}"),
    ("kyaml", r"---\n\{\n  apiVersion: \"v1\",\n(?s:.*)"),
)


@pytest.mark.parametrize("form, pattern", FORMS, ids=[form.partition("=")[0] for form, _ in FORMS])
def test_get_in_every_form(web, form, pattern):
    assert re.fullmatch(pattern, web(*PODS, form))


def test_get_as_json_and_as_yaml_is_the_same(web):
    as_json, as_yaml = json.loads(web(*PODS, "json")), yaml.safe_load(web(*PODS, "yaml"))
    assert as_json == as_yaml and as_json["kind"] == "List" and len(as_json["items"]) == 3
    assert "managedFields" not in as_json["items"][0]["metadata"]
    assert web.json("get deployment web --show-managed-fields")["metadata"]["managedFields"]


def test_get_everything_and_several_kinds(web):
    assert [line.split()[0].partition("/")[0] for line in web("get all --no-headers").splitlines()] == [
        "pod", "pod", "pod", "service", "service", "deployment.apps", "replicaset.apps"]
    assert web("get deploy,svc -o name") == "deployment.apps/web\nservice/kubernetes\nservice/web\n"
    assert web("get pods --sort-by=.metadata.name -o name").split() == sorted(web("get pods -o name").split())
    assert "kube-system" in web("get configmaps -A") and "TIER" in web("get pods -L tier") and "app=web" in web("get pods --show-labels")
    assert web("get pods --chunk-size=1 --no-headers").count("\n") == 3


def test_get_says_what_is_not_there(web):
    assert web.fails("get pod nope") == 'Error from server (NotFound): pods "nope" not found\n'
    assert web.fails("get nopes") == 'error: the server doesn\'t have a resource type "nopes"\n'
    assert web("get jobs") == "No resources found in default namespace.\n"
    assert web("get pod nope --ignore-not-found") == ""


def test_get_raw(web):
    assert json.loads(web("get --raw /version"))["gitVersion"].startswith("v1.36.")
    assert web("get --raw /readyz") == "ok"
    assert json.loads(web("get --raw /apis/apps/v1/namespaces/default/deployments/web/scale"))["spec"] == {"replicas": 3}
    assert "the server could not find the requested resource" in web.fails("get --raw /nope")


def test_get_goes_on_watching(kubectl):
    with running(kubectl, "get configmaps -w --no-headers --output-watch-events") as watch:
        assert watch.stdout.readline().split()[:2] == ["ADDED", "kube-root-ca.crt"]
        for words in ("create configmap made", "label configmap made a=b", "delete configmap made"):
            kubectl(words)
        assert [watch.stdout.readline().split()[:2] for _ in range(3)] == [[change, "made"] for change in ("ADDED", "MODIFIED", "DELETED")]


def test_a_watch_of_one_object_tells_of_no_other(kubectl):
    kubectl("create configmap made")
    with running(kubectl, "get configmap made -w -o yaml") as watch:
        assert "a: b" not in "".join(watch.stdout.readline() for _ in range(8))
        kubectl("create configmap other")
        kubectl("label configmap made a=b")
        assert "other" not in "".join(iter(watch.stdout.readline, "    a: b\n"))


def test_a_watch_may_leave_out_what_is_there(kubectl):
    kubectl("create configmap made")
    with running(kubectl, "get configmaps --watch-only -o name") as watch:
        number = count()
        annotate = ["annotate", "configmap", "made", "--overwrite"]
        wait_until(lambda: kubectl(*annotate, f"number={next(number)}") and select([watch.stdout], [], [], 0.1)[0], "the watch")
        assert watch.stdout.readline() == "configmap/made\n"


DESCRIBED = ("deployment web", "replicasets", "pods", "service web", "endpointslices", "node n1", "namespace default", "configmap kube-root-ca.crt",
             "serviceaccount default", "clusterrole view", "clusterrolebinding cluster-admin", "lease n1 -n kube-node-lease",
             "priorityclass system-node-critical")


@pytest.mark.parametrize("what", DESCRIBED)
def test_describe(web, what):
    assert web(f"describe {what}").startswith("Name:")


def test_describe_ends_with_events(web):
    printed = web("describe " + web("get pods -o name").split()[0])
    assert printed.count("Successfully assigned default/web-") == 1 and printed.count("Container started") == 1
    assert "Events:" not in web("describe pods -l app=web")            # of one object alone


def test_events_in_all_ways(web):
    pod = web("get pods -o name").splitlines()[0]
    assert "ScalingReplicaSet" in web("events") and "ScalingReplicaSet" in web("get events")
    about = web(f"events --for {pod} --no-headers").splitlines()
    assert {line.split()[2] for line in about} >= {"Scheduled", "Pulled", "Created", "Started"} and all(pod.partition("/")[2] in line for line in about)
    assert "Normal" not in web("events --types=Warning -A")
    with running(web, "events -w -A") as watch:
        assert watch.stdout.readline().split()[:3] == ["NAMESPACE", "LAST", "SEEN"]


def test_explain(web):
    assert "KIND:       Pod" in web("explain pods") and "FIELD: image <string>" in web("explain pod.spec.containers.image")
    assert "rollingUpdate" in web("explain deployment.spec --recursive")
    assert "ENUM:\n    Recreate\n    RollingUpdate\n" in web("explain deployment.spec.strategy.type")


def test_what_the_server_serves(web):
    names = web("api-resources -o name").split()
    assert {"pods", "deployments.apps", "customresourcedefinitions.apiextensions.k8s.io"} <= set(names)
    assert {"v1", "apps/v1", "autoscaling/v2", "batch/v1"} <= set(web("api-versions").split())
    assert "Server Version: v1.36." in web("version")
    assert web.address in web("cluster-info")
    assert "current-context: lifecycle-" in web("config view")


def test_who_may_do_what(web):
    assert web("auth can-i create pods") == "yes\n"
    assert web.run("auth can-i create pods --as=bob")[:2] == (1, "no\n")
    assert "*.*" in web("auth can-i --list") and "selfsubjectreviews" in web("auth can-i --list --as=bob")
    assert "kubernetes-admin" in web("auth whoami") and "bob" in web("auth whoami --as=bob")


def test_top_after_a_metrics_server(kubectl):
    assert "Metrics API not available" in kubectl.fails("top nodes")
    kubectl("apply", "-f", str(ROOT / "lifecycle" / "examples" / "metrics-server.yaml"))
    kubectl("run web --image=nginx:1.27")
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    kubectl("wait", "apiservice/v1beta1.metrics.k8s.io", "--for=condition=Available", "--timeout=50s")
    assert re.fullmatch(r"NAME +CPU\(cores\) +CPU\(%\) +MEMORY\(bytes\) +MEMORY\(%\) *\n(n\d +\d+m +\d+% +\d+Mi +\d+% *\n){3}", kubectl("top nodes"))
    assert re.search(r"web +\d+m +\d+Mi", kubectl("top pods"))


def test_a_proxy_leads_other_programs_to_the_cluster(web):
    with running(web, "proxy --port=0") as proxy:
        port = re.search(r"127\.0\.0\.1:(\d+)", proxy.stdout.readline())[1]
        place = web.address.split("/", 3)[3]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{place}/api/v1/namespaces/default/pods", timeout=30) as answer:
            assert len(json.load(answer)["items"]) == 3
