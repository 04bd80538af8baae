"""Stories: a script of timed commands and faults, played on a fresh strict cluster, and questions about what happened.

    story = play('''
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web
        @90s end
    ''', {"web.yaml": manifest})
    story.printed("kubectl delete pod web")
    story.at(31).get("pods", "web")

All times are virtual seconds from the start of the script. Names are "NAME" in the namespace default, or "NAMESPACE/NAME".
"""
from typing import NamedTuple

from lifecycle import scripts
from lifecycle.simulation.node.registration import register
from lifecycle.simulation.resources import resource

from .builders import a_cluster

SETTLED = 600          # without an `end`, a story is over when nothing waits, or after so many seconds


class State(NamedTuple):
    """One revision of an object: `object` as stored; for DELETED its last state."""

    at: float
    type: str
    object: dict


class Event(NamedTuple):
    """An Event as it stands at the end of the story; `at` is when it was first posted."""

    at: float
    type: str
    reason: str
    message: str
    count: int
    about: str


class Moment:
    """What was stored at one moment; `states` are all revisions up to then, oldest first, as (key, State)."""

    def __init__(self, states):
        self._objects = {key: state.object for key, state in states}
        for key, last in dict(states).items():
            if last.type == "DELETED":
                del self._objects[key]

    def get(self, qualified, name):
        """The object, or None."""
        return self._objects.get(key_of(qualified, name))

    def list(self, qualified, prefix=""):
        """All objects of a kind whose names begin with `prefix`, sorted by key."""
        start = resource(qualified).prefix() + "/"
        return [thing for key, thing in sorted(self._objects.items()) if key.startswith(start) and thing["metadata"]["name"].startswith(prefix)]

    def names(self, qualified, prefix=""):
        """The names of `list`."""
        return [thing["metadata"]["name"] for thing in self.list(qualified, prefix)]


class Story:
    """What happened in a script. `go_on` plays more lines, for commands that need a name that was not known before."""

    def __init__(self, files, **cluster):
        self.cluster = a_cluster(**cluster)
        self.files = files
        self._commands = []          # (line, id)

    # -- playing -----------------------------------------------------------------------------------------------------------
    def go_on(self, script, files=None):
        """Play more of the script, with further files; its times count from the start too. Returns the story."""
        self.files = {**self.files, **(files or {})}
        for act in scripts.parse(script):
            self.cluster.run_until(act.at)
            if act.words == "end":
                return self
            if act.words.startswith("kubectl"):
                self._commands.append((act.words, self.cluster.kubectl(act.words, self.files)))
            else:
                self.cluster.fault(act.words)
        self.cluster.run_until_settled(self.cluster.clock.now + SETTLED * 1000)
        return self

    def join(self, node, cpu="2", memory="4Gi"):
        """A further node joins now. Returns the story."""
        register(self.cluster, node, int(node.removeprefix("n")), cpu, memory)
        return self

    # -- the console -------------------------------------------------------------------------------------------------------
    def command(self, line, number=1):
        """The console's record of the `number`th time that this command was typed."""
        ids = [id for words, id in self._commands if words == line]
        return self.cluster.console.command(ids[number - 1])

    def printed(self, line, number=1):
        """Standard output, then standard error."""
        return self.command(line, number)["output"]

    def exit(self, line, number=1):
        """The exit code; None while the command runs."""
        return self.command(line, number)["exit"]

    def ended(self, line, number=1):
        """When the command ended; None while it runs."""
        ended = self.command(line, number)["ended"]
        return None if ended is None else ended / 1000

    # -- the store ---------------------------------------------------------------------------------------------------------
    def _revisions(self):
        return [(change.key, State(change.at / 1000, change.type, change.object)) for change in self.cluster.etcd.since(0)]

    def states(self, qualified, name):
        """Every stored revision of an object (and of others that had its name), oldest first."""
        wanted = key_of(qualified, name)
        return [state for key, state in self._revisions() if key == wanted]

    def gone(self, qualified, name):
        """When the object was last removed; None if it never was."""
        return max((state.at for state in self.states(qualified, name) if state.type == "DELETED"), default=None)

    def at(self, seconds):
        """The Moment `seconds` after the start, everything of that instant included."""
        return Moment([(key, state) for key, state in self._revisions() if state.at <= seconds])

    def end(self):
        """The Moment at which the story ends."""
        return Moment(self._revisions())

    def history(self, qualified, prefix="", since=0):
        """(time, all objects of a kind whose names begin with `prefix`) after each of their changes from `since` on."""
        start, objects, found = resource(qualified).prefix() + "/", {}, []
        for key, state in self._revisions():
            if key.startswith(start) and state.object["metadata"]["name"].startswith(prefix):
                objects = {**objects, key: state.object}
                if state.type == "DELETED":
                    del objects[key]
                if state.at >= since:
                    found.append((state.at, list(objects.values())))
        return found

    # -- what was told -----------------------------------------------------------------------------------------------------
    def events(self, name=None, reason=None):
        """The Events on objects of that name and with that reason, in the order in which they were first posted."""
        place, found = resource("events").prefix() + "/", {}
        for key, state in self._revisions():
            if key.startswith(place) and state.type != "DELETED":
                first = found[key].at if key in found else state.at
                found[key] = _event(first, state.object)
        return [event for event in found.values() if name in (None, event.about) and reason in (None, event.reason)]

    def messages(self, reason=None, **facts):
        """The messages with that reason and those facts, in order; `at` of a message is in virtual ms."""
        return [step for step in self.cluster.log.steps if reason in (None, step.reason) and facts.items() <= step.facts.items()]

    def times(self, reason, **facts):
        """When such messages came."""
        return [step.at / 1000 for step in self.messages(reason, **facts)]


def play(script, files=None, **cluster):
    """The Story of a script; `files` are {name: text of a manifest}, other words (nodes, cpu, memory, seed) describe the cluster."""
    return Story(files or {}, **cluster).go_on(script)


def key_of(qualified, name):
    namespace, _, name = name.rpartition("/")
    return resource(qualified).key(namespace or "default", name)


def _event(at, event):
    """Events are stored as core/v1, whichever of the two APIs they came through."""
    count = (event.get("series") or {}).get("count") or event.get("count") or 1
    return Event(at, event["type"], event["reason"], event["message"], count, event["involvedObject"]["name"])
