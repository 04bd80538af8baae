"""PUT and PATCH: optimistic concurrency, what counts as a change, and who may change what."""
import pytest

from .builders import a_deployment, a_pod, create, get, said

DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/web"
MODIFIED = ('Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
            'please apply your changes to the latest version and try again')
MERGE, STRATEGIC, JSON = "application/merge-patch+json", "application/strategic-merge-patch+json", "application/json-patch+json"


@pytest.fixture
def deployment(cluster):
    return create(cluster, a_deployment()).body


def put(cluster, body, path=DEPLOYMENT):
    return cluster.api.http("PUT", path, None, body)


def patch(cluster, body, content_type=MERGE, path=DEPLOYMENT):
    return cluster.api.http("PATCH", path, None, body, content_type)


def with_replicas(thing, replicas, **metadata):
    return {**thing, "metadata": {**thing["metadata"], **metadata}, "spec": {**thing["spec"], "replicas": replicas}}


def test_a_changed_spec_counts_up_the_generation(cluster, deployment):
    answer = put(cluster, with_replicas(deployment, 5))

    assert answer.code == 200 and answer.body["metadata"]["generation"] == 2
    assert answer.body["metadata"]["resourceVersion"] > deployment["metadata"]["resourceVersion"]


def test_a_write_that_changes_nothing_is_no_write(cluster, deployment):
    before = cluster.etcd.revision
    answers = [put(cluster, deployment), patch(cluster, {"spec": {"replicas": 3}}), patch(cluster, {"spec": {"replicas": 3}}, STRATEGIC)]

    assert [answer.body["metadata"]["resourceVersion"] for answer in answers] == [deployment["metadata"]["resourceVersion"]] * 3
    assert cluster.etcd.revision == before and not said(cluster, "EtcdUpdate")


def test_the_second_of_two_writers_loses(cluster, deployment):
    put(cluster, with_replicas(deployment, 5))
    late = put(cluster, with_replicas(deployment, 6))
    also_late = patch(cluster, {"metadata": {"resourceVersion": deployment["metadata"]["resourceVersion"]}, "spec": {"replicas": 7}})

    assert (late.code, late.body["message"], late.reason) == (409, MODIFIED, "Conflict")
    assert (also_late.code, also_late.body["message"]) == (409, MODIFIED)
    assert late.body["details"] == {"name": "web", "group": "apps", "kind": "deployments"}


def test_who_names_no_version_wins_always(cluster, deployment):
    put(cluster, with_replicas(deployment, 5))
    body = {**a_deployment(replicas=6)}

    assert put(cluster, body).body["spec"]["replicas"] == 6


def test_a_lease_must_name_its_version(cluster):
    lease = get(cluster, "leases.coordination.k8s.io", "n1", "kube-node-lease")
    body = {**lease, "metadata": {"name": "n1", "namespace": "kube-node-lease"}}
    answer = put(cluster, body, "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1")

    assert answer.body["message"] == 'Lease.coordination.k8s.io "n1" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'


@pytest.mark.parametrize(("metadata", "code", "message"), [
    ({"name": "web8"}, 400, "the name of the object (web8) does not match the name on the URL (web)"),
    ({"namespace": "other"}, 400, "the namespace of the object (other) does not match the namespace on the URL (default)"),
])
def test_the_body_must_be_about_what_the_url_names(cluster, deployment, metadata, code, message):
    answer = put(cluster, with_replicas(deployment, 5, **metadata))

    assert (answer.code, answer.body["message"]) == (code, message)


def test_another_uid_is_another_object(cluster, deployment):
    by_put = put(cluster, with_replicas(deployment, 5, uid="other"))
    by_patch = patch(cluster, {"metadata": {"uid": "other"}}, STRATEGIC)

    assert by_put.code == 409 and "Precondition failed: UID in precondition: other, UID in object meta: " in by_put.body["message"]
    assert by_patch.body["message"] == 'Deployment.apps "web" is invalid: metadata.uid: Invalid value: "other": field is immutable'
    assert len(by_patch.body["details"]["causes"]) == 2


def test_put_of_what_is_missing_is_not_found(cluster):
    answer = put(cluster, a_deployment())

    assert (answer.code, answer.body["message"]) == (404, 'deployments.apps "web" not found')


def test_the_main_resource_leaves_the_status_alone_and_the_other_way_round(cluster, deployment):
    main = put(cluster, {**with_replicas(deployment, 5), "status": {"replicas": 9}}).body
    status = put(cluster, {**with_replicas(main, 7), "status": {"replicas": 9}}, f"{DEPLOYMENT}/status").body

    assert main["status"] == {} and main["spec"]["replicas"] == 5
    assert status["status"] == {"replicas": 9} and status["spec"]["replicas"] == 5
    assert status["metadata"]["generation"] == main["metadata"]["generation"]


def test_a_deployments_annotations_count_as_a_change_of_its_wishes(cluster, deployment):
    annotated = patch(cluster, {"metadata": {"annotations": {"note": "x"}}}).body
    labelled = patch(cluster, {"metadata": {"labels": {"note": "x"}}}).body

    assert annotated["metadata"]["generation"] == 2 and labelled["metadata"]["generation"] == 2


