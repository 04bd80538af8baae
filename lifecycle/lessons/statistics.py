"""What learners find hard: how often each prediction was missed at the very first."""
from collections import Counter
from typing import NamedTuple

from .catalog import find
from .markup import inline
from .runs import first_predictions


class Missed(NamedTuple):
    """A prediction of a lesson that `answered` learners have made, `missed` of them wrongly; `favourite` is the most frequent wrong answer.

    `question` and `favourite` are HTML.
    """

    lesson: str
    question: str
    answered: int
    missed: int
    favourite: str

    @property
    def percent(self):
        return round(100 * self.missed / self.answered)


def missed_most(runs, language):
    """The Missed of some LessonRuns, in a language's words, worst first."""
    answered, wrong = Counter(), {}
    for run in runs:
        for id, (first, outcome) in first_predictions(run.state).items():
            if first is not None:
                answered[run.slug, id] += 1
                if first != outcome:
                    wrong.setdefault((run.slug, id), Counter())[first] += 1
    found = [made for place, count in answered.items() if (made := missed(*place, count, wrong.get(place, Counter()), language))]
    return sorted(found, key=lambda each: (-each.percent, -each.answered))


def missed(slug, id, count, wrong, language):
    """One Missed, or None for a prediction that the lesson does not have any more."""
    lesson = find(slug)
    words = lesson.words[language]["predictions"].get(id) if lesson else None
    if words is None:
        return None
    favourite = wrong.most_common(1)[0][0] if wrong else ""
    return Missed(lesson.words[language]["title"], inline(words["question"]), count, sum(wrong.values()),
                  inline(words.get("options", {}).get(favourite, favourite)))
