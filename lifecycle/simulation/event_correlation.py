"""When an Event is new, when it only counts up an earlier one, and when it is dropped (client-go tools/record/events_cache.go, tools/events).

What one source remembers of one object is a small JSON-shaped dict; nothing here is changed in place.
"""
from typing import NamedTuple

from .timings import MINUTE

SIMILAR = 10                   # the tenth different message of one kind within WINDOW of the last is combined with those that follow
WINDOW = 10 * MINUTE
COMBINED = "(combined from similar events): "
BURST, REFILL = 25, 5 * MINUTE         # Events of one source, object and reason at once, and time until one more may be sent (as recorded)
SERIES_END = 6 * MINUTE        # a series of an events.k8s.io Event ends after so long without it; looked at once in that time


class Sent(NamedTuple):
    """How an Event is to be sent: under the `name` it had before (None: as a new one), with count and first time; combined with others, or dropped."""

    name: str | None
    count: int
    first: str
    combined: bool
    dropped: bool


def correlated(memory, event, name, now, stamp):
    """(memory, Sent) for a core/v1 Event that would be new as `name`. `now` is in virtual ms, `stamp` the same as a timestamp."""
    kinds, combined = _aggregated(memory.get("kinds", {}), event, now)
    known = memory.get("sent", {})
    identity = _identity(event, combined)
    before, count, first = known.get(identity, (None, 0, stamp))
    buckets, reason = memory.get("tokens", {}), event["reason"]
    left, since = buckets.get(reason, (BURST, now))
    tokens = min(BURST, left + (now - since) / REFILL)
    dropped = tokens < 1
    remembered = {"kinds": kinds, "sent": {**known, identity: [before or name, count + 1, first]},
                  "tokens": {**buckets, reason: [tokens if dropped else tokens - 1, now]}}
    return remembered, Sent(before, count + 1, first, combined, dropped)


def _identity(event, combined):
    parts = (event["type"], event["reason"]) if combined else (event["type"], event["reason"], event["involvedObject"].get("fieldPath", ""), event["message"])
    return "\n".join(parts)


def _aggregated(kinds, event, now):
    """({kind of Event: [last time, different messages]}, whether this Event is combined)."""
    kind = f"{event['type']} {event['reason']}"
    last, messages = kinds.get(kind, (now, ()))
    if now - last > WINDOW:
        messages = ()
    if event["message"] not in messages:
        messages = [*messages, event["message"]]
    combined = len(messages) >= SIMILAR
    return {**kinds, kind: [now, messages[1:] if combined else messages]}, combined


def in_series(memory, event, name, now):
    """(memory, (name, count)) for an events.k8s.io Event: a series is told of once, when it begins, and again when it has ended.

    The name is that of the first Event, with count 2 when its series begins; None if nothing is to be sent. A new Event has count 1.
    """
    identity = "\n".join((event["type"], event["reason"], event["involvedObject"].get("resourceVersion", "")))
    before, count, last = memory.get(identity, (name, 0, now))
    if ended(last, now):
        before, count = name, 0
    remembered = {**memory, identity: [before, count + 1, now]}
    return remembered, (before if count < 2 else None, count + 1)


def end_of_series(last):
    """When a series that was last seen at `last` is looked at and found to have ended (virtual ms)."""
    return -(-(last + SERIES_END) // SERIES_END) * SERIES_END


def ended(last, now):
    """Whether that has happened."""
    return now > end_of_series(last)
