"""Pods that wait for the scheduler (pkg/scheduler/backend/queue).

A Pod that was never tried needs no record: the store says that it has no node, and when it was created. A Pod that failed has an entry on the disk:
{"state": "active" | "backoff" | "unschedulable", "uid", "attempts", "rank" (revision at which it was queued), "since" (ms of the last attempt),
"plugins" (who rejected it), "preempting" (its victims are being deleted: not to be tried yet)}. The heaps are caches of both.
"""
from heapq import heapify, heappop, heappush

from lifecycle.simulation.timings import MINUTE, SECOND

FIRST_BACKOFF, LONGEST_BACKOFF = SECOND, 10 * SECOND
LONGEST_WAIT, FLUSH_PERIOD = 5 * MINUTE, 30 * SECOND


class SchedulingQueue:
    """`component` keeps the entries (read, write); keys are "namespace/name" of Pods."""

    def __init__(self, component):
        self.component = component
        self.active = {}                # key -> (-priority, rank)
        self.backoff = {}               # key -> (end of the back-off in whole seconds, -priority, rank)
        self.unschedulable = {}         # key -> PodInfo, those that have waited longest first
        self.rejected_by = {}           # plugin -> {key: True} for unschedulable Pods
        self._heaps = {"active": [], "backoff": []}

    def entry(self, key):
        """What is on the disk about a Pod, or None."""
        return self.component.read(f"pod {key}")

    # -- in ----------------------------------------------------------------------------------------------------------------
    def restore(self, info, created):
        """Put a Pod where it was: after a load, or because it is new."""
        entry = self.entry(info.key)
        if entry is None or entry["uid"] != info.uid:
            self._push("active", info.key, (-info.priority, created))
        elif entry["state"] == "unschedulable":
            self._shelve(info, entry)
        else:
            self._push(entry["state"], info.key, self._rank(info, entry))

    def fail(self, info, plugins, preempting=False):
        """A Pod was tried in vain."""
        component, known = self.component, self.entry(info.key)
        entry = {"state": "unschedulable", "uid": info.uid, "attempts": (known or {}).get("attempts", 0) + 1, "rank": component.etcd.revision,
                 "since": component.clock.now, "plugins": plugins, "preempting": preempting}
        self._write(info.key, entry)
        self._shelve(info, entry)

    def error(self, info):
        """A Pod was given a node but could not be bound: try again after the back-off."""
        self.fail(info, [])
        self.move(info.key)

    def preempted(self, key):
        """The victims of a Pod are gone or going: it may be tried again."""
        entry = self.entry(key)
        if entry:
            self._write(key, {**entry, "preempting": False})

    def _write(self, key, entry):
        self.component.write(f"pod {key}", entry)

    def _rank(self, info, entry):
        if entry["state"] == "active":
            return -info.priority, entry["rank"]
        backoff = min(FIRST_BACKOFF * 2 ** (entry["attempts"] - 1), LONGEST_BACKOFF)
        return (entry["since"] + backoff) // SECOND, -info.priority, entry["rank"]

    def _push(self, name, key, rank):
        getattr(self, name)[key] = rank
        heappush(self._heaps[name], (rank, key))

    def _shelve(self, info, entry):
        self.unschedulable[info.key] = info
        for plugin in entry["plugins"]:
            self.rejected_by.setdefault(plugin, {})[info.key] = True

    # -- on ----------------------------------------------------------------------------------------------------------------
    def move(self, key):
        """Something may have made an unschedulable Pod schedulable. Returns whether it is to be tried now."""
        entry = self.entry(key)
        if key not in self.unschedulable or entry is None or entry["preempting"]:
            return False
        info = self._unshelve(key)
        entry = {**entry, "state": "backoff"}
        rank = self._rank(info, entry)
        if rank[0] * SECOND <= self.component.clock.now:
            entry = {**entry, "state": "active"}
            rank = self._rank(info, entry)
        self._write(key, entry)
        self._push(entry["state"], key, rank)
        return True

    def _unshelve(self, key):
        info = self.unschedulable.pop(key)
        for keys in self.rejected_by.values():
            keys.pop(key, None)
        return info

    def flush(self, now):
        """Pods that have waited for five minutes are tried again; looked at every 30 s."""
        while (due := self.next_flush()) is not None and due <= now:
            if not self.move(key := next(iter(self.unschedulable))):
                self._postpone(key, now)

    def _postpone(self, key, now):
        """The Pod's victims are still being deleted: it goes to the end of the line."""
        info = self._unshelve(key)
        entry = {**self.entry(key), "since": now}
        self._write(key, entry)
        self._shelve(info, entry)

    def _due(self, key):
        return -(-(self.entry(key)["since"] + LONGEST_WAIT + 1) // FLUSH_PERIOD) * FLUSH_PERIOD

    def next_flush(self):
        """When `flush` will find something (ms), or None."""
        return next((self._due(key) for key in self.unschedulable), None)

    # -- out ---------------------------------------------------------------------------------------------------------------
    def pop(self, now):
        """The key of the next Pod, or None. Those whose back-off is over stand in line with the active ones; the others are taken when nobody else waits."""
        while (first := self._first("backoff")) and first[0] * SECOND <= now:
            key = self._take("backoff")
            entry = self.entry(key)
            self._write(key, {**entry, "state": "active"})
            self._push("active", key, (first[1], first[2]))
        return self._take("active") or self._take("backoff")

    def _first(self, name):
        heap, valid = self._heaps[name], getattr(self, name)
        while heap and valid.get(heap[0][1]) != heap[0][0]:
            heappop(heap)
        return heap[0][0] if heap else None

    def _take(self, name):
        if self._first(name) is None:
            return None
        key = heappop(self._heaps[name])[1]
        del getattr(self, name)[key]
        return key

    def __bool__(self):
        """Whether a Pod could be tried now."""
        return bool(self.active or self.backoff)

    def lengths(self):
        """{queue: Pods} for messages."""
        return {"active": len(self.active), "backoff": len(self.backoff), "unschedulable": len(self.unschedulable)}

    def remove(self, key, forget=True):
        """A Pod has a node, or is gone."""
        self.active.pop(key, None)
        self.backoff.pop(key, None)
        if key in self.unschedulable:
            self._unshelve(key)
        if forget and self.entry(key) is not None:
            self._write(key, None)

    def refresh(self, info):
        """The waiting Pod's object changed."""
        if info.key in self.unschedulable:
            self.unschedulable[info.key] = info

    def compact(self):
        """Throw away what the heaps no longer need."""
        for name, heap in self._heaps.items():
            if len(heap) > 64 + 2 * len(getattr(self, name)):
                heap[:] = [(rank, key) for key, rank in getattr(self, name).items()]
                heapify(heap)
