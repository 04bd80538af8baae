"""DELETE: how long it takes, who is asked first, and what is left meanwhile."""
import pytest

from .builders import a_deployment, a_pod, create, get, run, said

POD, DEPLOYMENT = "/api/v1/namespaces/default/pods/web", "/apis/apps/v1/namespaces/default/deployments/web"


def delete(cluster, path=POD, **options):
    return cluster.api.http("DELETE", path, None, options)


def a_placed_pod(cluster, **spec):
    """A Pod on n1, not yet seen by the kubelet."""
    return create(cluster, a_pod(nodeName="n1", **spec)).body


def deletions(cluster):
    """(event, grace) of every commit that a delete made."""
    return [(step.facts["event"], step.revision) for step in said(cluster, target="etcd") if step.facts["for"] == "DeletePod"]


def test_a_placed_pod_gets_the_time_its_spec_asks_for(cluster):
    a_placed_pod(cluster, terminationGracePeriodSeconds=45)
    answer = delete(cluster, propagationPolicy="Background")
    meta = answer.body["metadata"]

    assert answer.code == 200 and answer.body["kind"] == "Pod"
    assert meta["deletionGracePeriodSeconds"] == 45 and meta["deletionTimestamp"] == cluster.clock.timestamp(cluster.clock.now + 45_000)
    assert meta["generation"] == 2
    assert get(cluster, "pods", "web") is not None


def test_a_pod_without_a_node_goes_at_once_in_two_steps(cluster):
    create(cluster, a_pod())
    answer = delete(cluster)

    assert answer.body["metadata"]["deletionGracePeriodSeconds"] == 0
    assert get(cluster, "pods", "web") is None
    assert [event for event, _ in deletions(cluster)] == ["MODIFIED", "DELETED"]


def test_a_finished_pod_goes_at_once(cluster):
    a_placed_pod(cluster)
    cluster.api.http("PATCH", f"{POD}/status", None, {"status": {"phase": "Succeeded"}}, "application/merge-patch+json")
    delete(cluster)

    assert get(cluster, "pods", "web") is None


def test_a_negative_grace_is_one_second(cluster):
    a_placed_pod(cluster)

    assert delete(cluster, gracePeriodSeconds=-5).body["metadata"]["deletionGracePeriodSeconds"] == 1


@pytest.mark.parametrize(("second", "grace", "moves"), [(60, 30, False), (None, 30, False), (30, 30, False), (10, 10, True)])
def test_a_second_delete_can_only_shorten(cluster, second, grace, moves):
    a_placed_pod(cluster)
    first = delete(cluster).body
    again = delete(cluster, **({} if second is None else {"gracePeriodSeconds": second})).body

    assert again["metadata"]["deletionGracePeriodSeconds"] == grace
    assert (again["metadata"]["resourceVersion"] != first["metadata"]["resourceVersion"]) == moves
    assert again["metadata"]["generation"] == 2


def test_a_shorter_grace_cannot_end_in_the_past(cluster):
    cluster.api.http("POST", "/api/v1/namespaces/default/pods", None, a_pod(nodeName="elsewhere"))
    delete(cluster)
    cluster.clock.now += 20_000
    meta = delete(cluster, gracePeriodSeconds=5).body["metadata"]

    assert meta["deletionTimestamp"] == cluster.clock.timestamp() and meta["deletionGracePeriodSeconds"] == 1


def test_force_removes_the_object_at_once(cluster):
    a_placed_pod(cluster)
    answer = delete(cluster, gracePeriodSeconds=0)

    assert answer.body["metadata"]["deletionGracePeriodSeconds"] == 0 and get(cluster, "pods", "web") is None


def test_a_finalizer_holds_even_what_is_forced(cluster):
    create(cluster, {**a_pod(nodeName="n1"), "metadata": {"name": "web", "namespace": "default", "finalizers": ["example.com/hold"]}})
    delete(cluster, gracePeriodSeconds=0)

    assert get(cluster, "pods", "web")["metadata"]["deletionGracePeriodSeconds"] == 0


def test_preconditions_name_the_kind_when_they_fail(cluster):
    uid = create(cluster, a_deployment()).body["metadata"]["uid"]
    wrong_uid = delete(cluster, DEPLOYMENT, preconditions={"uid": "wrong"})
    wrong_version = delete(cluster, DEPLOYMENT, preconditions={"resourceVersion": "1"})
    version = get(cluster, "deployments.apps", "web")["metadata"]["resourceVersion"]

    assert wrong_uid.body["message"] == (f'Operation cannot be fulfilled on Deployment.apps "web": the UID in the precondition (wrong) does not match '
                                         f'the UID in record ({uid}). The object might have been deleted and then recreated')
    assert wrong_version.body["message"] == ('Operation cannot be fulfilled on Deployment.apps "web": the ResourceVersion in the precondition (1) '
                                             f'does not match the ResourceVersion in record ({version}). The object might have been modified')
    assert wrong_uid.body["details"] == {"name": "web", "group": "apps", "kind": "Deployment"}


def test_what_is_gone_answers_with_a_status(cluster):
    uid = create(cluster, a_deployment()).body["metadata"]["uid"]
    answer = delete(cluster, DEPLOYMENT, propagationPolicy="Background")

    assert answer.body == {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
                           "details": {"name": "web", "group": "apps", "kind": "deployments", "uid": uid}}
    assert "SetDeletionTimestamp" not in [step.reason for step in cluster.log.steps]


