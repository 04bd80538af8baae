"""The console itself: commands run in virtual time, between everything else, and can be put down and taken up again."""
from lifecycle.simulation.timings import API_CALL, KUBECTL_START

from .builders import a_cluster, kubectl, run, said

MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
"""


def test_a_command_is_told_from_the_first_key_to_the_last_line(cluster):
    kubectl(cluster, "kubectl create configmap settings --from-literal=a=b")
    assert [(step.source, step.target, step.reason) for step in cluster.log.steps if "kubectl" in (step.source, step.target)] == [
        ("user", "kubectl", "RunCommand"), ("kubectl", "apiserver", "CreateConfigMap"), ("apiserver", "kubectl", "Respond"), ("kubectl", "user", "PrintOutput")]
    first, request, _, last = [step for step in cluster.log.steps if "kubectl" in (step.source, step.target)]
    assert first.facts["command"] == "kubectl create configmap settings --from-literal=a=b"
    assert request.request == "POST /api/v1/namespaces/default/configmaps?fieldManager=kubectl-create&fieldValidation=Strict"
    assert last.facts == {**first.facts, "output": "configmap/settings created\n", "exit": 0}


def test_every_request_takes_its_time(cluster):
    began = cluster.clock.now
    kubectl(cluster, "kubectl create -f maps.yaml", {"maps.yaml": MANIFEST})
    schema, first, second = [step.at - began for step in cluster.log.steps if step.source == "kubectl" and step.target == "apiserver"]
    assert (schema, first, second) == (KUBECTL_START, KUBECTL_START + API_CALL, KUBECTL_START + 2 * API_CALL)


def test_kubectl_asks_whether_the_server_validates_before_it_sends_a_manifest(cluster):
    kubectl(cluster, "kubectl create -f maps.yaml", {"maps.yaml": MANIFEST})
    assert [step.request for step in said(cluster, "GetOpenAPI")] == ["GET /openapi/v3?timeout=32s"]
    kubectl(cluster, "kubectl create -f maps.yaml --validate=false", {"maps.yaml": MANIFEST})
    assert len(said(cluster, "GetOpenAPI")) == 1


def test_what_is_typed_at_the_same_moment_runs_in_the_order_of_typing(cluster):
    commands = [cluster.kubectl(line, {"maps.yaml": MANIFEST}) for line in ("kubectl create -f maps.yaml", "kubectl get configmap two -o name")]
    run(cluster, 1)
    assert [cluster.console.command(command)["stdout"] for command in commands] == ["configmap/one created\nconfigmap/two created\n", "configmap/two\n"]


def test_a_command_that_only_waits_does_not_hold_up_the_next(cluster):
    kubectl(cluster, "kubectl run web --image=nginx", seconds=20)
    waiting, other = cluster.kubectl("kubectl wait --for=condition=Never pod/web --timeout=60s"), cluster.kubectl("kubectl get pods -o name")
    run(cluster, 1)
    assert cluster.console.running() == [waiting]
    assert cluster.console.command(other)["stdout"] == "pod/web\n"


def test_of_a_command_that_has_ended_only_what_can_be_asked_for_is_kept(cluster):
    kubectl(cluster, "kubectl create -f maps.yaml", {"maps.yaml": MANIFEST})
    assert set(cluster.etcd.read("kubectl", "1")) == {"line", "started", "stdout", "stderr", "exit", "ended"}
    assert cluster.etcd.disk("kubectl answers") == {}
    assert cluster.console.running() == []


def test_a_watch_that_nobody_ends_keeps_no_more_than_its_last_place(cluster):
    watch = cluster.kubectl("kubectl get pods -w")
    kubectl(cluster, "kubectl create deployment web --image=nginx --replicas=3", seconds=30)
    assert len(cluster.console.command(watch)["stdout"].splitlines()) > 10
    assert len(cluster.etcd.disk("kubectl answers")) == 1


def test_a_command_can_be_interrupted(cluster):
    watch = cluster.kubectl("kubectl get pods -w")
    run(cluster, 1)
    cluster.console.interrupt(watch)
    assert (cluster.console.command(watch)["exit"], cluster.console.running()) == (130, [])
    before = len(cluster.log.steps)
    kubectl(cluster, "kubectl run web --image=nginx", seconds=10)
    assert not [step for step in cluster.log.steps[before:] if step.facts.get("id") == watch]


def test_commands_taken_up_again_from_their_answers_do_the_same():
    """A cluster may be put down between any two work items: generators are made anew from what is on record."""
    def story(forgetful):
        cluster = a_cluster()
        lines = [(0, "kubectl get pods -w"), (0, "kubectl create deployment web --image=nginx --replicas=2"), (1, "kubectl rollout status deploy/web"),
                 (20, "kubectl set image deploy/web nginx=nginx:2"), (20, "kubectl rollout status deploy/web"), (60, "kubectl drain n1 --timeout=30s"),
                 (90, "kubectl delete deploy web --cascade=foreground")]
        for at, line in lines:
            _until(cluster, at, forgetful)
            cluster.kubectl(line)
        _until(cluster, 180, forgetful)
        return [cluster.console.command(str(number)) for number in range(1, len(lines) + 1)], [step[1:6] for step in cluster.log.steps]

    assert story(True) == story(False)


def _until(cluster, seconds, forgetful):
    while (due := cluster.queue.due()) is not None and due <= seconds * 1000:
        if forgetful:
            cluster.console._processes.clear()
        cluster.step()
    cluster.run_until(seconds * 1000)


def test_a_namespace_can_be_chosen_for_the_commands_that_follow(cluster):
    kubectl(cluster, "kubectl create namespace shop")
    kubectl(cluster, "kubectl config set-context --current --namespace=shop")
    kubectl(cluster, "kubectl create configmap settings")
    assert kubectl(cluster, "kubectl get configmap settings -o name -n shop")["stdout"] == "configmap/settings\n"
    assert "namespace: shop" in kubectl(cluster, "kubectl config view")["stdout"]


def test_objects_of_custom_kinds_are_waited_for_too(cluster):
    names = "{plural: crontabs, singular: crontab, kind: CronTab}"
    version = "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}"
    definition = ("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: crontabs.stable.example.com}\n"
                  f"spec: {{group: stable.example.com, scope: Namespaced, names: {names}, versions: [{version}]}}\n")
    thing = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a, finalizers: [example.com/hold]}\n"
    kubectl(cluster, "kubectl apply -f kind.yaml", {"kind.yaml": definition})
    kubectl(cluster, "kubectl apply -f thing.yaml", {"thing.yaml": thing})
    waiting = cluster.kubectl("kubectl delete crontab a")
    run(cluster, 1)
    assert cluster.console.running() == [waiting]
    kubectl(cluster, """kubectl patch crontab a --type=merge -p '{"metadata": {"finalizers": null}}'""")
    assert cluster.console.running() == []
