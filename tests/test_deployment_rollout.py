"""What a Deployment does with its ReplicaSets."""
import pytest

from .builders import a_cluster, a_deployment, create, every, get, run, said
from .changes import delete, history, patch, scale, set_image

DEPLOYMENTS, REPLICASETS = "deployments.apps", "replicasets.apps"
PREFIX = "deployment.kubernetes.io/"


def rolled_out(replicas=3, **spec):
    """A cluster with a finished Deployment `web`."""
    cluster = a_cluster(cpu="8")
    create(cluster, a_deployment(replicas=replicas, **spec))
    run(cluster, 20)
    assert get(cluster, DEPLOYMENTS, "web")["status"]["availableReplicas"] == replicas
    return cluster


def sizes(cluster):
    """{revision: replicas wanted} of the ReplicaSets."""
    return {each["metadata"]["annotations"][PREFIX + "revision"]: each["spec"]["replicas"] for each in every(cluster, REPLICASETS)}


def conditions(deployment):
    return [(each["type"], each["status"], each["reason"], each["message"]) for each in deployment["status"]["conditions"]]


def scaling_events(cluster):
    """The messages of the Deployment's events as they came, names shortened to their revision."""
    names = {each["metadata"]["name"]: each["metadata"]["annotations"][PREFIX + "revision"] for each in every(cluster, REPLICASETS)}
    found = [change.object for change in cluster.etcd.since(0, "/registry/events/default/web.")]
    texts = [each["message"].removeprefix("(combined from similar events): ") for each in found if each["reason"] == "ScalingReplicaSet"]
    return [" ".join(names.get(word, word) for word in text.replace("replica set ", "").split()) for text in texts]


def test_a_new_deployment_makes_one_replicaset_of_full_size(cluster):
    create(cluster, a_deployment(replicas=3))
    run(cluster, 1)
    (made,) = every(cluster, REPLICASETS)
    hash = made["metadata"]["labels"]["pod-template-hash"]
    assert made["metadata"]["name"] == f"web-{hash}" and 8 <= len(hash) <= 10
    assert made["metadata"]["annotations"] == {PREFIX + "desired-replicas": "3", PREFIX + "max-replicas": "4", PREFIX + "revision": "1"}
    assert made["spec"]["selector"]["matchLabels"] == made["spec"]["template"]["metadata"]["labels"] == {"app": "web", "pod-template-hash": hash}
    assert history(cluster, REPLICASETS, made["metadata"]["name"])[0]["spec"]["replicas"] == 3
    (owner,) = made["metadata"]["ownerReferences"]
    assert owner["kind"] == "Deployment" and owner["controller"] and owner["blockOwnerDeletion"]


