"""Each Pod's states over time, as a chart: rows of segments with places in an SVG."""
from typing import NamedTuple

from django.utils.translation import gettext as _

from ..simulation.control_plane.apiserver.tables.pods import summary
from .messages import duration
from .pods import tone_of

WIDTH, LEFT, HEIGHT, TOP = 1000, 220, 22, 24      # of the drawing, in its own units
STEPS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000)


class Segment(NamedTuple):
    status: str
    tone: str
    x: float
    width: float
    words: str
    wide: bool


class PodLine(NamedTuple):
    name: str
    y: int
    middle: int
    segments: list


class Chart(NamedTuple):
    height: int
    width: int
    left: int
    lines: list
    ticks: list                  # (x, text)
    more: int


def chart(changes, until, limit=40):
    """`changes` are (key, at, type, manifest) of Pods, oldest first; `until` is the virtual ms at which the chart ends."""
    states = pod_states(changes)
    shown = list(states.items())[-limit:]
    begin = min((spans[0][0] for _, spans in shown), default=0)
    scale = (WIDTH - LEFT) / max(until - begin, 1)
    lines = [PodLine(key.split("/")[-1], TOP + number * HEIGHT, TOP + number * HEIGHT + HEIGHT // 2 + 1, list(segments(spans, until, begin, scale)))
             for number, (key, spans) in enumerate(shown)]
    return Chart(TOP + len(lines) * HEIGHT + 4, WIDTH, LEFT, lines, list(ticks(begin, until, scale)), len(states) - len(shown))


def pod_states(changes):
    """{key and uid: [[from, STATUS, tone]]}; a last entry with STATUS None is the end. Pods in order of creation."""
    states = {}
    for key, at, type, pod in changes:
        spans = states.setdefault(f"{pod['metadata']['uid']}/{key.split('/')[-1]}", [])
        ready, total, status, _, _ = summary(pod)
        if status == "Running" and ready < total:
            status = "NotReady"
        new = [at, None if type == "DELETED" else status, tone_of(pod, status, ready, total)]
        if not spans or spans[-1][1:] != new[1:]:
            spans.append(new)
    return states


def segments(spans, until, begin, scale):
    for number, (since, status, tone) in enumerate(spans):
        end = min(spans[number + 1][0] if number + 1 < len(spans) else until, until)
        if status is None or since > end:
            continue
        width = round(max((end - since) * scale, 1.5), 1)
        words = _("%(status)s for %(duration)s") % {"status": status, "duration": duration(end - since)}
        yield Segment(status, tone, round(LEFT + (since - begin) * scale, 1), width, words, width > 7 * len(status))


def ticks(begin, until, scale):
    """At most ten marks at round times."""
    step = next((size for size in STEPS if (until - begin) / size <= 9), STEPS[-1])
    mark = -(-begin // step) * step
    while mark <= until:
        yield round(LEFT + (mark - begin) * scale, 1), f"{mark / 1000:g} s"
        mark += step
