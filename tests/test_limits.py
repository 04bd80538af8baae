"""What one learner may use, and how it is said when it is too much."""
import pytest
from django.contrib.auth import get_user_model

from lifecycle import clusters, looking_back, sessions
from lifecycle.models import Cluster

pytestmark = pytest.mark.django_db


def test_a_guest_has_so_many_clusters_at_most(settings):
    settings.LIFECYCLE_CLUSTERS = 2
    for name in ("one", "two"):
        clusters.create(name, 1, guest="ada")
    with pytest.raises(clusters.LimitReached, match="You have 2 clusters already; 2 is the most"):
        clusters.create("three", 1, guest="ada")
    # It should not count those of others
    clusters.create("three", 1, guest="bob")
    # It should have room again when one is gone
    clusters.delete(Cluster.objects.get(name="one").pk)
    clusters.create("three", 1, guest="ada")


def test_a_learners_account_has_the_same_limit_and_an_instructor_none(settings):
    settings.LIFECYCLE_CLUSTERS = 1
    ada, ivy = (get_user_model().objects.create_user(name, is_staff=name == "ivy") for name in ("ada", "ivy"))
    for owner in (ada, ivy):
        clusters.create("one", 1, owner=owner)
    clusters.create("two", 1, owner=ivy)
    with pytest.raises(clusters.LimitReached):
        clusters.create("two", 1, owner=ada)


@pytest.mark.parametrize("nodes", [-1, 0, 11])
def test_a_cluster_has_one_to_ten_nodes(nodes):
    with pytest.raises(clusters.LimitReached, match="1 to 10 nodes"):
        clusters.create("web", nodes)
    assert not Cluster.objects.exists()


def test_too_many_commands_in_a_minute_are_refused(settings):
    settings.LIFECYCLE_COMMANDS_A_MINUTE = 2
    pk = clusters.create("web", 1).pk
    clusters.command(pk, "kubectl get pods")
    clusters.fault(pk, "node n1 down")
    before = Cluster.objects.get(pk=pk)
    with pytest.raises(clusters.LimitReached, match="More than 2 commands in a minute"):
        clusters.command(pk, "kubectl get pods")
    assert Cluster.objects.get(pk=pk).messages == before.messages
    # It should go on in another minute
    Cluster.objects.filter(pk=pk).update(minute=before.minute - 1)
    clusters.command(pk, "kubectl get pods")


def test_a_command_and_what_it_reads_may_not_be_too_large():
    pk = clusters.create("web", 1).pk
    with pytest.raises(clusters.LimitReached, match="65536 characters"):
        clusters.command(pk, "kubectl get pods " + "x" * 70_000)
    with pytest.raises(clusters.LimitReached, match="1 MiB"):
        clusters.command(pk, "kubectl apply -f a.yaml -f b.yaml", {"a.yaml": "#" * 600_000, "b.yaml": "#" * 600_000})


def test_a_full_store_takes_no_more_objects_and_says_so(settings):
    settings.LIFECYCLE_PODS = 3
    pk = clusters.create("web", 1, seed=1).pk
    clusters.command(pk, "kubectl create deployment web --image=nginx --replicas=5")
    with sessions.open_cluster(pk) as cluster:
        cluster.simulation.run_until(cluster.simulation.clock.now + 5000)
    objects = looking_back.snapshot(pk).objects.values()
    assert sum(thing["kind"] == "Pod" for thing in objects) == 3
    assert "etcdserver: mvcc: database space exceeded" in {thing["message"].partition(": ")[2] for thing in objects if thing["kind"] == "Event"}


def test_an_unknown_fault_is_refused_in_words_and_changes_nothing():
    pk = clusters.create("web", 1).pk
    version = Cluster.objects.get(pk=pk).version
    with pytest.raises(ValueError, match='there is no node "n9"'):
        clusters.fault(pk, "node n9 down")
    assert Cluster.objects.get(pk=pk).version == version
