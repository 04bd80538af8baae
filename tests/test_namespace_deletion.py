"""How a namespace is emptied and given up: in passes five seconds apart."""
from .builders import a_cluster, a_pod, create, get, run, said
from .changes import delete, history, patch

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kept", "namespace": "gone", "finalizers": ["example.com/keep"]}}


def a_namespace(*contents):
    cluster = a_cluster()
    create(cluster, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "gone"}})
    run(cluster, 1)
    for thing in contents:
        create(cluster, {**thing, "metadata": {**thing["metadata"], "namespace": "gone"}})
    run(cluster, 10)
    return cluster


def collections(cluster):
    """Virtual seconds, from the first, at which Pods were deleted in bulk."""
    times = [step.at / 1000 for step in said(cluster, "DeleteCollectionPod")]
    return [round(at - times[0]) for at in times]


def conditions(thing):
    return {each["type"]: each["reason"] for each in thing["status"].get("conditions", ())}


def test_nothing_happens_for_five_seconds():
    cluster = a_namespace(a_pod())
    delete(cluster, "namespaces", "gone", namespace="")
    run(cluster, 4.9)
    assert get(cluster, "pods", "web", "gone")["metadata"].get("deletionTimestamp") is None
    run(cluster, 0.2)
    assert get(cluster, "pods", "web", "gone")["metadata"].get("deletionTimestamp")


def test_a_change_of_the_namespace_is_no_reason_to_look_earlier():
    cluster = a_namespace(a_pod(image="busybox", container={"command": ["sleep", "86400"]}, terminationGracePeriodSeconds=8))
    delete(cluster, "namespaces", "gone", namespace="")
    run(cluster, 6)
    patch(cluster, "namespaces", "gone", {"metadata": {"labels": {"a": "b"}}}, namespace="")
    run(cluster, 30)
    assert get(cluster, "namespaces", "gone", "") is None
    assert collections(cluster) == [0, 5, 10]


def test_the_conditions_say_that_all_is_gone_before_the_namespace_goes():
    cluster = a_namespace(CONFIG)
    delete(cluster, "namespaces", "gone", namespace="")
    run(cluster, 8)
    told = conditions(get(cluster, "namespaces", "gone", ""))
    assert (told["NamespaceContentRemaining"], told["NamespaceFinalizersRemaining"]) == ("SomeResourcesRemain", "SomeFinalizersRemain")
    patch(cluster, "configmaps", "kept", {"metadata": {"finalizers": None}}, namespace="gone")
    run(cluster, 10)
    assert get(cluster, "namespaces", "gone", "") is None
    told = [conditions(state) for state in history(cluster, "namespaces", "gone", "") if state]
    assert (told[-1]["NamespaceContentRemaining"], told[-1]["NamespaceFinalizersRemaining"]) == ("ContentRemoved", "ContentHasNoFinalizers")
