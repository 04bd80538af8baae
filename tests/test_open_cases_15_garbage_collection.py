"""O15 and O16: what goes with its owner. Times are seconds from the start of the script."""
from functools import cache

import pytest

from .changes import delete
from .stories import play


def manifest(name, owners=(), finalizers=(), namespace="default", kind="ConfigMap", api_version="v1"):
    """An object that is nothing but metadata; `owners` are ownerReferences in YAML's flow style."""
    place = f"namespace: {namespace}, " if namespace else ""
    return f"""
apiVersion: {api_version}
kind: {kind}
metadata: {{{place}name: {name}, finalizers: [{", ".join(finalizers)}], ownerReferences: [{", ".join(owners)}]}}
"""


def reference(kind, name, uid, more=""):
    return f"{{apiVersion: v1, kind: {kind}, name: {name}, uid: {uid}{more}}}"


def uid_of(story, qualified, name):
    return story.end().get(qualified, name)["metadata"]["uid"]


# -- O15 --------------------------------------------------------------------------------------------------------------------
CASCADES = {"Background": "", "Foreground": " --cascade=foreground", "Orphan": " --cascade=orphan"}
RELEASE = """kubectl patch cm dep --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'"""


def delete_owner(policy):
    return f"kubectl delete cm owner --wait=false{CASCADES[policy]}"


def an_owner(block):
    """`dep` belongs to `owner`, and a finalizer holds it."""
    story = play("@0s kubectl create -f owner.yaml\n@5s end", {"owner.yaml": manifest("owner")})
    owner = reference("ConfigMap", "owner", uid_of(story, "configmaps", "owner"), f", blockOwnerDeletion: {block}")
    return story.go_on("@5s kubectl create -f dep.yaml\n@10s end", {"dep.yaml": manifest("dep", [owner], ["example.com/hold"])})


@cache
def a_deleted_owner(policy, block):
    return an_owner(block).go_on(f"""
        @10s {delete_owner(policy)}
        @40s {RELEASE}
        @50s end
    """)


@pytest.mark.parametrize("policy, block", [("Background", "false"), ("Background", "true"), ("Foreground", "false")])
def test_o15_the_owner_goes_at_once_and_its_dependent_terminates(policy, block):
    story = a_deleted_owner(policy, block)
    assert story.gone("configmaps", "owner") < 10.5
    dep = story.at(39).get("configmaps", "dep")
    assert "deletionTimestamp" in dep["metadata"]
    assert dep["metadata"]["finalizers"] == ["example.com/hold"]
    assert 40 < story.gone("configmaps", "dep") < 40.5


def test_o15_in_the_foreground_a_dependent_that_blocks_keeps_the_owner():
    story = a_deleted_owner("Foreground", "true")
    owner, dep = (story.at(39).get("configmaps", name) for name in ("owner", "dep"))
    assert owner["metadata"]["finalizers"] == ["foregroundDeletion"]
    assert "deletionTimestamp" in owner["metadata"]
    assert "deletionTimestamp" in dep["metadata"]
    assert 40 < story.gone("configmaps", "dep") < 40.5
    assert story.gone("configmaps", "dep") < story.gone("configmaps", "owner") < 40.5


@pytest.mark.parametrize("block", ["false", "true"])
def test_o15_an_orphan_lives_without_its_reference(block):
    story = a_deleted_owner("Orphan", block)
    assert story.gone("configmaps", "owner") < 10.5
    assert any("orphan" in state.object["metadata"].get("finalizers", ()) for state in story.states("configmaps", "owner"))
    dep = story.at(39).get("configmaps", "dep")
    assert "deletionTimestamp" not in dep["metadata"]
    assert not dep["metadata"].get("ownerReferences")
    assert story.end().get("configmaps", "dep") is not None


def test_o15_the_delete_itself_never_blocks():
    story = a_deleted_owner("Foreground", "true")
    assert story.ended(delete_owner("Foreground")) < 10.5
    story = an_owner("true").go_on(f"""
        @10s kubectl delete cm owner --cascade=foreground
        @40s {RELEASE}
        @50s end
    """)
    assert story.ended("kubectl delete cm owner --cascade=foreground") == pytest.approx(story.gone("configmaps", "owner"), abs=0.1)


def test_o15_a_second_delete_in_the_background_takes_the_finalizer_away():
    story = an_owner("true").go_on(f"""
        @10s {delete_owner("Foreground")}
        @20s {delete_owner("Background")}
        @30s end
    """)
    assert 20 < story.gone("configmaps", "owner") < 20.5
    assert story.end().get("configmaps", "dep") is not None


