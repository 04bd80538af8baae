"""What kubectl describe shows of one object and of several."""
from .builders import a_cluster, a_pod, create, kubectl, run


def two_pods():
    cluster = a_cluster()
    create(cluster, a_pod("one"))
    create(cluster, a_pod("two"))
    run(cluster, 10)
    return cluster


def described(cluster, line):
    return kubectl(cluster, line, seconds=1)["output"]


def test_events_are_shown_of_an_object_that_is_described_alone():
    cluster = two_pods()
    assert "Events:" in described(cluster, "kubectl describe pod one")
    assert "Events:" not in described(cluster, "kubectl describe pod one --show-events=false")


def test_several_objects_are_described_without_events():
    cluster = two_pods()
    for line in ("kubectl describe pods", "kubectl describe pod one two", "kubectl describe pod/one pod/two"):
        printed = described(cluster, line)
        assert printed.count("Name:             ") == 2 and "Events:" not in printed, line


def test_the_only_object_of_a_kind_counts_as_one():
    cluster = a_cluster()
    create(cluster, a_pod("one"))
    run(cluster, 10)
    assert "Events:" in described(cluster, "kubectl describe pods")
