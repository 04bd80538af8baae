"""Events live for an hour after they were last written (kube-apiserver --event-ttl, pkg/registry/core/event/storage).

etcd would remove each when its lease ends. Here an Event that is over is not served any more, and leaves the store when the next Event is written,
so that nothing has to happen in an idle cluster.
"""
from heapq import heapify, heappop, heappush

from ...timings import HOUR

TTL = HOUR
KINDS = ("events", "events.events.k8s.io")


class EventAges:
    """[(when it was last written, key)], the oldest first. A cache that can be made again from the stored Events."""

    def __init__(self, etcd, clock):
        self.clock = clock
        self._heap = [(_written(event, clock.timestamp()), key) for key in etcd.created if key.startswith("/registry/events/") for event in (etcd.get(key),)]
        heapify(self._heap)
        self._second, self._limit = None, ""

    def add(self, key, event):
        heappush(self._heap, (_written(event, self.clock.timestamp()), key))

    def over(self):
        """The keys of those that may be over, taken out."""
        second = (self.clock.epoch + self.clock.now - TTL) // 1000
        if second != self._second:          # writing times down is slow
            self._second, self._limit = second, self.clock.timestamp(self.clock.now - TTL)
        while self._heap and self._heap[0][0] < self._limit:
            yield heappop(self._heap)[1]


def _written(event, now):
    """When an Event was last written, as far as it tells; what lies in the future tells nothing."""
    told = (event.get("lastTimestamp"), (event.get("series") or {}).get("lastObservedTime"), event.get("eventTime"), event["metadata"].get("creationTimestamp"))
    return max((text for text in told if text and text <= now), default=now)


def is_over(event, clock):
    """Whether an Event is no longer served."""
    return _written(event, clock.timestamp()) < clock.timestamp(clock.now - TTL)


def served(call, things):
    """The stored objects that are still served."""
    return things if call.resource.qualified not in KINDS else [thing for thing in things if not is_over(thing, call.clock)]


def writing(call, event):
    """Just before an Event is stored: those that are over go."""
    ages = call.server.event_ages
    for key in ages.over():
        old = call.etcd.get(key)
        if old is not None and is_over(old, call.clock):
            call.remove(key)
    ages.add(call.resource.key(call.namespace, event["metadata"]["name"]), event)
