"""Watches that break, and how client-go's reflectors come back (client-go/tools/cache/reflector.go).

A connection that was lost is taken up where it ended. If the server has forgotten that revision (410 Gone), everything is listed anew.
"""
from . import broken
from .component import Component
from .resources import registry, resource
from .timings import API_CALL, SECOND

BACKOFF = SECOND             # ms until the first try (reflector.go: 800 ms, up to twice as long)


class Reflectors(Component):
    """Work keys: names of components whose watches are broken. On disk: {name: {"since": revision last heard of, "expired": whether it is too old}}."""

    name = "reflectors"
    actor = "apiserver"

    def break_watches(self, name, expired):
        """The watches of a component (or of all of a process) end now. `expired`: the server does not know their last revision any more."""
        self.write(name, {"since": self.etcd.revision, "expired": expired})
        broken.write(self.etcd, f"deaf {name}", self.clock.now + BACKOFF)
        self.again(name, BACKOFF)

    def resync(self):
        return list(self.etcd.disk(self.name))

    def facts_for(self, key):
        return {"component": key}

    def reconcile(self, name):
        """Watch again, or list and watch."""
        state = self.read(name)
        if state is None:
            return None
        self.write(name, None)
        broken.write(self.etcd, f"deaf {name}", None)
        listeners = [component for component in self.cluster.components.values() if name in (component.name, component.actor)]
        for qualified in dict.fromkeys(qualified for component in listeners for qualified in registry() if qualified in component.watches):
            self._reconnect(listeners[0].actor, resource(qualified), name, state)
        if state["expired"]:
            for component in listeners:
                for key in component.resync():
                    component.again(key, API_CALL)
        return None

    def _reconnect(self, actor, row, name, state):
        facts, since = {"component": name}, state["since"]
        if state["expired"]:
            message = f"too old resource version: {since} ({self.etcd.revision})"
            self._ask(actor, "Watch", row, {**facts, "code": 410, "message": message}, f"&resourceVersion={since}")
            self._ask(actor, "List", row, facts, "?limit=500&resourceVersion=0")
            since = self.etcd.revision
        self._ask(actor, "Watch", row, facts, f"&resourceVersion={since}")

    def _ask(self, actor, verb, row, facts, options):
        watch = "?allowWatchBookmarks=true&watch=true" if verb == "Watch" else ""
        self.cluster.log.say(actor, "apiserver", verb + row.kind, f"GET {row.path()}{watch}{options}", row.prefix(), None, facts)
