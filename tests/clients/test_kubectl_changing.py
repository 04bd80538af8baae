"""The real kubectl changes and removes things: patch, scale, set, rollout, label, taint, drain, delete, wait."""
import json

import pytest
import yaml

from ..builders import a_deployment, a_pod

COMPLETE = ("partitioned roll out complete", "statefulset rolling update complete", "daemon set \"db\" successfully rolled out")


def text(*manifests):
    return yaml.safe_dump_all(manifests)


@pytest.fixture
def web(kubectl):
    """kubectl, and a Deployment of three Pods that is rolled out."""
    kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.26")))
    rolled_out(kubectl)
    return kubectl


def rolled_out(kubectl, what="deployment/web"):
    assert "successfully rolled out" in kubectl(f"rollout status {what} --timeout=50s")


def the(kubectl, path, what="deployment web"):
    return kubectl("get", *what.split(), "-o", f"jsonpath={{{path}}}")


def test_patch_in_all_three_ways_and_of_a_subresource(web):
    strategic = json.dumps({"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "busybox"}]}}}})
    assert web("patch", "deployment", "web", "-p", strategic) == "deployment.apps/web patched\n"
    assert the(web, ".spec.template.spec.containers[*].name") == "side app"
    web("patch", "deployment", "web", "--type=merge", "-p", json.dumps({"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "nginx"}]}}}}))
    assert the(web, ".spec.template.spec.containers[*].name") == "app"
    web("patch", "deployment", "web", "--type=json", "-p", json.dumps([{"op": "replace", "path": "/spec/replicas", "value": 2}]))
    web("patch", "deployment", "web", "--subresource=scale", "--type=merge", "-p", json.dumps({"spec": {"replicas": 4}}))
    assert the(web, ".spec.replicas") == "4"
    assert web("patch", "deployment", "web", "-p", json.dumps({"spec": {"replicas": 4}})) == "deployment.apps/web patched (no change)\n"
    assert "the server rejected our request due to an error in our request" in web.fails(
        "patch", "deployment", "web", "--type=json", "-p", json.dumps([{"op": "remove", "path": "/spec/nope"}]))


def test_scale_and_autoscale(web):
    assert web("scale deployment web --replicas=5") == "deployment.apps/web scaled\n"
    assert "Expected replicas to be 3, was 5" in web.fails("scale deployment web --current-replicas=3 --replicas=1")
    assert web("scale deployment web --current-replicas=5 --replicas=1") == "deployment.apps/web scaled\n"
    web("wait", "deployment/web", "--for=jsonpath={.status.readyReplicas}=1", "--timeout=50s")
    assert web("autoscale deployment web --min=2 --max=6 --cpu=80%") == "horizontalpodautoscaler.autoscaling/web autoscaled\n"
    assert the(web, ".spec.metrics[0].resource.target.averageUtilization", "hpa web") == "80"
    web("wait", "deployment/web", "--for=jsonpath={.spec.replicas}=2", "--timeout=50s")


def test_set(web):
    assert web("set image deployment/web app=nginx:1.27") == "deployment.apps/web image updated\n"
    assert web("set env deployment/web MODE=fast") == "deployment.apps/web env updated\n"
    assert web("set resources deployment web --limits=cpu=200m,memory=64Mi --requests=cpu=100m") == "deployment.apps/web resource requirements updated\n"
    assert web("set serviceaccount deployment web default") == "deployment.apps/web serviceaccount updated\n"
    container = json.loads(the(web, ".spec.template.spec.containers[0]"))
    assert (container["image"], container["env"], container["resources"]["requests"]) == ("nginx:1.27", [{"name": "MODE", "value": "fast"}], {"cpu": "100m"})
    assert web("set env deployment/web --list") == "# Deployment web, container app\nMODE=fast\n"
    web("create service clusterip web --tcp=80")
    assert web("set selector service web app=other") == "service/web selector updated\n"
    web("create rolebinding readers --clusterrole=view --user=bob")
    assert web("set subject rolebinding readers --user=ann") == "rolebinding.rbac.authorization.k8s.io/readers subjects updated\n"


def test_a_rollout_is_paused_resumed_undone_and_restarted(web):
    assert web("rollout pause deployment/web") == "deployment.apps/web paused\n"
    web("set image deployment/web app=nginx:1.27")
    assert web("rollout resume deployment/web") == "deployment.apps/web resumed\n"
    rolled_out(web)
    assert web("rollout history deployment/web").split() == ["deployment.apps/web", "REVISION", "CHANGE-CAUSE", "1", "<none>", "2", "<none>"]
    assert "Image:\tnginx:1.26" in web("rollout history deployment/web --revision=1")
    assert "deployment.apps/web rolled back\n" in web("rollout undo deployment/web")
    rolled_out(web)
    assert the(web, ".spec.template.spec.containers[0].image") == "nginx:1.26"
    assert web("rollout restart deployment/web") == "deployment.apps/web restarted\n"
    rolled_out(web)
    assert "deployment.apps/web rolled back\n" in web("rollout undo deployment/web --to-revision=2")
    assert "kubectl.kubernetes.io/restartedAt" not in the(web, ".spec.template.metadata")


def test_daemon_sets_and_stateful_sets_roll_out_too(kubectl):
    template = {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [{"name": "app", "image": "redis"}]}}
    spec = {"selector": {"matchLabels": {"app": "db"}}, "template": template}
    sets = [{"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "db"}, "spec": {**spec, **more}}
            for kind, more in (("StatefulSet", {"serviceName": "db", "replicas": 2}), ("DaemonSet", {}))]
    kubectl("apply", "-f", "-", stdin=text(*sets))
    for kind in ("statefulset", "daemonset"):
        assert kubectl(f"rollout status {kind}/db --timeout=50s").splitlines()[-1].startswith(COMPLETE)
        assert kubectl(f"rollout restart {kind}/db") == f"{kind}.apps/db restarted\n"
        kubectl(f"rollout status {kind}/db --timeout=50s")
        assert len(kubectl(f"rollout history {kind}/db").splitlines()) == 5
        assert f"{kind}.apps/db rolled back\n" in kubectl(f"rollout undo {kind}/db")


def test_label_and_annotate(kubectl):
    kubectl("run web --image=nginx")
    assert kubectl("label pod web tier=front") == "pod/web labeled\n"
    assert "already has a value (front), and --overwrite is false" in kubectl.fails("label pod web tier=back")
    assert kubectl("label pod web tier=back --overwrite") == "pod/web labeled\n"
    assert kubectl("label pods --all tier-") == "pod/web unlabeled\n"
    assert kubectl("annotate pod web why=because") == "pod/web annotated\n"
    assert the(kubectl, ".metadata", "pod web").count("because") == 1
    assert the(kubectl, ".metadata.labels", "pod web") == '{"run":"web"}'


def test_taint_cordon_drain_and_uncordon(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx", replicas=6)))
    rolled_out(kubectl)
    assert kubectl("taint node n1 key=value:NoSchedule") == "node/n1 tainted\n"
    assert kubectl("taint node n1 key-") == "node/n1 untainted\n"
    assert kubectl("cordon n1") == "node/n1 cordoned\n"
    assert "cannot delete Pods" not in kubectl("drain n1 --ignore-daemonsets --timeout=50s")
    assert kubectl("get pods --field-selector=spec.nodeName=n1 -o name") == ""
    assert kubectl("uncordon n1") == "node/n1 uncordoned\n"
    rolled_out(kubectl)


def test_drain_refuses_what_nobody_would_make_again_and_waits_for_budgets(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_pod("alone", "nginx", nodeName="n1")))
    kubectl("wait pod/alone --for=condition=Ready --timeout=50s")
    assert "cannot delete Pods that declare no controller (use --force to override): default/alone" in kubectl.fails("drain n1")
    kubectl("label pod alone app=alone")
    kubectl("create pdb alone --selector=app=alone --min-available=1")
    assert "Cannot evict pod as it would violate the pod's disruption budget" in kubectl.fails("drain n1 --force --timeout=1s")
    kubectl("delete pdb alone")
    assert "pod/alone evicted" in kubectl("drain n1 --force --timeout=50s")


def test_delete_in_all_ways(kubectl):
    kubectl("apply", "-f", "-", stdin=text(*(a_pod(name, "nginx", {"set": name[0]}) for name in ("a1", "a2", "b1", "b2", "c1", "c2"))))
    for name in ("a1", "c2"):
        kubectl(f"wait pod/{name} --for=condition=Ready --timeout=50s")
    assert kubectl("delete pod a1 --wait=false") == 'pod "a1" deleted from default namespace\n'
    assert kubectl("delete pods -l set=a") .count("deleted from") >= 1
    assert kubectl("delete pod b1 --now") == 'pod "b1" deleted from default namespace\n'
    printed = kubectl("delete pod b2 --grace-period=0 --force")
    assert printed.startswith('pod "b2" force deleted from default namespace\n') and "Immediate deletion does not wait for confirmation" in printed
    assert kubectl("delete pod c1 --dry-run=server") == 'pod "c1" deleted from default namespace (server dry run)\n'
    assert kubectl("delete pod c1 -o name") == "pod/c1\n"
    assert kubectl("delete pods --all") == 'pod "c2" deleted from default namespace\n'
    assert kubectl.fails("delete pod c1") == 'Error from server (NotFound): pods "c1" not found\n'
    assert kubectl("delete pod c1 --ignore-not-found") == ""
    assert kubectl("get pods") == "No resources found in default namespace.\n"


@pytest.mark.parametrize("cascade, left", [("background", 0), ("foreground", 0), ("orphan", 3)])
def test_what_belongs_to_a_deleted_object(web, cascade, left):
    web(f"delete deployment web --cascade={cascade}")
    pods = web("get pods -o name").split()
    if left:
        assert len(pods) == left and web("get rs -o name").count("\n") == 1
    else:
        web("wait --for=delete pod -l app=web --timeout=50s")
        assert web("get rs -o name") == ""


def test_a_namespace_goes_with_all_that_is_in_it(kubectl):
    kubectl("create namespace blue")
    kubectl("create deployment web --image=nginx -n blue")
    assert kubectl("delete namespace blue") == 'namespace "blue" deleted\n'
    assert "NotFound" in kubectl.fails("get namespace blue")


def test_a_finalizer_holds_an_object(kubectl):
    kubectl("create configmap held")
    kubectl("patch", "configmap", "held", "-p", json.dumps({"metadata": {"finalizers": ["sea.example/hold"]}}))
    assert "timed out waiting for the condition" in kubectl.fails("delete configmap held --timeout=1s")
    kubectl("patch", "configmap", "held", "-p", json.dumps({"metadata": {"finalizers": None}}))
    assert "NotFound" in kubectl.fails("get configmap held")


def test_wait_for_many_things(kubectl):
    waiting = kubectl.start("wait --for=create pod/late --timeout=50s")
    kubectl("run late --image=nginx:1.27")
    assert waiting.communicate()[0] == "pod/late condition met\n" and waiting.returncode == 0
    assert kubectl("wait pod --all --for=condition=Ready --timeout=50s") == "pod/late condition met\n"
    assert kubectl("wait", "pod/late", "--for=jsonpath={.status.phase}=Running", "--timeout=50s") == "pod/late condition met\n"
    assert kubectl.fails("wait pod/late --for=condition=Never --timeout=1s") == "error: timed out waiting for the condition on pods/late\n"
    waiting = kubectl.start("wait pod/late --for=delete --timeout=50s")
    kubectl("delete pod late")
    assert waiting.communicate()[0] in ("pod/late condition met\n", "")
    assert waiting.returncode == 0
