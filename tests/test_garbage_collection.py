"""What becomes of the dependents when an owner is deleted."""
import pytest

from .builders import a_cluster, a_deployment, create, every, get, run, said
from .changes import delete, history, patch

DEPLOYMENTS, REPLICASETS = "deployments.apps", "replicasets.apps"
GRACE = {"terminationGracePeriodSeconds": 5}


def rolled_out(replicas=3):
    cluster = a_cluster(cpu="8")
    create(cluster, a_deployment(replicas=replicas, template=GRACE))
    run(cluster, 15)
    return cluster


def a_config_map(name, *owners, **meta):
    references = [{"apiVersion": "v1", "kind": "ConfigMap", "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]} for owner in owners]
    owned = {"ownerReferences": references} if owners else {}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default", **owned, **meta}}


def made(cluster, manifest):
    answer = create(cluster, manifest)
    assert answer.ok, answer
    return answer.body


def blocking(config_map):
    references = [{**each, "blockOwnerDeletion": True} for each in config_map["metadata"]["ownerReferences"]]
    return {**config_map, "metadata": {**config_map["metadata"], "ownerReferences": references}}


def removals(cluster):
    """The kinds of things in the order in which they left the store."""
    return [change.key.split("/")[2] for change in cluster.etcd.since(0) if change.type == "DELETED" and "/default/" in change.key]


def by_the_collector(cluster):
    """(reason, object, facts) of what the garbage collector said."""
    found = [step for step in said(cluster, source="controller-manager") if step.facts.get("controller") == "garbage-collector"]
    return [(step.reason, step.object, step.facts) for step in found]


def test_in_the_background_the_owner_goes_first_and_the_pods_last():
    cluster = rolled_out()
    delete(cluster, DEPLOYMENTS, "web", "Background")
    assert get(cluster, DEPLOYMENTS, "web") is None
    run(cluster, 0.1)
    assert not every(cluster, REPLICASETS)
    assert all("deletionTimestamp" in pod["metadata"] for pod in every(cluster, "pods"))
    run(cluster, 30)
    assert [kind for kind in removals(cluster) if kind != "events"] == ["deployments", "replicasets", "pods", "pods", "pods"]
    assert len(said(cluster, "CreatePod", "controller-manager")) == 3


def test_the_collector_says_why_and_deletes_with_preconditions():
    cluster = rolled_out(1)
    name = every(cluster, REPLICASETS)[0]["metadata"]["name"]
    delete(cluster, DEPLOYMENTS, "web", "Background")
    run(cluster, 0.1)
    told = by_the_collector(cluster)
    assert [reason for reason, _, _ in told] == ["GetReplicaSet", "CheckOwner", "DeleteReplicaSet", "GetPod", "CheckOwner", "DeletePod"]
    why = {"controller": "garbage-collector", "owner": "Deployment web", "why": "absent", "policy": "Background"}
    assert told[1][1:] == (f"/registry/replicasets/default/{name}", why)


def test_in_the_foreground_the_pods_go_first_and_the_owner_last():
    cluster = rolled_out()
    delete(cluster, DEPLOYMENTS, "web", "Foreground")
    run(cluster, 0.1)
    for thing in (get(cluster, DEPLOYMENTS, "web"), *every(cluster, REPLICASETS)):
        assert thing["metadata"]["finalizers"] == ["foregroundDeletion"] and thing["metadata"]["deletionGracePeriodSeconds"] == 0
    run(cluster, 30)
    assert [kind for kind in removals(cluster) if kind != "events"] == ["pods", "pods", "pods", "replicasets", "deployments"]
    checks = [facts for reason, _, facts in by_the_collector(cluster) if reason == "CheckDependents"]
    assert [facts["left"] for facts in checks] == [0, 0]


def test_a_second_delete_in_the_background_does_not_wait_for_the_foreground():
    cluster = rolled_out()
    delete(cluster, DEPLOYMENTS, "web", "Foreground")
    run(cluster, 0.1)
    delete(cluster, DEPLOYMENTS, "web", "Background")
    assert get(cluster, DEPLOYMENTS, "web") is None
    run(cluster, 30)
    assert not every(cluster, REPLICASETS) and not every(cluster, "pods")


def test_an_orphan_stays_without_its_owner():
    cluster = rolled_out()
    before = every(cluster, "pods")
    delete(cluster, DEPLOYMENTS, "web", "Orphan")
    run(cluster, 5)
    assert get(cluster, DEPLOYMENTS, "web") is None
    (left,) = every(cluster, REPLICASETS)
    assert "ownerReferences" not in left["metadata"] and len(every(cluster, "pods")) == len(before)
    assert [step.reason for step in said(cluster, source="controller-manager") if step.reason.startswith("Patch")] == ["PatchReplicaSet", "PatchDeployment"]


def test_only_dependents_that_block_hold_up_a_foreground_deletion(cluster):
    owner = made(cluster, a_config_map("owner"))
    made(cluster, a_config_map("free", owner, finalizers=["example.com/stay"]))
    delete(cluster, "configmaps", "owner", "Foreground")
    run(cluster, 2)
    assert get(cluster, "configmaps", "owner") is None
    assert "deletionTimestamp" in get(cluster, "configmaps", "free")["metadata"]


def test_a_dependent_that_blocks_keeps_the_owner_until_it_is_gone(cluster):
    owner = made(cluster, a_config_map("owner"))
    made(cluster, blocking(a_config_map("held", owner, finalizers=["example.com/stay"])))
    delete(cluster, "configmaps", "owner", "Foreground")
    run(cluster, 60)
    assert get(cluster, "configmaps", "owner") is not None
    patch(cluster, "configmaps", "held", {"metadata": {"finalizers": None}})
    run(cluster, 2)
    assert get(cluster, "configmaps", "owner") is None and get(cluster, "configmaps", "held") is None


def test_an_owner_that_is_gone_is_struck_off_if_another_one_is_there(cluster):
    first, second = made(cluster, a_config_map("first")), made(cluster, a_config_map("second"))
    made(cluster, a_config_map("both", first, second))
    delete(cluster, "configmaps", "first", "Background")
    run(cluster, 2)
    assert [each["name"] for each in get(cluster, "configmaps", "both")["metadata"]["ownerReferences"]] == ["second"]
    delete(cluster, "configmaps", "second", "Background")
    run(cluster, 2)
    assert get(cluster, "configmaps", "both") is None


def test_an_owner_that_never_was_is_asked_for_and_then_the_dependent_goes(cluster):
    nobody = {"metadata": {"name": "nobody", "uid": "00000000-0000-0000-0000-000000000001"}}
    made(cluster, a_config_map("lost", nobody))
    run(cluster, 2)
    assert get(cluster, "configmaps", "lost") is None
    asked = [step for step in said(cluster, "GetConfigMap", "controller-manager") if step.object.endswith("/nobody")]
    assert [step.facts["code"] for step in asked] == [404]


def test_an_owner_in_another_namespace_does_not_count(cluster):
    made(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "elsewhere"}})
    run(cluster, 1)
    owner = made(cluster, {**a_config_map("owner"), "metadata": {"name": "owner", "namespace": "elsewhere"}})
    made(cluster, a_config_map("child", owner))
    run(cluster, 2)
    assert get(cluster, "configmaps", "child") is None
    assert get(cluster, "configmaps", "owner", "elsewhere") is not None
    (event,) = [each for each in every(cluster, "events", "default") if each["reason"] == "OwnerRefInvalidNamespace"]
    uid = owner["metadata"]["uid"]
    assert event["message"] == f'ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: {uid}] does not exist in namespace "default"'
    assert event["source"] == {"component": "garbage-collector-controller"} and "resourceVersion" not in event["involvedObject"]


