"""kubectl top and metrics.k8s.io: what runs uses something, and a metrics-server tells it once one is installed."""
from functools import cache

from lifecycle import examples
from lifecycle.simulation.objects import condition

from .builders import a_cluster, a_pod, create, kubectl, run
from .stories import play

METRICS_SERVER = examples.text("metrics-server")
WEB = """
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - {name: busy, image: "demo:ok", env: [{name: CPU_MILLICORES, value: "250"}], resources: {limits: {cpu: 200m}}}
  - {name: proxy, image: nginx}
"""
COMMANDS = ("kubectl top pods", "kubectl top pods --containers", "kubectl top pods -A --sum --sort-by=memory", "kubectl top pod web", "kubectl top pod nothing",
            "kubectl top nodes", "kubectl top pods -l app=other", "kubectl api-resources --api-group=metrics.k8s.io", "kubectl top pods --sort-by=name")


@cache
def story():
    later = "".join(f"@{60 + number}s {command}\n" for number, command in enumerate(COMMANDS))
    return play(f"""
        @0s kubectl top nodes
        @1s kubectl apply -f metrics.yaml
        @5s kubectl create -f web.yaml
        @10s kubectl top pod
        {later}
        @90s end
    """, {"metrics.yaml": METRICS_SERVER, "web.yaml": WEB}, nodes=1)


def test_without_a_metrics_server_there_are_no_metrics():
    assert story().printed("kubectl top nodes") == "error: Metrics API not available\n"
    assert story().exit("kubectl top nodes") == 1


def test_the_api_service_becomes_available_when_the_server_behind_it_answers():
    states = story().states("apiservices.apiregistration.k8s.io", "v1beta1.metrics.k8s.io")
    told = [condition(state.object, "Available") for state in states]
    assert [one and one["status"] for one in told][-2:] == ["False", "True"]
    assert (told[-1]["reason"], told[-1]["message"]) == ("Passed", "all checks passed")
    kinds = [line.split()[-1] for line in story().printed("kubectl api-resources --api-group=metrics.k8s.io").splitlines()[1:]]
    assert kinds == ["NodeMetrics", "PodMetrics"]


def test_a_pod_that_just_started_has_no_metrics_yet():
    assert story().printed("kubectl top pod") == "error: metrics not available yet\n"


def test_a_pod_uses_what_its_programs_use_and_no_more_cpu_than_its_limit():
    assert story().printed("kubectl top pods") == "NAME   CPU(cores)   MEMORY(bytes)   \nweb    201m         20Mi            \n"
    assert story().printed("kubectl top pod web") == story().printed("kubectl top pods")
    assert story().printed("kubectl top pods --containers").splitlines()[1:] == [
        "web   busy    200m         8Mi             ", "web   proxy   1m           12Mi            "]


def test_the_sum_of_all_namespaces_with_the_greatest_first():
    head, first, second, line, total = story().printed("kubectl top pods -A --sum --sort-by=memory").splitlines()
    assert head.split() == ["NAMESPACE", "NAME", "CPU(cores)", "MEMORY(bytes)"]
    assert [row.split()[0] for row in (first, second)] == ["kube-system", "default"]
    assert line.split() == ["________", "________"]
    assert total.split() == ["202m", "50Mi"]


def test_a_nodes_use_is_a_share_of_what_pods_may_use():
    assert story().printed("kubectl top nodes", 2).splitlines()[1].split() == ["n1", "202m", "10%", "50Mi", "1%"]


def test_what_is_not_there_is_said():
    assert "not found" in story().printed("kubectl top pod nothing")
    assert story().printed("kubectl top pods -l app=other") == "No resources found in default namespace.\n"
    assert story().printed("kubectl top pods --sort-by=name") == "error: --sort-by accepts only cpu or memory\n"


def test_metrics_go_with_the_server_that_tells_them():
    cluster = a_cluster(nodes=1)
    kubectl(cluster, "kubectl apply -f m.yaml", {"m.yaml": METRICS_SERVER}, seconds=30)
    create(cluster, a_pod("web"))
    run(cluster, 40)
    assert kubectl(cluster, "kubectl top pod")["exit"] == 0
    kubectl(cluster, "kubectl scale deployment metrics-server -n kube-system --replicas=0", seconds=10)
    assert kubectl(cluster, "kubectl top pod")["output"] == "error: Metrics API not available\n"
