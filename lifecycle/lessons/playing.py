"""Plays a lesson's own solution without pages or database, and judges it exactly as the pages do."""
from typing import NamedTuple

from ..simulation.bootstrap import bootstrap
from . import acting
from .checks import enough
from .following import Follower, fresh
from .predictions import options_of

CPU, MEMORY = "2", "4Gi"       # of each node, as clusters.py gives them
LONGER = 600_000               # virtual ms for which a task may still be done after its solution


class PlayedTask(NamedTuple):
    """`done` is when, in virtual ms, or None; `missing` are the checks without a tick as (id, number so far)."""

    id: str
    done: int | None
    missing: list
    late: int                      # virtual ms after the last line of the solution


class PlayedPrediction(NamedTuple):
    """`outcome` is what the run answered, or None; `fitting` whether it is among the options."""

    id: str
    outcome: str | None
    seq: int | None
    fitting: bool


class Played(NamedTuple):
    """`right` is whether everything came true."""

    tasks: list
    predictions: list
    messages: int
    now: int

    @property
    def right(self):
        return all(task.done is not None for task in self.tasks) and all(each.fitting for each in self.predictions)


class Player:
    """A lesson, the cluster it is played on (a fresh one), and how far the solution has come."""

    def __init__(self, lesson, simulation):
        self.lesson, self.simulation = lesson, simulation
        bootstrap(self.simulation, lesson.nodes, CPU, MEMORY)
        acting.begin(self.simulation, lesson.start, lesson.files)
        self.told, self.revision, self.opened = 0, self.simulation.etcd.revision, set()
        self.follower = Follower(lesson, fresh(lesson, self.simulation.log.seq), self.objects())
        self.late = {}

    def objects(self):
        etcd = self.simulation.etcd
        return {key: etcd.get(key) for key in etcd.created}

    def play(self):
        """Play everything; the Played."""
        self.open()
        for task in self.lesson.tasks:
            for line in task.solution:
                acting.do(self.simulation, line, self.lesson.files, self.follow)
            end = self.simulation.clock.now
            acting.run_while(self.simulation, LONGER, self.follow, lambda id=task.id: id not in self.follower.state["done"])
            self.late[task.id] = self.simulation.clock.now - end
            if task.id not in self.follower.state["done"]:
                break
        acting.run_while(self.simulation, LONGER, self.follow, lambda: bool(self.unanswered()))
        return self.played()

    def follow(self):
        """Show the follower what was new."""
        steps, etcd = self.simulation.log.steps, self.simulation.etcd
        if len(steps) == self.told and etcd.revision == self.revision:
            return
        self.follower.follow(steps[self.told:], etcd.since(self.revision))
        self.told, self.revision = len(steps), etcd.revision
        self.open()

    def open(self):
        """Do what is done when the task opens that has just been reached."""
        task = self.follower.task
        if task and task.id not in self.opened:
            self.opened.add(task.id)
            for line in task.begin:
                acting.give(self.simulation, line, self.lesson.files)

    # -- what came of it ---------------------------------------------------------------------------------------------------
    def unanswered(self):
        answered = self.follower.state["predictions"]
        return [each.id for each in self.lesson.predictions if answered.get(each.id, {}).get("outcome") is None]

    def played(self):
        nodes = [key.rpartition("/")[2] for key in self.simulation.etcd.created if key.startswith("/registry/minions/")]
        return Played([self.of_task(task) for task in self.lesson.tasks], [self.of_prediction(each, nodes) for each in self.lesson.predictions],
                      self.simulation.log.seq, self.simulation.clock.now)

    def of_task(self, task):
        state = self.follower.state
        done = state["done"].get(task.id)
        if done or task is not self.follower.task:
            return PlayedTask(task.id, done and done[1], [] if done else [(check.id, 0) for check in task.checks], self.late.get(task.id, 0))
        ticked = state["ticked"].get(task.id, ())
        missing = [(check.id, self.follower.number(check)) for check in task.checks
                   if check.id not in ticked or (check.now and not enough(check, self.follower.number(check)))]
        return PlayedTask(task.id, None, missing, self.late.get(task.id, 0))

    def of_prediction(self, prediction, nodes):
        known = self.follower.state["predictions"].get(prediction.id, {})
        outcome = known.get("outcome")
        return PlayedPrediction(prediction.id, outcome, known.get("seq"), outcome in options_of(prediction, nodes))


def play(lesson, simulation):
    """The Played of a Lesson's solution on a fresh simulated cluster."""
    return Player(lesson, simulation).play()
