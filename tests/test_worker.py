"""The worker moves what is due, in the pace of each cluster, whoever else does the same."""
import asyncio
from concurrent.futures import ThreadPoolExecutor
from time import time

import pytest
import pytest_asyncio
from channels.db import database_sync_to_async as in_thread
from channels.routing import get_default_application
from django.db import connections

from lifecycle import clusters, looking_back, pace, worker
from lifecycle.models import Cluster

from .builders import a_cluster

pytestmark = pytest.mark.django_db(transaction=True)


def a_watched_cluster(kind="story", speed=None, line="kubectl run web --image=nginx"):
    """A cluster in which a command was just typed, looked at by somebody."""
    row = clusters.create("web", 1, seed=1)
    clusters.set_pace(row.pk, kind, speed)
    clusters.watch([row.pk])
    if line:
        clusters.command(row.pk, line)
    return row.pk


def said(pk):
    return Cluster.objects.get(pk=pk).messages


# -- one move --------------------------------------------------------------------------------------------------------------
def test_a_due_cluster_is_moved_and_due_again_later():
    pk = a_watched_cluster()
    before = said(pk)
    moved = worker.move(pk)
    assert moved.moved
    assert said(pk) > before
    assert moved.due == pytest.approx(time() + pace.USUAL["story"], abs=0.3)


def test_a_cluster_that_is_not_due_is_left_alone():
    pk = a_watched_cluster()
    worker.move(pk)
    before = said(pk)
    moved = worker.move(pk)
    assert not moved.moved
    assert said(pk) == before
    assert moved.due > time()


def test_a_paused_cluster_waits_for_the_learner():
    pk = a_watched_cluster("step")
    before = said(pk)
    assert worker.move(pk).due is None
    assert said(pk) == before
    # It should move when asked to
    assert clusters.next_message(pk)
    assert said(pk) > before


def test_a_cluster_that_nobody_watches_rests_until_somebody_does():
    pk = a_watched_cluster()
    Cluster.objects.filter(pk=pk).update(watched_until=time() - 1)
    before = said(pk)
    assert worker.move(pk).due is None
    assert said(pk) == before
    clusters.watch([pk])
    assert worker.move(pk).moved


def test_real_time_does_not_run_on_while_nobody_watches():
    pk = a_watched_cluster("real", 1, None)
    Cluster.objects.filter(pk=pk).update(watched_until=time() - 1, anchor_wall=time() - 3600)
    clusters.watch([pk])
    clusters.command(pk, "kubectl get pods")
    assert Cluster.objects.get(pk=pk).now < 2000


def test_a_settled_cluster_is_never_due():
    pk = a_watched_cluster("real", 1000)
    while (due := worker.move(pk).due) is not None and due < time() + 60:
        pass
    assert Cluster.objects.get(pk=pk).next_due is None
    pod = looking_back.snapshot(pk).objects["/registry/pods/default/web"]
    assert pod["status"]["phase"] == "Running"


def test_much_work_is_done_without_the_lock_and_thrown_away_if_somebody_acted_meanwhile(monkeypatch):
    pk = a_watched_cluster("real", 1000)
    worker.move(pk)
    Cluster.objects.filter(pk=pk).update(next_due=0)
    before, advance = said(pk), pace.advance

    def interrupted(row, simulation, now):
        advance(row, simulation, now + 10)
        clusters.set_pace(pk, "paused")

    monkeypatch.setattr(pace, "advance", interrupted)
    assert not worker.move(pk, ahead=True).moved
    assert said(pk) == before
    # It should go on from what is in the rows
    monkeypatch.undo()
    clusters.set_pace(pk, "real", 1000)
    while (due := worker.move(pk, ahead=True).due) is not None and due < time() + 60:
        pass
    assert looking_back.snapshot(pk).objects["/registry/pods/default/web"]["status"]["phase"] == "Running"


