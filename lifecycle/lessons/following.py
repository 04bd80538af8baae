"""How far a learner is: what a lesson's checks and predictions make of what happened in the cluster.

    follower = Follower(lesson, state, objects)
    follower.follow(steps, changes, now)
    follower.state

A pure function of the history: messages and changes of the store, in their order, from where `state` left off. In which pieces they come makes no difference.
`state` is JSON: {"task": id or None when all are done, "opened": {task: seq}, "ticked": {task: [check]}, "counts": {check: messages so far},
"done": {task: [wall s, virtual ms]}, "wrong": {task: [id]}, "hints": {task: shown}, "predictions": {id: {"answer", "first", "outcome", "seq"}}}.
What else is in it is kept.
"""
from copy import deepcopy

from .checks import enough, fits_object, fits_step, kind_of
from .predictions import answer_of


def fresh(lesson, seq):
    """The state of somebody who begins after message `seq`."""
    first = lesson.tasks[0].id
    return {"task": first, "opened": {first: seq}, "ticked": {}, "counts": {}, "done": {}, "wrong": {}, "hints": {}, "predictions": {}}


def timeline(steps, changes):
    """Messages and changes of the store in the order in which they were: a change comes before the message that tells of it."""
    waiting = list(reversed(changes))
    for step in steps:
        while waiting and step.target == "etcd" and step.revision is not None and waiting[-1].revision <= step.revision:
            yield None, waiting.pop()
        yield step, None
    yield from ((None, change) for change in reversed(waiting))


class Follower:
    """Follows one learner; `objects` are the stored ones, {key: manifest}, where `state` left off."""

    def __init__(self, lesson, state, objects):
        self.lesson, self.state, self.objects = lesson, deepcopy(state), dict(objects)
        self.task = lesson.task(self.state["task"])
        self.seq = max(self.state["opened"].values(), default=0)
        self.now = self.at = 0
        self._count()

    def follow(self, steps, changes, now=0):
        """Take what happened next; `now` is the time of the wall, in seconds."""
        self.now = now
        self.settle()
        for step, change in timeline(steps, changes):
            if change:
                self._changed(change)
            else:
                self._said(step)
            self.settle()

    # -- what happened -----------------------------------------------------------------------------------------------------
    def _said(self, step):
        self.seq, self.at = step.seq, step.at
        for prediction in self._waiting():
            self._answer(prediction, answer_of(prediction, step=step))
        if self.task is None:
            return
        for check in self.task.checks:
            if not check.objects and fits_step(check, step):
                self.state["counts"][check.id] = self.state["counts"].get(check.id, 0) + 1
        for wrong in self.task.wrong:
            if not wrong.objects and fits_step(wrong, step):
                self._turned_wrong(wrong)

    def _changed(self, change):
        self.at, key = change.at, change.key
        thing = None if change.type == "DELETED" else change.object
        if thing is None:
            self.objects.pop(key, None)
        else:
            self.objects[key] = thing
        for prediction in self._waiting():
            self._answer(prediction, answer_of(prediction, key=key, thing=thing))
        for looked_for, found in self.matching:
            if kind_of(key) == looked_for.objects:
                (found.add if fits_object(looked_for, key, thing) else found.discard)(key)
                if looked_for in self.task.wrong and enough(looked_for, len(found)) and (key in found or looked_for.none):
                    self._turned_wrong(looked_for)

    def _waiting(self):
        """The predictions that the run has not answered: of this task and of those before it."""
        return [each for each in self.lesson.predictions
                if each.task in self.state["opened"] and self.state["predictions"].get(each.id, {}).get("outcome") is None]

    def _answer(self, prediction, outcome):
        if outcome is not None:
            self.state["predictions"].setdefault(prediction.id, {}).update(outcome=outcome, seq=self.seq)

    def _turned_wrong(self, wrong):
        seen = self.state["wrong"].setdefault(self.task.id, [])
        if wrong.id not in seen:
            seen.append(wrong.id)

    # -- how far that is ---------------------------------------------------------------------------------------------------
    def _count(self):
        """Find the objects that the task's checks are about."""
        looked_for = [] if self.task is None else [each for each in (*self.task.checks, *self.task.wrong) if each.objects]
        self.matching = [(each, {key for key, thing in self.objects.items() if fits_object(each, key, thing)}) for each in looked_for]

    def number(self, check):
        """How many there are of what a check of this task looks for."""
        if not check.objects:
            return self.state["counts"].get(check.id, 0)
        return next(len(found) for each, found in self.matching if each is check)

    def settle(self):
        """Tick what is true, and go on to the next task while one is done."""
        while self.task is not None:
            ticked = self.state["ticked"].setdefault(self.task.id, [])
            true = [check.id for check in self.task.checks if enough(check, self.number(check))]
            ticked.extend(id for id in true if id not in ticked)
            if not all(check.id in (true if check.now else ticked) for check in self.task.checks):
                return
            self._next()

    def _next(self):
        self.state["done"][self.task.id] = [self.now, self.at]
        self.task = self.lesson.after(self.task.id)
        self.state["task"], self.state["counts"] = self.task and self.task.id, {}
        if self.task:
            self.state["opened"][self.task.id] = self.seq
        self._count()
