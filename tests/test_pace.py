"""How virtual time follows the wall."""
from types import SimpleNamespace

import pytest

from lifecycle import pace

from .builders import a_cluster

NOW = 1_000_000.0


def a_row(kind, speed=1.0, **fields):
    """A watched row of a cluster that has something to do at virtual 90 ms."""
    return SimpleNamespace(**{"pace": kind, "speed": speed, "watched_until": NOW + 10, "next_virtual": 90, "told": NOW - 0.5,
                              "anchor_wall": NOW - 1, "anchor_virtual": 0, "now": 0, "stops": [], **fields})


@pytest.mark.parametrize("kind", ["paused", "step"])
def test_a_paused_cluster_does_not_move_by_itself(kind):
    assert pace.due_at(a_row(kind), NOW) is None


@pytest.mark.parametrize("kind", ["story", "real"])
def test_a_cluster_that_nobody_watches_does_not_move(kind):
    assert pace.due_at(a_row(kind, watched_until=NOW), NOW) is None


@pytest.mark.parametrize("kind", ["story", "real"])
def test_a_settled_cluster_is_never_due(kind):
    assert pace.due_at(a_row(kind, next_virtual=None), NOW) is None


def test_a_story_goes_on_so_many_seconds_after_its_last_message():
    assert pace.due_at(a_row("story", 0.8), NOW) == pytest.approx(NOW + 0.3)


def test_a_story_crosses_an_idle_gap_at_once():
    # It should not matter that the next work is an hour away
    assert pace.due_at(a_row("story", 0.8, next_virtual=3_600_000), NOW) == pytest.approx(NOW + 0.3)


def test_real_time_waits_for_the_wall_as_much_as_its_speed_says():
    row = a_row("real", 2, anchor_wall=NOW, anchor_virtual=1000, next_virtual=5000)
    assert pace.due_at(row, NOW) == NOW + 2
    assert pace.virtual_now(row, NOW + 3) == 7000


def test_a_story_tells_one_work_item_that_says_something():
    cluster = a_cluster()
    cluster.kubectl("kubectl run web --image=nginx")
    said, row = cluster.log.seq, a_row("story")
    pace.advance(row, cluster, NOW)
    assert cluster.log.seq > said
    assert row.told == NOW
    # It should all have happened at one moment
    assert len({step.at for step in cluster.log.steps[said:]}) == 1


def test_a_story_with_nothing_to_tell_is_not_told():
    row = a_row("story")
    pace.advance(row, a_cluster(), NOW)
    assert row.told == NOW - 0.5


def test_real_time_does_everything_that_is_due_and_moves_the_clock():
    cluster = a_cluster()
    cluster.kubectl("kubectl run web --image=nginx")
    pace.advance(a_row("real", 10), cluster, NOW)
    assert cluster.clock.now == 10_000
    assert cluster.queue.due() is None or cluster.queue.due() > 10_000


def test_what_passed_before_real_time_began_does_not_count():
    row = a_row("real", anchor_wall=NOW - 5000, now=4000)
    pace.anchor(row, NOW)
    assert pace.virtual_now(row, NOW + 1) == 5000


@pytest.mark.parametrize("kind, speed, said", [
    ("fast", None, 'there is no pace "fast"'), ("story", 0, "story: a speed from 0.05 to 60"), ("real", 1001, "real: a speed from 0.01 to 1000")])
def test_an_impossible_pace_is_refused_in_words(kind, speed, said):
    with pytest.raises(ValueError, match=said):
        pace.check(kind, speed)


@pytest.mark.parametrize("kind, speed, becomes", [("real", None, 1), ("story", None, 0.8), ("real", 5, 5), ("paused", None, 3)])
def test_a_new_pace_has_its_usual_speed_and_a_pause_keeps_the_old_one(kind, speed, becomes):
    assert pace.speed_of(a_row("story" if kind != "story" else "real", 3), kind, speed) == becomes


# -- stops -----------------------------------------------------------------------------------------------------------------
BINDING = ["CreatePodBinding", {"node": "n1"}]


@pytest.mark.parametrize("kind, speed", [("story", 0.05), ("real", 1000)])
def test_a_cluster_pauses_right_after_the_message_that_is_a_stop(kind, speed):
    cluster, row = a_cluster(nodes=1), a_row(kind, speed, stops=[BINDING, ["RunPodSandbox", {}]])
    cluster.kubectl("kubectl run web --image=demo:ok")
    for _ in range(100):
        if row.pace == kind:
            pace.advance(row, cluster, NOW)
    assert row.pace == "paused" and row.stops == [["RunPodSandbox", {}]]
    reasons = [step.reason for step in cluster.log.steps]
    assert "CreatePodBinding" in reasons and "RunPodSandbox" not in reasons


def test_a_message_with_other_facts_is_no_stop():
    cluster, row = a_cluster(nodes=1), a_row("real", 1000, stops=[["CreatePodBinding", {"node": "n2"}]])
    cluster.kubectl("kubectl run web --image=demo:ok")
    for _ in range(20):
        pace.advance(row, cluster, NOW)
    assert row.pace == "real" and [step.reason for step in cluster.log.steps if step.reason == "CreatePodBinding"]
