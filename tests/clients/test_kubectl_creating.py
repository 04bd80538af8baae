"""The real kubectl makes things: from files, by imperative commands (which send protobuf), by apply, diff, edit and replace."""
import json

import pytest
import yaml

from ..builders import a_deployment, a_pod, a_service

# words after "create", what is printed, where the object is, and some of what it holds
CREATED = (
    ("namespace blue", "namespace/blue", "ns blue", {"status": {"phase": "Active"}}),
    ("configmap settings --from-literal=a=b --from-literal=c=d", "configmap/settings", "cm settings", {"data": {"a": "b", "c": "d"}}),
    ("configmap files --from-file=web.conf", "configmap/files", "cm files", {"data": {"web.conf": "port = 80\n"}}),
    ("configmap lines --from-env-file=web.env", "configmap/lines", "cm lines", {"data": {"MODE": "fast"}}),
    ("secret generic hidden --from-literal=word=swordfish", "secret/hidden", "secret hidden", {"type": "Opaque", "data": {"word": "c3dvcmRmaXNo"}}),
    ("secret docker-registry login --docker-server=r.example --docker-username=ada --docker-password=word", "secret/login", "secret login",
     {"type": "kubernetes.io/dockerconfigjson"}),
    ("serviceaccount robot", "serviceaccount/robot", "sa robot", {}),
    ("role reader --verb=get,list --resource=pods,deployments.apps", "role.rbac.authorization.k8s.io/reader", "role reader",
     {"rules": [{"apiGroups": [group], "resources": [plural], "verbs": ["get", "list"]} for group, plural in (("", "pods"), ("apps", "deployments"))]}),
    ("rolebinding readers --role=reader --user=bob --serviceaccount=default:robot", "rolebinding.rbac.authorization.k8s.io/readers", "rolebinding readers",
     {"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"}}),
    ("clusterrole watcher --verb=watch --resource=nodes", "clusterrole.rbac.authorization.k8s.io/watcher", "clusterrole watcher",
     {"rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["watch"]}]}),
    ("clusterrole summer --aggregation-rule=team=blue", "clusterrole.rbac.authorization.k8s.io/summer", "clusterrole summer",
     {"aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"team": "blue"}}]}}),
    ("clusterrolebinding watchers --clusterrole=watcher --group=devs", "clusterrolebinding.rbac.authorization.k8s.io/watchers", "clusterrolebinding watchers",
     {"subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "devs"}]}),
    ("quota small --hard=pods=9,cpu=1500m", "resourcequota/small", "quota small", {"spec": {"hard": {"pods": "9", "cpu": "1500m"}}}),
    ("poddisruptionbudget web --selector=app=web --min-available=50%", "poddisruptionbudget.policy/web", "pdb web",
     {"spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "web"}}}}),
    ("priorityclass high --value=1000 --description=urgent", "priorityclass.scheduling.k8s.io/high", "priorityclass high",
     {"value": 1000, "description": "urgent"}),
    ("deployment web --image=nginx:1.27 --replicas=2 --port=80", "deployment.apps/web", "deployment web", {"spec": {"replicas": 2}}),
    ("job once --image=busybox -- echo done", "job.batch/once", "job once", {"spec": {"backoffLimit": 6}}),
    ("cronjob nightly --image=busybox --schedule=0_3_*_*_*", "cronjob.batch/nightly", "cronjob nightly", {"spec": {"schedule": "0 3 * * *"}}),
    ("job now --from=cronjob/nightly", "job.batch/now", "job now", {}),
    ("service clusterip inner --tcp=80:8080", "service/inner", "service inner", {"spec": {"type": "ClusterIP"}}),
    ("service nodeport outer --tcp=80 --node-port=30123", "service/outer", "service outer", {"spec": {"type": "NodePort"}}),
    ("service loadbalancer wide --tcp=80", "service/wide", "service wide", {"spec": {"type": "LoadBalancer"}}),
    ("service externalname far --external-name=far.example", "service/far", "service far", {"spec": {"type": "ExternalName", "externalName": "far.example"}}),
    ("ingress web --rule=web.example/*=inner:80,tls=cert --class=nginx", "ingress.networking.k8s.io/web", "ingress web",
     {"spec": {"ingressClassName": "nginx"}}),
)


def text(*manifests):
    return yaml.safe_dump_all(manifests)


def is_within(wanted, found):
    """Whether all that is wanted of an object is in it."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(name in found and is_within(value, found[name]) for name, value in wanted.items())
    return wanted == found


def test_every_imperative_create(kubectl):
    (kubectl.config.parent / "web.conf").write_text("port = 80\n")
    (kubectl.config.parent / "web.env").write_text("MODE=fast\n")
    for line, printed, _, _ in CREATED:
        assert kubectl("create", *(word.replace("_", " ") for word in line.split())) == f"{printed} created\n"
    for _, _, where, wanted in CREATED:
        found = kubectl.json(f"get {where}")
        assert is_within(wanted, found), (where, found)


def test_create_says_what_is_there_already_and_what_is_wrong(kubectl):
    kubectl("create namespace blue")
    assert kubectl.fails("create namespace blue") == 'Error from server (AlreadyExists): namespaces "blue" already exists\n'
    assert kubectl.fails("create deployment web --image=nginx -n nowhere") == (
        'error: failed to create deployment: namespaces "nowhere" not found\n')
    assert kubectl.fails("create", "-f", "-", stdin=text(a_pod("web", container={"image": None}))) == (
        'The Pod "web" is invalid: spec.containers[0].image: Required value\n')


def test_a_dry_run_on_the_server_leaves_nothing(kubectl):
    made = kubectl.json("create deployment web --image=nginx --dry-run=server")
    assert made["spec"]["strategy"]["type"] == "RollingUpdate" and made["metadata"]["uid"]
    assert kubectl("create deployment web --image=nginx --dry-run=client -o name") == "deployment.apps/web\n"
    assert "NotFound" in kubectl.fails("get deployment web")


def test_several_objects_from_one_file_and_from_a_folder(kubectl):
    folder = kubectl.config.parent / "manifests"
    folder.mkdir()
    (folder / "a.yaml").write_text(text(a_deployment(image="nginx"), a_service()))
    (folder / "b.json").write_text(json.dumps(a_pod("alone", "nginx")))
    assert kubectl("create -f manifests") == "deployment.apps/web created\nservice/web created\npod/alone created\n"
    assert kubectl("get -f manifests -o name") == "deployment.apps/web\nservice/web\npod/alone\n"
    assert kubectl("delete -f manifests").count("deleted") == 3


def test_a_token_belongs_to_its_account(kubectl):
    token = kubectl("create token default --duration=1h").strip()
    assert token.count(".") == 2
    review = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}})
    answer = kubectl.request("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review, **{"Content-Type": "application/json"})[2]
    status = json.loads(answer)["status"]
    assert status["authenticated"] and status["user"]["username"] == "system:serviceaccount:default:default"
    assert "serviceaccounts \"nobody\" not found" in kubectl.fails("create token nobody")


def test_run_and_expose(kubectl):
    assert kubectl("run web --image=nginx:1.27 --port=80 --labels=app=web --env=A=b") == "pod/web created\n"
    assert kubectl("expose pod web --port=80 --name=front") == "service/front exposed\n"
    kubectl("create deployment shop --image=nginx --port=8080")
    assert kubectl("expose deployment shop --type=NodePort --port=80 --target-port=8080") == "service/shop exposed\n"
    assert kubectl.json("get service shop")["spec"]["ports"][0]["targetPort"] == 8080
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    address = kubectl("get", "pod", "web", "-o", "jsonpath={.status.podIP}")
    kubectl("wait", "endpointslice", "-l", "kubernetes.io/service-name=front", f"--for=jsonpath={{.endpoints[0].addresses[0]}}={address}", "--timeout=50s")


# -- apply, diff, edit, replace --------------------------------------------------------------------------------------------
def test_apply_removes_what_is_no_longer_written(kubectl):
    first = a_deployment(image="nginx", labels={"app": "web", "tier": "front"})
    kubectl("apply", "-f", "-", stdin=text({**first, "metadata": {**first["metadata"], "annotations": {"old": "yes", "kept": "yes"}}}))
    kubectl("annotate deployment web other=hand")
    second = {**first, "metadata": {**first["metadata"], "annotations": {"kept": "yes"}}}
    assert kubectl("apply", "-f", "-", stdin=text(second)) == "deployment.apps/web configured\n"
    annotations = kubectl.json("get deployment web")["metadata"]["annotations"]
    assert "old" not in annotations and annotations["kept"] == "yes" and annotations["other"] == "hand"
    assert json.loads(kubectl("apply view-last-applied deployment/web -o json"))["metadata"]["annotations"] == {"kept": "yes"}


def test_apply_prunes_what_is_in_no_file(kubectl):
    maps = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {"set": "a"}}} for name in ("one", "two")]
    kubectl("apply", "-f", "-", stdin=text(*maps))
    printed = kubectl("apply", "-f", "-", "--prune", "-l", "set=a", "--prune-allowlist=core/v1/ConfigMap", stdin=text(maps[0]))
    assert printed == "configmap/one unchanged\nconfigmap/two pruned\n"


def test_apply_brings_something_that_was_created_otherwise(kubectl):
    kubectl("create", "-f", "-", stdin=text(a_service()))
    printed = kubectl("apply", "-f", "-", stdin=text(a_service(labels={"app": "new"})))
    assert "missing the kubectl.kubernetes.io/last-applied-configuration annotation" in printed
    assert kubectl.json("get service web")["spec"]["selector"] == {"app": "new"}


def test_server_side_apply_hands_over_what_was_applied_by_the_client(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx")))
    assert kubectl("apply", "--server-side", "-f", "-", stdin=text(a_deployment(image="nginx:1.27"))) == "deployment.apps/web serverside-applied\n"
    kubectl("scale deployment web --replicas=5")
    refused = kubectl.fails("apply", "--server-side", "-f", "-", stdin=text(a_deployment(image="nginx:1.27")))
    assert refused.startswith('error: Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas\n')
    unsaid = a_deployment(image="nginx:1.27")
    del unsaid["spec"]["replicas"]
    kubectl("apply", "--server-side", "-f", "-", stdin=text(unsaid))
    assert kubectl.json("get deployment web")["spec"]["replicas"] == 5


def test_diff_shows_what_apply_would_change_and_ends_with_one(kubectl):
    kubectl("apply", "-f", "-", stdin=text(a_deployment(image="nginx:1.26")))
    assert kubectl.run("diff", "-f", "-", stdin=text(a_deployment(image="nginx:1.26")))[:2] == (0, "")
    code, out, _ = kubectl.run("diff", "-f", "-", stdin=text(a_deployment(image="nginx:1.27")))
    assert code == 1 and "-      - image: nginx:1.26\n+      - image: nginx:1.27\n" in out
    code, out, _ = kubectl.run("diff", "--server-side", "--force-conflicts", "-f", "-", stdin=text(a_deployment(replicas=4, image="nginx:1.26")))
    assert code == 1 and "+  replicas: 4\n" in out
    assert kubectl.json("get deployment web")["spec"]["replicas"] == 3


def test_edit_sends_what_the_editor_changed(kubectl):
    kubectl("create deployment web --image=nginx")
    kubectl.environment["KUBE_EDITOR"] = "sed -i s/image:\\ nginx/image:\\ httpd/"
    assert kubectl("edit deployment web") == "deployment.apps/web edited\n"
    assert kubectl.json("get deployment web")["spec"]["template"]["spec"]["containers"][0]["image"] == "httpd"
    kubectl.environment["KUBE_EDITOR"] = "true"
    assert kubectl("edit deployment web") == "Edit cancelled, no changes made.\n"


def test_replace_needs_the_newest_version(kubectl):
    kubectl("create configmap settings --from-literal=a=b")
    old = kubectl.json("get configmap settings")
    assert kubectl("replace", "-f", "-", stdin=json.dumps({**old, "data": {"a": "c"}})) == "configmap/settings replaced\n"
    refused = kubectl.fails("replace", "-f", "-", stdin=json.dumps(old))
    assert "the object has been modified; please apply your changes to the latest version and try again" in refused


def test_replace_by_force_deletes_and_creates(kubectl):
    kubectl("create", "-f", "-", stdin=text(a_pod("web", "nginx:1.26")))
    before = kubectl.json("get pod web")["metadata"]["uid"]
    printed = kubectl("replace", "--force", "-f", "-", stdin=text(a_pod("web", "nginx:1.27")))
    assert printed == 'pod "web" deleted from default namespace\npod/web replaced\n'
    assert kubectl.json("get pod web")["metadata"]["uid"] != before


@pytest.mark.parametrize("body, said", [
    ("kind: Pod\n", "apiVersion not set"), ("a: [b\n", "error parsing"),
    ("apiVersion: v1\nkind: Nope\nmetadata: {name: a}\n", 'no matches for kind "Nope" in version "v1"')])
def test_what_is_no_manifest_never_reaches_the_server(kubectl, body, said):
    assert said in kubectl.fails("create", "-f", "-", stdin=body)
