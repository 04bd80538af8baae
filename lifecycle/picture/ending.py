"""The end of a lesson: what was seen, by the steps of the source documents, and the questions."""
from typing import NamedTuple

from ..explanations import seed_steps
from ..lessons.markup import block, inline
from ..lessons.questions import drawn, seed_of, worded
from .messages import row

RIGHT = 0                        # the place of the right option in a lesson's data


class QuestionView(NamedTuple):
    """A question. `options` are (place, words, whether chosen); `mark` is "", "right" or "wrong"."""

    id: str
    question: str
    options: list
    mark: str
    right: str
    explanation: str


def seen_rows(steps):
    """A messages.Row for the first message that shows each step of the documents."""
    shown, found = set(), []
    for step in steps:
        seeds = set(seed_steps(step)) - shown
        if seeds:
            shown |= seeds
            found.append(row(step))
    return found


def questions(lesson, run, words):
    """A QuestionView for every question of a lesson, with the numbers of a LessonRun, in a language's words."""
    return [question_view(question, run, words["questions"][question.id]) for question in lesson.questions]


def question_view(question, run, words):
    asked, options, explanation = worded(drawn(question, seed_of(run, question)), words)
    place = run.state.get("questions", {}).get(question.id, {}).get("place")
    mark = "" if place is None else "right" if place == RIGHT else "wrong"
    return QuestionView(question.id, inline(asked), [(each, inline(option), each == place) for each, option in options], mark,
                        inline(dict(options)[RIGHT]), block(explanation) if mark else "")