def test_the_conditions_come_in_the_order_of_a_real_cluster():
    cluster = rolled_out()
    name = every(cluster, REPLICASETS)[0]["metadata"]["name"]
    seen = [conditions(each) for each in history(cluster, DEPLOYMENTS, "web") if each["status"].get("conditions")]
    created = ("Progressing", "True", "NewReplicaSetCreated", f'Created new replica set "{name}"')
    missing = ("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
    updated = ("Progressing", "True", "ReplicaSetUpdated", f'ReplicaSet "{name}" is progressing.')
    available = ("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    done = ("Progressing", "True", "NewReplicaSetAvailable", f'ReplicaSet "{name}" has successfully progressed.')
    assert list(dict.fromkeys(map(tuple, seen))) == [(created,), (created, missing), (missing, updated), (available, done)]


def test_the_hash_of_a_template_is_the_same_everywhere():
    names = [every(rolled_out(), REPLICASETS)[0]["metadata"]["name"] for _ in range(2)]
    assert names[0] == names[1]


def test_a_rolling_update_of_three_goes_one_by_one():
    cluster = rolled_out()
    set_image(cluster, "demo:v2")
    run(cluster, 60)
    assert scaling_events(cluster) == [
        "Scaled up 1 from 0 to 3",
        "Scaled up 2 from 0 to 1", "Scaled down 1 from 3 to 2", "Scaled up 2 from 1 to 2", "Scaled down 1 from 2 to 1",
        "Scaled up 2 from 2 to 3", "Scaled down 1 from 1 to 0"]
    assert sizes(cluster) == {"1": 0, "2": 3}


def test_a_rolling_update_of_ten_starts_with_three_new_and_two_old_less():
    cluster = rolled_out(10)
    set_image(cluster, "demo:v2")
    run(cluster, 60)
    assert scaling_events(cluster)[1:4] == ["Scaled up 2 from 0 to 3", "Scaled down 1 from 10 to 8", "Scaled up 2 from 3 to 5"]


@pytest.mark.parametrize(("replicas", "surge", "unavailable"), [(1, "25%", "25%"), (4, "25%", "25%"), (5, 0, 2), (10, "30%", 0), (3, "100%", "100%")])
def test_a_rolling_update_keeps_within_its_limits(replicas, surge, unavailable):
    # It should never want more than the surge allows, nor have fewer available than it may.
    cluster = rolled_out(replicas, strategy={"rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}})
    start = cluster.etcd.revision
    set_image(cluster, "demo:v2")
    run(cluster, 120)
    most = replicas + (surge if isinstance(surge, int) else -(-int(surge[:-1]) * replicas // 100))
    least = replicas - (unavailable if isinstance(unavailable, int) else int(unavailable[:-1]) * replicas // 100)
    current = {}
    for change in cluster.etcd.since(start, "/registry/replicasets/"):
        current[change.key] = change.object["spec"]["replicas"]
        assert sum(current.values()) <= most
    for deployment in history(cluster, DEPLOYMENTS, "web")[-5:]:
        assert deployment["status"].get("availableReplicas", 0) >= least
    assert sizes(cluster) == {"1": 0, "2": replicas}


def test_recreate_waits_until_the_last_old_pod_is_gone():
    cluster = rolled_out(2, strategy={"type": "Recreate"}, template={"terminationGracePeriodSeconds": 5})
    start = cluster.etcd.revision
    set_image(cluster, "demo:v2")
    run(cluster, 60)
    changes = cluster.etcd.since(start)
    created = next(change.revision for change in changes if change.key.startswith("/registry/replicasets/") and change.type == "ADDED")
    ended = [change.revision for change in changes if change.key.startswith("/registry/pods/") and (
        change.type == "DELETED" or change.object["status"].get("phase") in ("Succeeded", "Failed"))]
    assert len([revision for revision in ended if revision < created]) >= 2
    assert sizes(cluster) == {"1": 0, "2": 2}


def test_going_back_reuses_the_old_replicaset_under_a_new_revision():
    cluster = rolled_out(1)
    first = every(cluster, REPLICASETS)[0]["metadata"]["name"]
    set_image(cluster, "demo:v2")
    run(cluster, 20)
    set_image(cluster, "demo:ok")
    run(cluster, 20)
    again = get(cluster, REPLICASETS, first)
    assert again["spec"]["replicas"] == 1
    assert again["metadata"]["annotations"][PREFIX + "revision"] == "3"
    assert again["metadata"]["annotations"][PREFIX + "revision-history"] == "1"
    assert get(cluster, DEPLOYMENTS, "web")["metadata"]["annotations"][PREFIX + "revision"] == "3"


def test_old_replicasets_beyond_the_limit_are_deleted_lowest_revision_first():
    cluster = rolled_out(1, revisionHistoryLimit=2)
    for number in range(2, 6):
        set_image(cluster, f"demo:v{number}")
        run(cluster, 20)
    assert sorted(sizes(cluster)) == ["3", "4", "5"]
    assert {step.facts["controller"] for step in said(cluster, "DeleteReplicaSet")} == {"deployment"}


def test_a_paused_deployment_rolls_out_nothing_until_it_is_resumed():
    cluster = rolled_out(2)
    patch(cluster, DEPLOYMENTS, "web", {"spec": {"paused": True}})
    run(cluster, 1)
    set_image(cluster, "demo:v2")
    run(cluster, 20)
    assert sizes(cluster) == {"1": 2}
    assert conditions(get(cluster, DEPLOYMENTS, "web"))[-1] == ("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused")
    patch(cluster, DEPLOYMENTS, "web", {"spec": {"paused": None}})
    run(cluster, 40)
    assert sizes(cluster) == {"1": 0, "2": 2}
    resumed = [conditions(each)[-1][2:] for each in history(cluster, DEPLOYMENTS, "web") if each["status"].get("conditions")]
    assert ("DeploymentResumed", "Deployment is resumed") in resumed


def test_a_paused_deployment_leaves_nothing_to_do():
    cluster = rolled_out(2, progressDeadlineSeconds=5)
    patch(cluster, DEPLOYMENTS, "web", {"spec": {"paused": True}})
    run(cluster, 300)
    assert cluster.queue.due() is None


def test_scaling_makes_no_new_revision():
    cluster = rolled_out(2)
    scale(cluster, 5)
    run(cluster, 20)
    assert sizes(cluster) == {"1": 5}
    assert every(cluster, REPLICASETS)[0]["metadata"]["annotations"][PREFIX + "max-replicas"] == "7"


def test_scaling_a_stuck_rollout_is_shared_in_proportion():
    # It should do what was recorded: 8 old and 5 new ones of 10 become 11 and 7 of 15.
    cluster = rolled_out(10, strategy={"rollingUpdate": {"maxSurge": 3, "maxUnavailable": 2}})
    set_image(cluster, "demo:missing")
    run(cluster, 5)
    assert sizes(cluster) == {"1": 8, "2": 5}
    scale(cluster, 15)
    run(cluster, 5)
    assert "Scaled up 1 from 8 to 11" in scaling_events(cluster)
    assert "Scaled up 2 from 5 to 7" in scaling_events(cluster)
    assert sizes(cluster) == {"1": 11, "2": 7}


def test_a_rollout_without_progress_is_said_to_have_timed_out():
    cluster = rolled_out(1, progressDeadlineSeconds=8)
    start = cluster.clock.now
    set_image(cluster, "demo:missing")
    run(cluster, 30)
    name = next(each["metadata"]["name"] for each in every(cluster, REPLICASETS) if each["metadata"]["annotations"][PREFIX + "revision"] == "2")
    expected = ("Progressing", "False", "ProgressDeadlineExceeded", f'ReplicaSet "{name}" has timed out progressing.')
    assert conditions(get(cluster, DEPLOYMENTS, "web"))[-1] == expected
    exceeded = [change.at for change in cluster.etcd.since(0, "/registry/deployments/") if "ProgressDeadlineExceeded" in str(change.object["status"])]
    assert 8_000 < exceeded[0] - start < 10_500
    # It should go straight on when the template is repaired.
    set_image(cluster, "demo:ok")
    run(cluster, 20)
    assert conditions(get(cluster, DEPLOYMENTS, "web"))[-1][2] == "NewReplicaSetAvailable"


def test_ready_pods_become_available_after_min_ready_seconds(cluster):
    create(cluster, a_deployment(replicas=2, minReadySeconds=10))
    run(cluster, 8)
    status = get(cluster, DEPLOYMENTS, "web")["status"]
    assert status["readyReplicas"] == 2 and "availableReplicas" not in status
    run(cluster, 10)
    assert get(cluster, DEPLOYMENTS, "web")["status"]["availableReplicas"] == 2


def test_a_new_deployment_adopts_the_replicaset_that_was_left_behind():
    cluster = rolled_out(2)
    before = [pod["metadata"]["uid"] for pod in every(cluster, "pods")]
    delete(cluster, DEPLOYMENTS, "web", "Orphan")
    run(cluster, 2)
    assert get(cluster, DEPLOYMENTS, "web") is None
    assert "ownerReferences" not in every(cluster, REPLICASETS)[0]["metadata"]
    create(cluster, a_deployment(replicas=2))
    run(cluster, 5)
    (adopted,) = every(cluster, REPLICASETS)
    assert adopted["metadata"]["ownerReferences"][0]["uid"] == get(cluster, DEPLOYMENTS, "web")["metadata"]["uid"]
    assert [pod["metadata"]["uid"] for pod in every(cluster, "pods")] == before
    assert "FoundNewReplicaSet" in [conditions(each)[0][2] for each in history(cluster, DEPLOYMENTS, "web") if each["status"].get("conditions")]


def test_a_taken_name_gives_the_hash_another_ingredient():
    first = every(rolled_out(1), REPLICASETS)[0]
    cluster = a_cluster()
    squatter = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": first["metadata"]["name"], "namespace": "default"},
                "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "other"}},
                         "template": {"metadata": {"labels": {"app": "other"}}, "spec": {"containers": [{"name": "app", "image": "demo:ok"}]}}}}
    assert create(cluster, squatter).ok
    create(cluster, a_deployment(replicas=1))
    run(cluster, 10)
    status = get(cluster, DEPLOYMENTS, "web")["status"]
    assert status["collisionCount"] == 1 and status["availableReplicas"] == 1


def test_nothing_waits_when_a_rollout_is_over():
    cluster = rolled_out()
    run(cluster, 1200)
    assert len(cluster.queue) == 0
