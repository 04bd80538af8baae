"""Everything that was can be looked at again, while the cluster goes on."""
import pytest

from lifecycle import clusters, looking_back, sessions
from lifecycle.history import PACK
from lifecycle.models import Cluster, Revisions, Steps
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.client import Request
from lifecycle.simulation.cluster import Cluster as Simulation
from lifecycle.simulation.resources import resource

pytestmark = pytest.mark.django_db
POD = "/registry/pods/default/web"
STORY = ("kubectl run web --image=nginx", "kubectl label pod web tier=front", "kubectl delete pod web", "kubectl run web --image=httpd", "kubectl get pods")


@pytest.fixture(scope="module")
def told():
    """The story in memory: the simulation, and after every work item (messages, revision, objects)."""
    simulation, states = Simulation(7), []
    bootstrap(simulation, 3)
    for line in STORY:
        simulation.kubectl(line)
        while simulation.step():
            states.append((simulation.log.seq, simulation.etcd.revision, dict(simulation.etcd.objects())))
    return simulation, states


@pytest.fixture
def pk():
    """The same story in rows, a few transactions for each command."""
    pk = clusters.create("web", 3, seed=7).pk
    for line in STORY:
        with sessions.open_cluster(pk) as cluster:
            cluster.simulation.kubectl(line)
        while step_some(pk):
            pass
    return pk


def step_some(pk):
    with sessions.open_cluster(pk) as cluster:
        return all(cluster.simulation.step() for _ in range(5))


def test_messages_come_in_order_from_where_one_asks(pk, told):
    everything = told[0].log.steps
    assert looking_back.messages(pk, limit=10_000) == everything
    assert looking_back.messages(pk, after=50, limit=30) == everything[50:80]
    assert looking_back.messages(pk, before=101, limit=30) == everything[70:100]
    assert looking_back.messages(pk, after=90, before=101, limit=200) == everything[90:100]
    assert looking_back.messages(pk, before=5) == everything[:4]
    assert looking_back.messages(pk, after=len(everything)) == []


def test_a_message_is_found_by_its_number(pk, told):
    assert looking_back.message(pk, 17) == told[0].log.steps[16]
    assert looking_back.message(pk, 0) is None
    assert looking_back.message(pk, 10_000) is None


def test_the_cluster_is_seen_as_it_was_at_every_message(pk, told):
    for seq, revision, objects in told[1]:
        snapshot = looking_back.snapshot(pk, seq)
        assert (snapshot.seq, snapshot.revision, snapshot.objects) == (seq, revision, objects)


def test_now_is_what_the_rows_hold(pk, told):
    snapshot = looking_back.snapshot(pk)
    assert (snapshot.seq, snapshot.at, snapshot.objects) == (told[0].log.seq, told[0].clock.now, told[1][-1][2])


def test_a_message_that_is_not_there_cannot_be_looked_back_at(pk):
    with pytest.raises(LookupError):
        looking_back.snapshot(pk, 10_000)
    with pytest.raises(Cluster.DoesNotExist):
        looking_back.snapshot(pk + 1)


def test_a_message_that_stored_something_shows_before_and_after(pk, told):
    changes = {change.revision: change for change in told[0].etcd.history}
    written = [step for step in told[0].log.steps if step.target == "etcd"]
    assert len(written) > 20
    for step in written:
        change = changes[step.revision]
        assert looking_back.change_of(pk, step) == (change.previous, None if change.type == "DELETED" else change.object)


def test_a_message_that_stored_nothing_shows_no_change(pk, told):
    silent = next(step for step in told[0].log.steps if step.reason == "RunCommand")
    assert looking_back.change_of(pk, silent) == (None, None)


def test_a_snapshot_goes_on_from_an_earlier_one(pk, told):
    # It should be what reading everything gives, and say what has changed
    middle = looking_back.snapshot(pk, 60)
    now = looking_back.snapshot_of(Cluster.objects.get(pk=pk), middle)
    assert now.objects == looking_back.snapshot(pk).objects
    assert now.changed == {change.key for change in told[0].etcd.history if change.revision > middle.revision}
    assert looking_back.changed_since(Cluster.objects.get(pk=pk), now, 60).changed == now.changed


