"""Which messages show a statement: for the numbered steps C and D the rules of the explanations say it, for the others the documents' own data."""
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from ..explanations import seed_steps
from ..explanations.seeds import RULES
from . import loading
from .loading import Point, get


class Shown(NamedTuple):
    """A pattern of messages: actors and message kind, each a name or a pattern with stars."""

    source: str
    target: str
    kind: str


@lru_cache(None)
def shown(id):
    """The Showns of a statement or a point. Raises KeyError."""
    found = get(id)
    if isinstance(found, Point):
        return tuple(dict.fromkeys(each for part in found.of for each in shown(part)))
    if found.arrows:
        return tuple(parsed(arrow) for arrow in found.arrows)
    return tuple(dict.fromkeys(Shown(source, target, kind) for steps, source, target, kind, _ in RULES if id in steps))


def parsed(arrow):
    """Shown("kubelet", "cri", "PullImage") of "kubelet → cri: PullImage"."""
    actors, _, kind = arrow.partition(": ")
    source, _, target = actors.partition(" → ")
    return Shown(source, target, kind)


def statements_of(step):
    """The ids of the statements that a message shows: numbered steps first, then the others in the order of the documents."""
    return [*seed_steps(step), *_unnumbered(step.source, step.target, step.reason)]


@lru_cache(4096)
def _unnumbered(source, target, reason):
    return tuple(each.id for each in loading.all() if each.arrows and any(fits(arrow, source, target, reason) for arrow in shown(each.id)))


def fits(arrow, source, target, reason):
    return all(fnmatchcase(name, pattern) for name, pattern in zip((source, target, reason), arrow))
