"""The map of the components: who talks with whom, and in a cluster how often."""
from collections import Counter
from typing import NamedTuple

from django.utils.safestring import mark_safe

from ..glossary import components, linked
from ..simulation.messages import ACTORS
from .actors import actor_name, language

# Middles of the boxes, in a picture of 900 x 500.
PLACES = {
    "user": (82, 126), "kubectl": (252, 126), "apiserver": (470, 126), "etcd": (760, 62), "controller-manager": (760, 126), "scheduler": (760, 190),
    "kubelet": (470, 352), "kube-proxy": (215, 352), "cri": (640, 352), "cni": (806, 352), "csi": (330, 444),
}
LEVELS = (1, 10, 50, 200)          # from how many messages on a line is drawn how thick


class Box(NamedTuple):
    """An actor on the map and in the list below. `sent` and `received` are None without a cluster; `html`s have links to the glossary."""

    actor: str
    name: str
    x: int
    y: int
    does: str
    never: str
    entry: str
    statements: tuple
    partners: list                 # of (name, what about)
    sent: int | None
    received: int | None
    kinds: list                    # of (kind, direction "out", "in" or "self", other's name, count, seq of the last)


class Line(NamedTuple):
    """Two who talk with each other; `level` is 0 if they have not, and `count` None without a cluster."""

    first: tuple
    second: tuple
    x: int
    y: int
    count: int | None
    level: int


class Map(NamedTuple):
    boxes: list
    lines: list


def component_map(steps=None):
    """The Map; with messages (simulation.messages.Step), how often each was sent and received in them."""
    pairs, last = Counter(), {}
    for step in steps or ():
        key = step.source, step.target, step.reason
        pairs[key] += 1
        last[key] = step.seq
    known = steps is not None
    return Map([box(actor, pairs, last, known) for actor in ACTORS], [line(link["between"], pairs, known) for link in components()["links"]])


def box(actor, pairs, last, known):
    spoken, found = language(), components()["actors"][actor]
    sent = sum(count for (source, _, _), count in pairs.items() if source == actor)
    received = sum(count for (_, target, _), count in pairs.items() if target == actor)
    return Box(actor, actor_name(actor), *PLACES[actor], marked(found["does"][spoken]), marked(found["never"][spoken]), found["entry"],
               tuple(found["statements"]), partners(actor), sent if known else None, received if known else None, kinds(actor, pairs, last))


def partners(actor):
    """(name, what about) of everybody an actor talks with."""
    links = [link for link in components()["links"] if actor in link["between"]]
    return [(actor_name(other), marked(link[language()])) for link in links for other in link["between"] if other != actor]


def kinds(actor, pairs, last):
    """What an actor has sent and received, the most frequent first."""
    rows = []
    for key, count in pairs.most_common():
        source, target, kind = key
        if actor in (source, target):
            direction, other = ("self", "") if source == target else ("out", actor_name(target)) if source == actor else ("in", actor_name(source))
            rows.append((kind, direction, other, count, last[key]))
    return rows


def line(between, pairs, known):
    first, second = between
    (x1, y1), (x2, y2) = PLACES[first], PLACES[second]
    count = sum(number for (source, target, _), number in pairs.items() if {source, target} == {first, second})
    return Line((x1, y1), (x2, y2), (x1 + x2) // 2, (y1 + y2) // 2, count if known else None, sum(count >= level for level in LEVELS))


def marked(text):
    return mark_safe(linked(text, language()))
