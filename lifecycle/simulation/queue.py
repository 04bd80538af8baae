"""One heap of work for the whole cluster: who looks at what, and when."""
from heapq import heappop, heappush
from typing import NamedTuple


class WorkItem(NamedTuple):
    """`component` is to reconcile `key` at `due` (virtual ms). `deliveries` are the watch events that woke it, in order."""

    due: int
    serial: int
    component: str
    key: str
    deliveries: list


class WorkQueue:
    """Work in order of time; equal times in the order in which they were asked for.

    A component's key waits at most once, as in client-go's workqueue: asking again can only make it earlier.
    Everything here is plain data, so that a cluster can be saved and go on elsewhere.
    """

    def __init__(self):
        self.serial = 0
        self.waiting = {}          # (component, key) -> (due, serial)
        self.deliveries = {}       # (component, key) -> [(event type, store key, revision)]
        self._heap = []

    def __len__(self):
        return len(self.waiting)

    def add(self, component, key, due):
        """Ask that `component` reconciles `key` at `due`, or earlier if it waits for an earlier time already."""
        name = (component, key)
        known = self.waiting.get(name)
        if known is None or due < known[0]:
            self.serial += 1
            self.waiting[name] = (due, self.serial)
            heappush(self._heap, (due, self.serial, name))

    def deliver(self, component, key, due, event):
        """Add work that a watch event (type, store key, revision) is the reason for."""
        self.add(component, key, due)
        self.deliveries.setdefault((component, key), []).append(event)

    def put_back(self, item, due):
        """Let a WorkItem that was taken wait again, until `due`."""
        self.add(item.component, item.key, due)
        if item.deliveries:
            name = (item.component, item.key)
            self.deliveries[name] = [*item.deliveries, *self.deliveries.get(name, ())]

    def remove(self, component, key):
        """Forget what waits for a key, if anything does."""
        self.waiting.pop((component, key), None)
        self.deliveries.pop((component, key), None)

    def due(self):
        """When the next work item is due (virtual ms), or None if nothing waits."""
        heap, waiting = self._heap, self.waiting
        while heap:
            due, serial, name = heap[0]
            if waiting.get(name) == (due, serial):
                return due
            heappop(heap)
        return None

    def pop(self):
        """Take the next WorkItem, or None."""
        if self.due() is None:
            return None
        due, serial, name = heappop(self._heap)
        del self.waiting[name]
        return WorkItem(due, serial, *name, self.deliveries.pop(name, ()))

    def restore(self, serial, waiting, deliveries):
        """Fill an empty queue with what was saved: rows [component, key, due, serial] and [component, key, events]."""
        self.serial = serial
        self.waiting = {(component, key): (due, number) for component, key, due, number in waiting}
        self.deliveries = {(component, key): [tuple(event) for event in events] for component, key, events in deliveries}
        self._heap = sorted((due, number, name) for name, (due, number) in self.waiting.items())