def test_real_time_tells_the_same_story_as_a_run_in_memory():
    pk = a_watched_cluster("real", 1000, "kubectl create deployment web --image=nginx --replicas=10")
    while (due := worker.move(pk, ahead=True).due) is not None and due < time() + 60:
        pass
    told = looking_back.messages(pk, limit=10_000)
    simulation = a_cluster(nodes=1)
    simulation.run_until(told[0].at)
    simulation.kubectl(told[0].facts["command"])
    simulation.run_until(Cluster.objects.get(pk=pk).now)
    assert told == simulation.log.steps


def test_an_overdue_cluster_is_found_without_being_told():
    pk = a_watched_cluster()
    Cluster.objects.filter(pk=pk).update(next_due=time() - 5)
    assert worker.overdue() == [pk]


def test_of_two_who_would_move_a_cluster_one_does():
    pk = a_watched_cluster()
    with ThreadPoolExecutor(4) as threads:
        moved = list(threads.map(move_once, [pk] * 4))
    assert sorted(moved) == [False, False, False, True]


def move_once(pk):
    """Whether this thread moved the cluster."""
    try:
        return worker.move(pk).moved
    finally:
        connections.close_all()


# -- tasks -----------------------------------------------------------------------------------------------------------------
async def until(condition, seconds=10):
    """Wait for something that others bring about."""
    async with asyncio.timeout(seconds):
        while not await in_thread(condition)():
            await asyncio.sleep(0.02)


@pytest_asyncio.fixture
async def engine():
    """The worker's engine in the test's own loop."""
    engine = worker.engine()
    yield engine
    tasks = [engine.sweeping, *(task for task, _ in engine.driven.values())]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    engine.threads.end()


@pytest.mark.asyncio
async def test_a_woken_cluster_is_moved_until_it_rests(engine):
    pk = await in_thread(a_watched_cluster)("story", 0.05)
    engine.wake(pk)
    await until(lambda: Cluster.objects.get(pk=pk).next_due is None)
    assert await in_thread(said)(pk) > 20
    await until(lambda: not engine.driven)


@pytest.mark.asyncio
async def test_a_lost_wake_up_is_made_up_for(engine):
    pk = await in_thread(a_watched_cluster)("story", 0.05)
    await until(lambda: said(pk) > 5)


@pytest.mark.asyncio
async def test_a_new_pace_counts_at_once(engine):
    pk = await in_thread(a_watched_cluster)("story", 60)
    engine.wake(pk)
    await until(lambda: engine.driven and said(pk) > 1)
    before = await in_thread(said)(pk)
    await in_thread(clusters.set_pace)(pk, "story", 0.05)
    engine.wake(pk)
    await until(lambda: said(pk) > before + 5)


@pytest.mark.asyncio
async def test_a_simulation_that_fails_stops_no_other(engine, monkeypatch, caplog):
    broken, sound = [await in_thread(a_watched_cluster)("story", 0.05) for _ in range(2)]
    advance = pace.advance

    def failing(row, simulation, now):
        if row.pk == broken:
            raise ValueError("broken")
        advance(row, simulation, now)

    monkeypatch.setattr(pace, "advance", failing)
    before = await in_thread(said)(broken)
    engine.wake(broken)
    engine.wake(sound)
    await until(lambda: Cluster.objects.get(pk=sound).next_due is None)
    # It should not be tried again at once, and nothing of the failed move should be left
    assert (await Cluster.objects.aget(pk=broken)).next_due > time() + 10
    assert await in_thread(said)(broken) == before
    assert "cluster stands still" in caplog.text


@pytest.mark.asyncio
async def test_wake_ups_arrive_over_the_channel(engine):
    pk = await in_thread(a_watched_cluster)("story", 0.05)
    application = get_default_application()
    incoming = asyncio.Queue()
    await incoming.put({"type": "cluster.wake", "cluster": pk})
    consumer = asyncio.create_task(application({"type": "channel", "channel": "engine"}, incoming.get, None))
    await until(lambda: pk in engine.driven)
    consumer.cancel()
