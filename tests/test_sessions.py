"""A cluster lives in rows: it can be taken up by any process after any transaction, and everything that was can be found again."""
import orjson
import pytest

from lifecycle import clusters, looking_back, sessions
from lifecycle.simulation import state
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.cluster import Cluster as Simulation

from .test_saving import EVERYTHING, STORIES

pytestmark = pytest.mark.django_db(transaction=True)


def a_learners_cluster(nodes=3, seed=1):
    return clusters.create("web", nodes, seed=seed)


def plain(simulation):
    """Everything durable, in a form in which the order of disk spaces does not count."""
    found = state.saved(simulation)
    del found["history"]
    found["disk"] = {space: list(part.items()) for space, part in sorted(found["disk"].items())}
    found["waiting"], found["deliveries"] = sorted(found["waiting"]), sorted(found["deliveries"])
    return orjson.loads(orjson.dumps(found))


def play_in_rows(story, every, reload):
    """Plays a story through transactions of `every` work items; with `reload`, each begins from the rows."""
    row = a_learners_cluster()
    for at, words in story:
        more = True
        while more:
            with sessions.open_cluster(row.pk) as cluster:
                simulation = cluster.simulation
                for _ in range(every):
                    due = simulation.queue.due()
                    more = due is not None and due <= at * 1000
                    if not more:
                        break
                    simulation.step()
            if reload:
                sessions.forget(row.pk)
        with sessions.open_cluster(row.pk) as cluster:
            cluster.simulation.run_until(at * 1000)
            do(cluster.simulation, words)
    return row.pk


def do(simulation, words):
    if words and words.startswith("kubectl"):
        simulation.kubectl(words, {"all.yaml": EVERYTHING})
    elif words:
        simulation.fault(words)


def play_in_memory(story):
    simulation = Simulation(1)
    bootstrap(simulation, 3)
    snapshots = []
    for at, words in story:
        simulation.run_until(at * 1000)
        do(simulation, words)
        snapshots.append((simulation.log.seq, simulation.etcd.revision, dict(simulation.etcd.objects())))
    return simulation, snapshots


@pytest.mark.parametrize("name, every, reload", [
    ("a Pod comes and goes", 1, True), ("a Deployment comes, is updated and goes", 25, True), ("things that go wrong", 7, False),
    ("too little room", 25, True)])
def test_a_story_told_through_rows_is_the_same_story(name, every, reload):
    simulation, snapshots = play_in_memory(STORIES[name])
    pk = play_in_rows(STORIES[name], every, reload)

    # It should have said the same messages
    found = looking_back.messages(pk, limit=100_000)
    assert [orjson.dumps(list(step)) for step in found] == [orjson.dumps(list(step)) for step in simulation.log.steps]

    # It should stand where the other stands, in memory and in the rows
    sessions.forget(pk)
    with sessions.open_cluster(pk) as cluster:
        assert plain(cluster.simulation) == plain(simulation)
        assert cluster.simulation.etcd.since(0) == simulation.etcd.since(0)

    # It should know every earlier state
    for seq, revision, objects in snapshots:
        if seq:
            snapshot = looking_back.snapshot(pk, seq)
            assert (snapshot.revision, snapshot.objects) == (revision, objects)
