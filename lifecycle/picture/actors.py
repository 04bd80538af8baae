"""Who takes part: the one table of actors, in the order of their lanes. Their colours are the CSS custom properties of the same names."""
from typing import NamedTuple

from django.utils.translation import get_language

from ..formats import NAMES
from ..simulation.messages import ACTORS

COLUMN = {actor: number for number, actor in enumerate(ACTORS, 1)}       # 1 is the first lane


class Lane(NamedTuple):
    actor: str
    name: str


def language():
    """The active language as the explanations call it: "en" or "zh-hans"."""
    return "zh-hans" if (get_language() or "en").startswith("zh") else "en"


def actor_name(actor):
    """The actor's name in the active language."""
    return NAMES[language()][actor]


def lanes():
    """A Lane for every actor, from left to right."""
    return [Lane(actor, actor_name(actor)) for actor in ACTORS]