def test_nobody_takes_back_what_only_the_server_says(cluster, deployment):
    long_ago = "2020-01-01T00:00:00Z"
    meta = patch(cluster, {"metadata": {"creationTimestamp": long_ago, "generation": 99, "deletionTimestamp": long_ago}}).body["metadata"]

    assert meta["creationTimestamp"] == deployment["metadata"]["creationTimestamp"] and meta["generation"] == 1 and "deletionTimestamp" not in meta


def test_three_kinds_of_patch(cluster, deployment):
    patch(cluster, {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "demo:v2"}]}}}}, STRATEGIC)
    patch(cluster, [{"op": "replace", "path": "/spec/replicas", "value": 4}], JSON)
    spec = patch(cluster, {"spec": {"paused": True}}).body["spec"]

    assert spec["template"]["spec"]["containers"][0]["image"] == "demo:v2"
    assert spec["template"]["spec"]["containers"][0]["imagePullPolicy"] == "IfNotPresent"
    assert (spec["replicas"], spec["paused"]) == (4, True)


def test_an_unknown_kind_of_patch_is_refused(cluster, deployment):
    answer = patch(cluster, {}, "application/json")

    assert answer.code == 415
    assert answer.body["message"] == ("the body of the request was in an unknown format - accepted media types include: application/json-patch+json, "
                                      "application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml")


def test_the_last_finalizer_takes_the_object_with_it(cluster):
    pods = "/api/v1/namespaces/default/pods/web"
    create(cluster, {**a_pod(), "metadata": {"name": "web", "namespace": "default", "finalizers": ["example.com/hold"]}})
    cluster.api.http("DELETE", pods)
    held = get(cluster, "pods", "web")
    gone = patch(cluster, {"metadata": {"finalizers": None}}, path=pods)

    assert held["metadata"]["deletionGracePeriodSeconds"] == 0
    assert gone.code == 200 and get(cluster, "pods", "web") is None
    assert said(cluster, "EtcdDelete")[-1].facts["for"] == "PatchPod"


def test_server_side_apply_creates_owns_and_conflicts(cluster):
    path, apply = "/api/v1/namespaces/default/configmaps/cm", "application/apply-patch+yaml"
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: '%s'}\n"
    created = cluster.api.http("PATCH", path, "fieldManager=kubectl&force=false", config % 1, apply)
    refused = cluster.api.http("PATCH", path, "fieldManager=other&force=false", config % 2, apply)
    forced = cluster.api.http("PATCH", path, "fieldManager=other&force=true", config % 2, apply)
    shown = cluster.api.http("GET", path, show_managed_fields=True).body["metadata"]["managedFields"]

    assert created.code == 201 and forced.code == 200
    assert refused.body["message"] == 'Apply failed with 1 conflict: conflict with "kubectl": .data.a'
    assert refused.body["details"] == {"causes": [{"reason": "FieldManagerConflict", "message": 'conflict with "kubectl"', "field": ".data.a"}]}
    assert [(entry["manager"], entry["operation"], entry["fieldsV1"]) for entry in shown] == [("other", "Apply", {"f:data": {"f:a": {}}})]


def test_managed_fields_are_shown_to_those_who_ask(cluster, deployment):
    plain = cluster.api.http("GET", DEPLOYMENT).body
    shown = cluster.api.http("GET", DEPLOYMENT, show_managed_fields=True).body

    assert "managedFields" not in plain["metadata"]
    assert shown["metadata"]["managedFields"][0]["operation"] == "Update"


# -- managedFields that a client replaces ----------------------------------------------------------------------------------
MINE = [{"manager": "mine", "operation": "Update", "apiVersion": "apps/v1", "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1",
         "fieldsV1": {"f:spec": {"f:replicas": {}}}}]


def owners_of(cluster):
    meta = cluster.api.http("GET", DEPLOYMENT, show_managed_fields=True).body["metadata"]
    return [entry["manager"] for entry in meta.get("managedFields", ())]


def test_a_patch_may_put_other_owners_in_the_place_of_those_that_are_there(cluster, deployment):
    before = cluster.api.http("GET", DEPLOYMENT).body["metadata"]["resourceVersion"]
    operations = [{"op": "replace", "path": "/metadata/managedFields", "value": MINE}, {"op": "replace", "path": "/metadata/resourceVersion", "value": before}]
    answer = cluster.api.http("PATCH", DEPLOYMENT, {"fieldManager": "kubectl"}, operations, "application/json-patch+json")
    assert answer.code == 200 and int(answer.body["metadata"]["resourceVersion"]) > int(before) and "managedFields" not in answer.body["metadata"]
    assert owners_of(cluster) == ["mine"]
    cluster.api.http("PATCH", DEPLOYMENT, {"fieldManager": "other"}, {"spec": {"paused": True}}, "application/merge-patch+json")
    assert owners_of(cluster) == ["mine", "other"]
    cluster.api.http("PATCH", DEPLOYMENT, {}, {"metadata": {"managedFields": [{}]}}, "application/merge-patch+json")
    assert owners_of(cluster) == []


def test_owners_that_cannot_be_read_are_passed_over(cluster, deployment):
    before = owners_of(cluster)
    for entries in ([{**MINE[0], "fieldsV1": "x"}], [{"manager": "x"}]):
        assert cluster.api.http("PATCH", DEPLOYMENT, {}, {"metadata": {"managedFields": entries}}, "application/merge-patch+json").code in (200, 422)
    assert owners_of(cluster) == before