def test_owners_that_wait_for_each_other_are_freed(cluster):
    one = made(cluster, a_config_map("one"))
    two = made(cluster, blocking(a_config_map("two", one)))
    patch(cluster, "configmaps", "one", {"metadata": blocking(a_config_map("one", two))["metadata"]})
    delete(cluster, "configmaps", "one", "Foreground")
    run(cluster, 10)
    assert not [each for each in every(cluster, "configmaps", "default") if each["metadata"]["name"] in ("one", "two")]


@pytest.mark.parametrize("policy", ["Background", "Foreground", "Orphan"])
def test_nothing_waits_when_everything_is_collected(policy):
    cluster = rolled_out()
    delete(cluster, DEPLOYMENTS, "web", policy)
    run(cluster, 700)
    assert len(cluster.queue) == 0
    assert history(cluster, DEPLOYMENTS, "web")[-1]["metadata"]["name"] == "web"


def test_custom_resources_own_and_are_owned(cluster):
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    names = {"plural": "crontabs", "singular": "crontab", "kind": "CronTab"}
    made(cluster, {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "crontabs.example.com"},
                   "spec": {"group": "example.com", "scope": "Namespaced", "names": names,
                            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}]}})
    run(cluster, 2)
    path = "/apis/example.com/v1/namespaces/default/crontabs"
    owner = cluster.api.http("POST", path, {}, {"apiVersion": "example.com/v1", "kind": "CronTab", "metadata": {"name": "owner"}}).body
    reference = {"apiVersion": "example.com/v1", "kind": "CronTab", "name": "owner", "uid": owner["metadata"]["uid"]}
    other = made(cluster, a_config_map("other"))
    both = {"apiVersion": "v1", "kind": "ConfigMap", "name": "other", "uid": other["metadata"]["uid"]}
    made(cluster, {**a_config_map("child"), "metadata": {"name": "child", "namespace": "default", "ownerReferences": [reference]}})
    cluster.api.http("POST", path, {}, {"apiVersion": "example.com/v1", "kind": "CronTab", "metadata": {"name": "heir", "ownerReferences": [reference, both]}})
    run(cluster, 2)
    cluster.api.http("DELETE", f"{path}/owner", {}, {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"})
    run(cluster, 2)
    assert get(cluster, "configmaps", "child") is None
    assert cluster.api.http("GET", f"{path}/heir").body["metadata"]["ownerReferences"] == [both]
    delete(cluster, "configmaps", "other", "Background")
    run(cluster, 2)
    assert cluster.api.http("GET", f"{path}/heir").code == 404
