"""The clock of the page: the newest message, and how time goes on."""
from typing import NamedTuple

from django.utils.translation import gettext as _

from .messages import clock

RUNNING = ("story", "real")


class Head(NamedTuple):
    """`since` is the last message that a viewer must have seen for this to follow on, or None."""

    seq: int
    since: int | None
    at: int
    clock: str
    pace: str
    speed: str
    running: bool
    words: str


def head(row, since=None):
    """The Head of a cluster's row."""
    return Head(row.messages, since, row.now, clock(row.now), row.pace, f"{row.speed:g}", row.pace in RUNNING, words(row))


def words(row):
    """What the cluster is doing, in a reader's words."""
    if row.next_virtual is None:
        return _("At rest: nothing is left to do")
    if row.pace == "story":
        return _("A message every %(speed)s s") % {"speed": f"{row.speed:g}"}
    if row.pace == "real":
        return _("Real time × %(speed)s") % {"speed": f"{row.speed:g}"}
    return _("Paused: press Next or Play")
