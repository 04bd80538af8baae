"""Simulations kept in a process's memory between two transactions. The rows are the truth: whatever is not here is loaded from them."""
from collections import OrderedDict
from threading import Lock
from time import monotonic
from typing import NamedTuple

MOST = 50_000                  # objects of all simulations together, about 5 KB each
UNUSED = 60                    # seconds after which a simulation is dropped


class Kept(NamedTuple):
    cluster: object            # a sessions.OpenCluster
    version: int               # of the row that it is as new as
    size: int                  # objects
    used: float


class Cache:
    """Kept simulations by the cluster's pk, the longest unused first. Threads may share it."""

    def __init__(self, most=MOST, unused=UNUSED):
        self.most, self.unused = most, unused
        self._kept, self._size, self._lock = OrderedDict(), 0, Lock()

    def take(self, pk, version):
        """What is kept of a cluster, if it is as new as its row, else None. It is not kept any more: its user keeps it again."""
        with self._lock:
            kept = self._drop(pk)
        return kept.cluster if kept and kept.version == version else None

    def keep(self, pk, version, cluster, size):
        """Keep a cluster; others go if there is no room."""
        with self._lock:
            self._drop(pk)
            self._kept[pk] = Kept(cluster, version, size, monotonic())
            self._size += size
            while self._size > self.most:
                self._drop(next(iter(self._kept)))

    def forget(self, pk):
        with self._lock:
            self._drop(pk)

    def forget_unused(self):
        """Drop what nobody has used for a while."""
        with self._lock:
            while self._kept and next(iter(self._kept.values())).used < monotonic() - self.unused:
                self._drop(next(iter(self._kept)))

    def __len__(self):
        return len(self._kept)

    def _drop(self, pk):
        kept = self._kept.pop(pk, None)
        if kept:
            self._size -= kept.size
        return kept
