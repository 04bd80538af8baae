"""The course as one learner has it: in which order, what is open, and how far they are."""
from functools import lru_cache
from typing import NamedTuple

from .. import statements
from ..models import GroupLesson, LessonRun
from .catalog import catalog
from .lesson import Lesson
from .runs import first_predictions


class Entry(NamedTuple):
    """A lesson for a learner; `run` is their LessonRun or None. `right` of `predicted` predictions were right the first time."""

    lesson: Lesson
    title: str
    summary: str
    open: bool
    run: LessonRun | None
    done: int
    hints: int
    right: int
    predicted: int

    @property
    def standing(self):
        """"new", "begun" or "finished"."""
        return "new" if self.run is None else "finished" if self.run.finished else "begun"

    @property
    def statements(self):
        """How many statements of the documents the lesson carries."""
        return sum(id in self.lesson.statements for id in statement_ids())

    @property
    def minutes_spent(self):
        return round(self.run.seconds / 60) if self.run else 0


@lru_cache(1)
def statement_ids():
    return tuple(each.id for each in statements.all())


class Total(NamedTuple):
    finished: int
    tasks: int
    right: int
    predicted: int
    minutes: int


def entries(owner, guest, language):
    """An Entry for every lesson, in the learner's order."""
    mine = LessonRun.objects.filter(owner=owner) if owner else LessonRun.objects.filter(owner=None, guest=guest).exclude(guest="")
    known, rules = {run.slug: run for run in mine}, rules_for(owner)
    lessons = sorted(catalog().values(), key=lambda lesson: rules.get(lesson.slug, (True, lesson.number))[1])
    return [entry(lesson, known.get(lesson.slug), rules.get(lesson.slug, (True,))[0], language) for lesson in lessons]


def entry(lesson, run, is_open, language):
    """The Entry of one lesson and run."""
    words, state = lesson.words[language], run.state if run else {}
    answered = [pair for pair in first_predictions(state).values() if pair[0] is not None]
    return Entry(lesson, words["title"], words["summary"], is_open, run, len(state.get("done", ())), sum(state.get("hints", {}).values()),
                 sum(answer == outcome for answer, outcome in answered), len(answered))


def total(found):
    """The Total of some Entries."""
    return Total(sum(each.standing == "finished" for each in found), sum(each.done for each in found), sum(each.right for each in found),
                 sum(each.predicted for each in found), sum(each.run.seconds for each in found if each.run) // 60)


def rules_for(owner):
    """{slug: (open, place)} by the groups of an account. What one group has open is open; the first place counts."""
    rules, lessons = {}, catalog()
    for row in GroupLesson.objects.filter(group__user=owner) if owner else ():
        place = row.position if row.position is not None else lessons[row.slug].number if row.slug in lessons else 0
        was_open, before = rules.get(row.slug, (False, place))
        rules[row.slug] = was_open or row.open, min(before, place)
    return rules


def is_open(owner, slug):
    """Whether an account, or with None a guest, may do a lesson."""
    return rules_for(owner).get(slug, (True,))[0]


def suggestion(owner, guest, language):
    """The Entry to go on with: the one begun last, else the first that is new; None when there is nothing left."""
    found = [each for each in entries(owner, guest, language) if each.open and each.standing != "finished"]
    return max((each for each in found if each.run), key=lambda each: each.run.touched, default=found[0] if found else None)


def following(slug, owner, guest, language):
    """The Entry of the next open lesson after one, or None."""
    found = entries(owner, guest, language)
    place = [each.lesson.slug for each in found].index(slug)
    return next((each for each in found[place + 1:] if each.open), None)
