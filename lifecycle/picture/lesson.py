"""The panel of a lesson: its tasks with their ticks, hints and wrong turns, its predictions, and how the end is reached."""
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..lessons.following import Follower
from ..lessons.markup import block, inline
from ..lessons.missing import gap
from ..lessons.predictions import options_of
from ..simulation.resources import registry
from .actors import language
from .nodes import NODES, natural


class Tick(NamedTuple):
    """A check of the open task; `count` says how much of it is there, where that is more than one thing."""

    id: str
    words: str
    done: bool
    count: str


class Option(NamedTuple):
    id: str
    words: str
    chosen: bool
    right: bool


class Card(NamedTuple):
    """A prediction. `mark` is "" until the run has answered, then "right", "wrong" or "unanswered"."""

    id: str
    question: str
    options: list
    answered: bool
    skipped: bool
    held: bool                     # the cluster waits for it
    mark: str
    outcome: str                   # in words
    seq: int | None                # the message that answered
    explanation: str


class TaskView(NamedTuple):
    """A task; what only the open one has is empty for the others."""

    id: str
    title: str
    state: str                     # "done", "open" or "later"
    text: str
    done: str
    ticks: list
    wrong: list
    acts: list                     # (line, words)
    manifest: str
    hints: list
    more_hints: bool
    missing: list
    cards: list


class Panel(NamedTuple):
    """`place` and `count` are those of the open task, `last_done` is the id of the one before; `over` says that all tasks are done."""

    slug: str
    title: str
    tasks: list
    place: int
    count: int
    tasks_done: int
    last_done: str
    over: bool
    finished: bool
    outro: str


def panel(lesson, run, objects):
    """The Panel of a LessonRun over the stored objects, {key: manifest}, in the active language."""
    words = lesson.words[language()]
    follower = Follower(lesson, run.state, objects)
    nodes = node_names(objects)
    tasks = [task_view(task, words, follower, nodes) for task in lesson.tasks]
    done, count = len(run.state["done"]), len(tasks)
    last = lesson.tasks[done - 1].id if done else ""
    return Panel(lesson.slug, words["title"], tasks, min(done + 1, count), count, done, last, follower.task is None, run.finished is not None,
                 block(words["outro"], kinds=True))


def node_names(objects):
    """The names of a cluster's nodes, in the order in which people count."""
    return [key.rpartition("/")[2] for key in sorted(objects, key=natural) if key.startswith(NODES)]


def task_view(task, words, follower, nodes):
    state, told = follower.state, words["tasks"][task.id]
    standing = "done" if task.id in state["done"] else "open" if task is follower.task else "later"
    asked = [each for each in follower.lesson.predictions if each.task == task.id and standing != "later"]
    cards = [card(each, words["predictions"][each.id], state, nodes) for each in asked]
    closed = TaskView(task.id, inline(told["title"]), standing, "", "", [], [], [], "", [], False, [], cards)
    if standing == "later":
        return closed
    if standing == "done":
        return closed._replace(done=block(told["done"], kinds=True))
    ticks, shown = [tick(check, told, follower) for check in task.checks], state["hints"].get(task.id, 0)
    return closed._replace(
        text=block(told["text"], kinds=True), ticks=ticks, wrong=[inline(told["wrong"][id], kinds=True) for id in state["wrong"].get(task.id, ())],
        acts=[(line, told["acts"][line]) for line in task.acts], manifest=task.manifest, hints=[inline(hint, kinds=True) for hint in told["hints"][:shown]],
        more_hints=shown < len(told["hints"]), missing=[sentence for check, each in zip(task.checks, ticks) if shown and not each.done
                                                        if (sentence := missing(check, follower))])


# -- ticks -----------------------------------------------------------------------------------------------------------------
def tick(check, told, follower):
    done = check.id in follower.state["ticked"].get(follower.task.id, ())
    return Tick(check.id, inline(told["checks"][check.id]), done, "" if done else count(check, follower.number(check)))


def count(check, number):
    wanted = check.exactly if check.exactly is not None else check.count
    if check.none:
        return ngettext("%(number)s still there", "%(number)s still there", number) % {"number": number} if number else ""
    return _("%(number)s of %(wanted)s") % {"number": number, "wanted": wanted} if wanted > 1 else ""


def missing(check, follower):
    """A sentence on what keeps a check from being true, out of what is stored and what should be; "" where the check's own words say it all."""
    if not check.objects or check.none or not check.where:
        return ""
    kind = kind_named(check.objects)
    found = gap(check, follower.objects)
    if not found.name:
        return _("There is no %(kind)s yet.") % {"kind": kind}
    told = {"kind": kind, "name": found.name, "path": found.path, "actual": text(found.actual), "wanted": text(found.wanted), "sign": found.sign}
    if not found.path:
        return ""
    if found.path == "metadata.name" and found.sign == "==":
        return _("There is no %(kind)s “%(wanted)s” yet; there is “%(name)s”.") % told
    if found.actual is None:
        return _("%(kind)s “%(name)s” has no %(path)s yet.") % told
    if found.sign == "==":
        return _("%(kind)s “%(name)s”: %(path)s is %(actual)s and should be %(wanted)s.") % told
    return _("%(kind)s “%(name)s”: %(path)s is %(actual)s and should be %(sign)s %(wanted)s.") % told


def kind_named(qualified):
    row = registry().get(qualified)
    return row.kind if row else qualified


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


# -- predictions -----------------------------------------------------------------------------------------------------------
def card(prediction, told, state, nodes):
    known, names = state["predictions"].get(prediction.id, {}), told.get("options", {})
    outcome, answer = known.get("outcome"), known.get("answer")
    options = [Option(id, inline(names.get(id, id)), id == answer, id == outcome) for id in options_of(prediction, nodes)]
    mark = "" if outcome is None else "unanswered" if answer is None else "right" if answer == outcome else "wrong"
    return Card(prediction.id, inline(told["question"]), options, answer is not None, "answer" in known and answer is None,
                bool(state.get("held")) and not known, mark,
                inline(names.get(outcome, outcome)) if outcome else "", known.get("seq"), block(told["explanation"], kinds=True) if mark else "")