@pytest.mark.parametrize(("policy", "finalizer"), [("Foreground", "foregroundDeletion"), ("Orphan", "orphan")])
def test_a_policy_becomes_a_finalizer(cluster, policy, finalizer):
    create(cluster, a_deployment())
    meta = delete(cluster, DEPLOYMENT, propagationPolicy=policy).body["metadata"]

    assert meta["finalizers"] == [finalizer] and meta["deletionTimestamp"] == cluster.clock.timestamp()
    assert meta["deletionGracePeriodSeconds"] == 0 and meta["generation"] == 2
    assert said(cluster, "SetFinalizers")[0].facts["policy"] == policy


def test_a_second_delete_in_the_background_ends_the_waiting(cluster):
    create(cluster, a_deployment())
    delete(cluster, DEPLOYMENT, propagationPolicy="Foreground")
    delete(cluster, DEPLOYMENT, propagationPolicy="Background")

    assert get(cluster, "deployments.apps", "web") is None
    # It should let go of the finalizer in a write of its own, as nothing with finalizers is ever removed
    changes = cluster.etcd.since(0, "/registry/deployments/default/web")
    assert [(change.type, change.object["metadata"].get("finalizers")) for change in changes[-3:]] == [
        ("MODIFIED", ["foregroundDeletion"]), ("MODIFIED", None), ("DELETED", None)]


def test_jobs_leave_their_pods_unless_told_otherwise(cluster):
    jobs = "/apis/batch/v1/namespaces/default/jobs"
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "demo:ok"}]}}
    cluster.api.http("POST", jobs, None, {"metadata": {"name": "once"}, "spec": {"template": template}})

    assert delete(cluster, f"{jobs}/once").body["metadata"]["finalizers"] == ["orphan"]


def test_a_policy_that_does_not_exist(cluster):
    create(cluster, a_deployment())
    answer = delete(cluster, DEPLOYMENT, propagationPolicy="Sideways")

    assert answer.code == 422 and 'Unsupported value: "Sideways"' in answer.body["message"]


def test_a_dry_run_deletes_nothing(cluster):
    a_placed_pod(cluster)
    cluster.api.http("DELETE", POD, {"dryRun": "All"}, {"gracePeriodSeconds": 0})

    assert "deletionTimestamp" not in get(cluster, "pods", "web")["metadata"]


def test_a_collection_is_deleted_object_by_object(cluster):
    for name in ("a", "b"):
        create(cluster, a_pod(name, labels={"app": name}))
    answer = cluster.api.http("DELETE", "/api/v1/namespaces/default/pods", {"labelSelector": "app=a"})

    assert [pod["metadata"]["name"] for pod in answer.body["items"]] == ["a"]
    assert get(cluster, "pods", "a") is None and get(cluster, "pods", "b") is not None
    assert len(said(cluster, "DeleteCollectionPod")) == 1


def test_a_namespace_turns_terminating_and_takes_nothing_new(cluster):
    cluster.api.http("POST", "/api/v1/namespaces", None, {"metadata": {"name": "team"}})
    run(cluster, 1)
    namespace = cluster.api.http("DELETE", "/api/v1/namespaces/team").body
    refused = cluster.api.http("POST", "/api/v1/namespaces/team/configmaps", None, {"metadata": {"name": "c"}})

    assert namespace["status"]["phase"] == "Terminating" and "deletionGracePeriodSeconds" not in namespace["metadata"]
    assert (refused.code, refused.body["message"]) == (
        403, 'configmaps "c" is forbidden: unable to create new content in namespace team because it is being terminated')


def test_an_emptied_namespace_goes_with_its_last_finalizer(cluster):
    cluster.api.http("POST", "/api/v1/namespaces", None, {"metadata": {"name": "team"}})
    namespace = cluster.api.http("DELETE", "/api/v1/namespaces/team").body
    cluster.api.http("PUT", "/api/v1/namespaces/team/finalize", None, {**namespace, "spec": {"finalizers": []}})

    assert cluster.api.http("GET", "/api/v1/namespaces/team").code == 404


def test_the_system_needs_its_namespaces(cluster):
    answer = delete(cluster, "/api/v1/namespaces/kube-system")

    assert (answer.code, answer.body["message"]) == (403, 'namespaces "kube-system" is forbidden: this namespace may not be deleted')


def test_a_delete_tells_what_the_server_did_to_the_object(cluster):
    a_placed_pod(cluster)
    delete(cluster)
    request, mark, commit, _ = cluster.log.steps[-4:]

    assert (request.reason, request.request) == ("DeletePod", f"DELETE {POD}")
    assert (mark.source, mark.target, mark.reason, mark.facts["grace"]) == ("apiserver", "apiserver", "SetDeletionTimestamp", 30)
    assert (commit.reason, commit.facts["event"]) == ("EtcdUpdate", "MODIFIED")


def test_options_may_come_in_the_query_as_well(cluster):
    a_placed_pod(cluster)
    tried = cluster.api.http("DELETE", POD, None, {"dryRun": ["All"], "gracePeriodSeconds": 0})
    marked = cluster.api.http("DELETE", f"{POD}?gracePeriodSeconds=7")

    assert tried.code == 200 and marked.body["metadata"]["deletionGracePeriodSeconds"] == 7


def test_some_things_cannot_be_deleted(cluster):
    answer = cluster.api.http("DELETE", "/api/v1/namespaces")

    assert (answer.code, answer.body["message"]) == (405, "the server does not allow this method on the requested resource")
