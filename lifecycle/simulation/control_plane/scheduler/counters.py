"""How many Pods that a selector selects are on each node: kept up to date with every Pod, so that nobody counts Pods per Pod."""

from .plugins.selecting import value_of

MOST = 64                      # counters kept; the ones not asked for lately go first, and are made again when needed


class Counter:
    """`counts` is {node name: number of Pods} for Pods in `namespaces` (None: in all) whose labels satisfy `selects`; `live`: without terminating ones."""

    __slots__ = ("counts", "live", "namespaces", "selects")

    def __init__(self, namespaces, selects, live):
        self.namespaces, self.selects, self.live = namespaces, selects, live
        self.counts = {}

    def matches(self, info):
        """Whether a Pod is counted."""
        return (self.namespaces is None or info.namespace in self.namespaces) and not (self.live and info.terminating) and self.selects(info.labels)

    def add(self, info, node, number):
        """A Pod came to (1) or left (-1) a node."""
        if self.matches(info):
            left = self.counts.get(node, 0) + number
            if left:
                self.counts[node] = left
            else:
                self.counts.pop(node, None)


class Group:
    """The Pods of one namespace whose shape has the same affinity terms: `counts` is {node name: number of them}."""

    __slots__ = ("counts", "namespace", "shape")

    def __init__(self, namespace, shape):
        self.namespace, self.shape = namespace, shape
        self.counts = {}


class Counters:
    """All counters, and the groups of Pods with affinity terms of their own."""

    def __init__(self):
        self._counters = {}
        self.groups = {}

    def find(self, namespaces, selects, live, nodes):
        """The Counter for a LabelSelector; a new one counts the Pods on `nodes` first."""
        key = (namespaces, value_of(selects), live)
        counter = self._counters.pop(key, None)
        if counter is None:
            counter = Counter(namespaces, selects, live)
            for node in nodes:
                for info in node.pods.values():
                    counter.add(info, node.name, 1)
            if len(self._counters) >= MOST:
                del self._counters[next(iter(self._counters))]
        self._counters[key] = counter
        return counter

    def count(self, info, node, number):
        """A Pod came to (1) or left (-1) a node."""
        for counter in self._counters.values():
            counter.add(info, node, number)
        if info.shape.has_affinity:
            self._regroup(info, node, number)

    def _regroup(self, info, node, number):
        key = (info.namespace, id(info.shape))
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group(info.namespace, info.shape)
        left = group.counts.get(node, 0) + number
        if left:
            group.counts[node] = left
        else:
            group.counts.pop(node, None)
            if not group.counts:
                del self.groups[key]