def test_reading_beside_a_writer_mixes_no_states(pk, told, monkeypatch):
    """The cluster moves on between the queries of a reader."""
    seq, _, objects = told[1][-1]
    live = looking_back._live

    def moved_meanwhile(*arguments):
        found = list(live(*arguments))
        with sessions.open_cluster(pk) as cluster:
            cluster.simulation.kubectl("kubectl delete pod web --now")
            cluster.simulation.run_until_settled(10 ** 9)
            cluster.simulation.kubectl("kubectl run other --image=nginx")
            cluster.simulation.run_until_settled(10 ** 9)
        return found

    monkeypatch.setattr(looking_back, "_live", moved_meanwhile)
    assert looking_back.snapshot(pk, seq).objects == objects


def test_history_takes_few_rows(pk):
    row = Cluster.objects.get(pk=pk)
    assert Steps.objects.filter(cluster=pk).count() == -(-row.messages // PACK)
    assert Revisions.objects.filter(cluster=pk).count() == -(-row.revision // PACK)


# -- compaction ------------------------------------------------------------------------------------------------------------
def test_old_history_is_cut_off_and_the_rest_stays_as_it_was(pk, told):
    with sessions.open_cluster(pk) as cluster:
        sessions.compact(cluster, 100)
    row = Cluster.objects.get(pk=pk)
    assert row.messages - 100 - PACK <= row.forgotten < row.messages - 100
    assert looking_back.messages(pk, limit=10_000) == told[0].log.steps[row.forgotten:]
    for seq, _, objects in told[1]:
        if seq > row.forgotten:
            assert looking_back.snapshot(pk, seq).objects == objects
    with pytest.raises(LookupError):
        looking_back.snapshot(pk, row.forgotten)


def test_who_asks_the_api_for_what_was_compacted_is_told_that_it_is_gone(pk):
    clusters.compact(pk)
    row = Cluster.objects.get(pk=pk)
    assert row.compacted > 0
    with sessions.open_cluster(pk) as cluster:
        frames = cluster.simulation.api.watch(Request("watch", resource("pods")), row.compacted - 1)
        assert [(frame["type"], frame["object"]["code"], frame["object"]["reason"]) for frame in frames] == [("ERROR", 410, "Expired")]


def test_who_owns_the_fields_of_an_object_is_known_beyond_the_compaction(pk):
    def managers():
        with sessions.open_cluster(pk) as cluster:
            assert cluster.simulation.etcd.created["/registry/minions/n1"] < max(cluster.row.compacted, 60)
            answer = cluster.simulation.api.http("GET", "/api/v1/nodes/n1", show_managed_fields=True)
            return answer.body["metadata"]["managedFields"]

    before = managers()
    assert "kubelet" in {entry["manager"] for entry in before}
    for _ in range(2):
        clusters.compact(pk)
        sessions.forget(pk)
        assert managers() == before


def test_a_cluster_compacts_itself_when_it_has_said_twice_what_is_kept(pk):
    Cluster.objects.filter(pk=pk).update(keep=100)
    with sessions.open_cluster(pk):
        pass
    row = Cluster.objects.get(pk=pk)
    assert 100 <= row.messages - row.forgotten <= 100 + PACK


# -- beginning anew --------------------------------------------------------------------------------------------------------
def test_a_reset_cluster_is_as_it_was_when_it_was_made(pk):
    before, fresh = Cluster.objects.get(pk=pk), clusters.create("other", 3, seed=7)
    clusters.reset(pk)
    row = Cluster.objects.get(pk=pk)
    assert looking_back.snapshot(pk).objects == looking_back.snapshot(fresh.pk).objects
    assert (row.now, row.revision, row.next_virtual) == (0, fresh.revision, None)
    # It should not say a number twice
    assert looking_back.messages(pk) == []
    assert row.messages == row.forgotten == before.messages + 1
    clusters.command(pk, STORY[0])
    assert looking_back.messages(pk)[0].seq == before.messages + 2
    # It should tell the same story
    clusters.command(fresh.pk, STORY[0])
    assert [step[1:] for step in looking_back.messages(pk)] == [step[1:] for step in looking_back.messages(fresh.pk)]