def test_o15_the_answer_is_a_status_if_the_object_is_gone_and_the_object_if_it_stays():
    gone = delete(an_owner("true").cluster, "configmaps", "owner", "Background")
    assert (gone.code, gone.body["kind"], gone.body["status"]) == (200, "Status", "Success")
    assert (gone.body["details"]["name"], gone.body["details"]["kind"]) == ("owner", "configmaps")
    for policy, finalizer in (("Foreground", "foregroundDeletion"), ("Orphan", "orphan")):
        stays = delete(an_owner("true").cluster, "configmaps", "owner", policy)
        assert (stays.code, stays.body["kind"], stays.body["metadata"]["finalizers"]) == (200, "ConfigMap", [finalizer])


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "demo:ok", env: [{name: TERM_DELAY, value: "10"}]}
"""


@cache
def a_deployment_in_the_foreground():
    return play("""
        @0s kubectl create -f web.yaml
        @30s kubectl delete deployment web --cascade=foreground --wait=false
        @32s kubectl create -f web.yaml
        @34s kubectl apply -f web.yaml
        @60s end
    """, {"web.yaml": DEPLOYMENT})


def test_o15_a_deployment_in_the_foreground_goes_after_its_replica_set_and_that_after_the_pods():
    story = a_deployment_in_the_foreground()
    assert "deletionTimestamp" in story.at(39).get("deployments.apps", "web")["metadata"]
    pods, sets = story.at(29).names("pods"), story.at(29).names("replicasets.apps")
    last_pod = max(story.gone("pods", name) for name in pods)
    assert 40 < last_pod < story.gone("replicasets.apps", sets[0]) < story.gone("deployments.apps", "web") < 43
    assert story.end().list("pods") == story.end().list("replicasets.apps") == []


def test_o15_the_name_is_taken_until_it_is_gone():
    story = a_deployment_in_the_foreground()
    line = "kubectl create -f web.yaml"
    assert story.exit(line, 2) == 1
    assert story.printed(line, 2) == ('Error from server (AlreadyExists): error when creating "web.yaml": object is being deleted: '
                                      'deployments.apps "web" already exists\n')


def test_o15_an_apply_meanwhile_is_an_ordinary_update_and_the_object_goes_all_the_same():
    story = a_deployment_in_the_foreground()
    record = story.command("kubectl apply -f web.yaml")
    assert (record["exit"], record["stdout"]) == (0, "deployment.apps/web configured\n")
    assert record["stderr"].endswith("Warning: Detected changes to resource web which is currently being deleted.\n")
    assert story.end().get("deployments.apps", "web") is None


# -- O16 --------------------------------------------------------------------------------------------------------------------
WRONG = "00000000-0000-0000-0000-000000000001"


@cache
def owners_elsewhere():
    """The story, and the uids of the Secrets a/owner and default/real-owner."""
    story = play("""
        @0s kubectl create namespace a
        @0s kubectl create namespace b
        @1s kubectl create -f a-owner.yaml
        @1s kubectl create -f real-owner.yaml
        @5s end
    """, {"a-owner.yaml": manifest("owner", namespace="a", kind="Secret"), "real-owner.yaml": manifest("real-owner", kind="Secret")})
    far, near = uid_of(story, "secrets", "a/owner"), uid_of(story, "secrets", "real-owner")
    story.go_on("""
        @10s kubectl create -f child.yaml
        @10s kubectl create -f wrong-uid.yaml
        @10s kubectl create -f two.yaml
        @10s kubectl create -f role.yaml
        @20s end
    """, {
        "child.yaml": manifest("child", [reference("Secret", "owner", far)], namespace="b"),
        "wrong-uid.yaml": manifest("wrong-uid", [reference("Secret", "real-owner", WRONG)]),
        "two.yaml": manifest("two", [reference("Secret", "gone", WRONG), reference("Secret", "real-owner", near)]),
        "role.yaml": manifest("child-role", [reference("Secret", "real-owner", near)], (), "", "ClusterRole", "rbac.authorization.k8s.io/v1"),
    })
    return story, far, near


def test_o16_a_child_of_an_owner_in_another_namespace_is_accepted_and_then_deleted():
    story, far, _ = owners_elsewhere()
    assert story.printed("kubectl create -f child.yaml") == "configmap/child created\n"
    assert story.gone("configmaps", "b/child") < 10.5
    assert story.end().get("secrets", "a/owner")["metadata"]["uid"] == far


def test_o16_an_event_in_the_childs_namespace_says_why():
    story, far, _ = owners_elsewhere()
    event, = story.events("child", "OwnerRefInvalidNamespace")
    assert (event.type, event.message) == ("Warning", f'ownerRef [v1/Secret, namespace: b, name: owner, uid: {far}] does not exist in namespace "b"')
    assert [each["metadata"]["namespace"] for each in story.end().list("events", "child.")] == ["b"]


def test_o16_the_right_name_with_a_wrong_uid_is_absent_too():
    story, _, near = owners_elsewhere()
    assert story.gone("configmaps", "wrong-uid") < 10.5
    assert story.end().get("secrets", "real-owner")["metadata"]["uid"] == near


def test_o16_with_one_owner_left_only_the_dangling_reference_goes():
    story, _, near = owners_elsewhere()
    assert story.end().get("configmaps", "two")["metadata"]["ownerReferences"] == [{"apiVersion": "v1", "kind": "Secret", "name": "real-owner", "uid": near}]


def test_o16_a_cluster_scoped_child_of_a_namespaced_owner_stays():
    story, _, near = owners_elsewhere()
    assert story.end().get("clusterroles.rbac.authorization.k8s.io", "child-role") is not None
    event, = story.events("child-role", "OwnerRefInvalidNamespace")
    assert (event.type, event.message) == ("Warning", f'ownerRef [v1/Secret, namespace: , name: real-owner, uid: {near}] does not exist in namespace ""')
    assert [each["metadata"]["namespace"] for each in story.end().list("events", "child-role.")] == ["default"]
