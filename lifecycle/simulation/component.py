"""What every component of the cluster has in common: it is woken for a key, looks, and does the next thing."""
from .client import Client
from .objects import name_of


class Component:
    """A level-triggered loop.

    A subclass says its `name` (unique; the key of its work in the queue), its `actor` (as in messages.ACTORS), the `user` and `manager` it presents to the
    API server, and what it has `watched`: {qualified resource: function(change) -> keys to reconcile}. A watch function names keys only for changes on which
    the component may act. `reconcile` is given such a key, never the event.
    """

    name = ""
    actor = "controller-manager"
    user = ""
    manager = "kube-controller-manager"
    event_source = None            # {"component": ...} of the Events it records
    is_punctual = False            # whether it goes by the clock even if its process is slow
    first_retry, longest_retry = 5, 1_000_000          # ms after which a request is tried again that was not carried out, twice as long each time (client-go)

    def __init__(self, cluster):
        self.cluster = cluster
        self.clock, self.etcd, self.queue, self.indexes, self.random = cluster.clock, cluster.etcd, cluster.queue, cluster.indexes, cluster.random
        self.facts = {"controller": self.name} if self.actor == "controller-manager" else {}
        user = self.user or f"system:serviceaccount:kube-system:{self.name}-controller"
        self.api = Client(cluster.api, cluster.etcd, self.actor, user, self.manager, self.facts)
        if self.event_source is None:
            self.event_source = {"component": f"{self.name}-controller"}
        self.watches = self.watched()

    def watched(self):
        """{qualified resource: function(change) -> iterable of keys}."""
        return {}

    def reconcile(self, key):
        """Do the next thing for `key`, with at most one write to the API. Returns the virtual ms after which to be called again for it, or None."""
        raise NotImplementedError

    def forget(self):
        """Throw away what was kept in memory only: something has been undone. It is made anew from the store."""

    def resync(self):
        """Every key worth looking at when the component starts after a stop: by default those of all objects of its first watched resource."""
        for qualified in list(self.watches)[:1]:
            for thing in self.api.list(qualified):
                yield name_of(thing)

    def seen_as(self, change):
        """The type under which this component's watch delivers a change; a watch with a selector sees a match begin as ADDED and end as DELETED."""
        return change.type

    def facts_of_event(self, about):
        """The facts on the message that posts an Event about an object."""
        return self.facts

    def facts_for(self, key):
        """The facts on a watch delivery for this key."""
        return self.facts

    # -- small services ------------------------------------------------------------------------------------------------------
    def say(self, target, reason, request=None, object=None, facts=None):
        """A message from this component that is not an API request."""
        self.cluster.log.say(self.actor, target, reason, request, object, None, {**self.facts, **(facts or {})})

    def again(self, key, delay=0):
        """Reconcile `key` in `delay` virtual ms."""
        self.queue.add(self.name, key, self.clock.now + delay)

    def read(self, key, default=None):
        """What this component keeps for itself under `key`."""
        return self.etcd.read(self.name, key, default)

    def write(self, key, value):
        """Keep a JSON-shaped value under `key`; None forgets it."""
        self.etcd.write(self.name, key, value)

    def event(self, about, kind, reason, message, source=None, field_path=None):
        """Record an Event (`kind` Normal or Warning) on an object; it is posted a moment later, as client-go's broadcaster does."""
        self.cluster.recorder.record(self, about, kind, reason, message, source, field_path)


def itself(change):
    """Watch function: the changed object's own key."""
    return (name_of(change.object),)
