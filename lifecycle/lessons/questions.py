"""The questions at the end of a lesson: numbers drawn anew, options reckoned from them."""
from random import Random
from typing import NamedTuple

from ..simulation.cel import CelError, compiled

TRIES = 100                    # draws until two different answers are left
SAMPLES = 60                   # draws by which a question is judged
RANGE = 2                      # so many numbers are the ends of a range; more are a choice


class Drawn(NamedTuple):
    """A question with its numbers: `values` as the lesson orders the options, the right one first; `order` are their places as they are shown."""

    numbers: dict
    values: tuple                  # texts
    order: tuple                   # places in values, of different values only

    @property
    def answer(self):
        """The text of the right option."""
        return self.values[0]


def seed_of(run, question):
    """What decides the numbers of a question for a LessonRun: other ones at every attempt, and whenever it is put again."""
    return f"{run.pk} {run.attempts} {run.state.get('questions', {}).get(question.id, {}).get('round', 0)}"


def drawn(question, seed):
    """The Drawn of a Question; the same for the same seed (a text)."""
    random = Random(f"{seed} {question.id}")
    for _ in range(TRIES):
        found = draw(question, random)
        if found is not None:
            return found
    raise ValueError(f"the question {question.id} has no two different answers")


def draw(question, random):
    """One Drawn, or None if its options are all the same, or cannot be reckoned."""
    numbers = {name: number(span, random) for name, span in sorted(question.draw.items())}
    try:
        values = tuple(text(compiled(option)(numbers)) for option in question.options)
    except CelError:
        return None
    places = [place for place, value in enumerate(values) if value not in values[:place]]
    random.shuffle(places)
    return Drawn(numbers, values, tuple(places)) if len(places) >= 2 else None


def number(span, random):
    return random.randint(*span) if len(span) == RANGE else random.choice(span)


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def draws_enough(question):
    """Whether a question can be asked: nearly every draw leaves two different answers."""
    random = Random(question.id)
    return sum(draw(question, random) is not None for _ in range(SAMPLES)) > SAMPLES / 2


def worded(found, words):
    """(question, [(place, option)], explanation) of a Drawn in a language's words."""
    options = words.get("options") or [f"{{{place}}}" for place in range(len(found.values))]
    told = {**found.numbers, "answer": options[0].format(*found.values, **found.numbers)}
    shown = [(place, options[place].format(*found.values, **found.numbers)) for place in found.order]
    return words["question"].format(*found.values, **told), shown, words["explanation"].format(*found.values, **told)
