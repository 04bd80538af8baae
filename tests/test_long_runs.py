"""The long run in small: one cluster that lives on, and whether the random stories know everything that can be broken."""
import pytest

from lifecycle.simulation.faults import FAULTS
from lifecycle.simulation.faults.fault import match

from . import random_scripts
from .builders import a_pod, create
from .long_runs import drawn, joined, long_life, shortest
from .machinery import stuck
from .random_runs import Player
from .random_scripts import Act, Script


def test_a_cluster_to_which_one_thing_after_the_other_happens_keeps_the_rules():
    for _, problems, played in long_life(2, 80):
        assert problems == [], "\n".join(played)


def test_the_same_number_draws_the_same_scripts_with_as_many_acts_as_asked_for():
    some = list(drawn(1, 100))
    assert some == list(drawn(1, 100))
    assert sum(len(script.acts) for script in some) >= 100
    assert sum(len(script.acts) for script in joined(some)) == sum(len(script.acts) for script in some)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.words)
def test_random_stories_know_every_fault(fault):
    assert any(match(fault, words.split()) is not None for words in random_scripts.FAULTS)


def test_what_goes_wrong_is_told_as_short_as_it_gets(monkeypatch):
    monkeypatch.setattr("tests.long_runs.flaws", lambda player: [words for words in player.played if "cordon" in words])
    acts = [Act(1, words, 0, "") for words in ("kubectl get pods", "kubectl cordon n1", "node n1 down", "node n1 up")]
    assert [act.words for act in shortest(Script(1, 1, acts)).acts] == ["kubectl cordon n1"]


def test_work_that_is_noted_as_not_done_has_to_wait_in_the_queue():
    player = Player(Script(1, 1, []))
    create(player.cluster, a_pod())
    player.run_until(50)
    player.cluster.fault("etcd down")
    player.run_until(30_000)
    assert player.cluster.etcd.disk("refused") and list(stuck(player)) == []
    for name in list(player.cluster.queue.waiting):
        player.cluster.queue.remove(*name)
    assert list(stuck(player))
