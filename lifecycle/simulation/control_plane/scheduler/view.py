"""What one scheduling cycle sees of the cluster."""
from .counters import Counter, Group


class View:
    """All nodes, and counts of the Pods on them. `api` reads other objects from the scheduler's informers."""

    def __init__(self, cache, api):
        self.cache, self.api = cache, api
        self.nodes = cache.order
        self.groups = list(cache.counters.groups.values())

    def node(self, name):
        """A NodeInfo, or None."""
        return self.cache.nodes.get(name)

    def counter(self, namespaces, selects, live):
        """The Counter for what `selects` selects in `namespaces` (None: all)."""
        return self.cache.counters.find(namespaces, selects, live, self.cache.nodes.values())

    def count(self, namespaces, selects, live):
        """{node name: number of Pods}; `live` leaves out terminating ones."""
        return self.counter(namespaces, selects, live).counts


class Trial(View):
    """The same cluster with another NodeInfo in the place of one: what would be if some Pods were not, or were already, there."""

    def __init__(self, view, node):
        self.cache, self.api, self.base, self.changed = view.cache, view.api, view, node
        self.nodes = [node if known.name == node.name else known for known in view.nodes]
        self.groups = self._groups()

    def node(self, name):
        return self.changed if name == self.changed.name else self.base.node(name)

    def count(self, namespaces, selects, live):
        counted = Counter(namespaces, selects, live)
        counted.counts = {name: number for name, number in self.base.count(namespaces, selects, live).items() if name != self.changed.name}
        for info in self.changed.pods.values():
            counted.add(info, self.changed.name, 1)
        return counted.counts

    def _groups(self):
        found = {}
        for group in self.base.groups:
            counts = {name: number for name, number in group.counts.items() if name != self.changed.name}
            found[group.namespace, id(group.shape)] = copy = Group(group.namespace, group.shape)
            copy.counts = counts
        for info in self.changed.pods.values():
            if info.shape.has_affinity:
                group = found.setdefault((info.namespace, id(info.shape)), Group(info.namespace, info.shape))
                group.counts[self.changed.name] = group.counts.get(self.changed.name, 0) + 1
        return [group for group in found.values() if group.counts]
