"""A recorded run, and the questions that the rules ask of it."""
from typing import NamedTuple

from lifecycle.simulation.resources import resource

RULES = []


def rule(function):
    """A function of a Run that yields a sentence for everything that breaks the rule; its docstring begins with the rule's number."""
    RULES.append(function)
    return function


class Command(NamedTuple):
    """A kubectl command as typed, when it began and ended (virtual ms), and its exit code; the last two are None while it runs."""

    line: str
    started: int
    ended: int | None
    exit: int | None


class Run(NamedTuple):
    """What was recorded: the objects at the beginning, every message and store change since, the commands.

    Of the end: which components were `stopped`, which nodes `down`, whether it was `calm` (nothing was under way), and when it was (`end`, virtual ms).
    """

    start: dict
    steps: list
    changes: list
    commands: list
    stopped: frozenset = frozenset()
    down: frozenset = frozenset()
    calm: bool = False
    end: int = 0


class Life(NamedTuple):
    """One object from its creation (or the beginning of the run) to its removal.

    `states` are (change or None, object), oldest first; `removal` is the last change, or None.
    """

    key: str
    states: list
    removal: object

    @property
    def pairs(self):
        """(change, object before, object after) of every change but creation and removal."""
        return [(change, before, after) for (_, before), (change, after) in zip(self.states, self.states[1:])]


def lives(run, qualified=None):
    """The Lives of all objects of a kind, or of every object."""
    below = resource(qualified).prefix() + "/" if qualified else "/registry/"
    found, open_lives = [], {}
    for key, thing in run.start.items():
        if key.startswith(below):
            open_lives[key] = Life(key, [(None, thing)], None)
    for change in run.changes:
        if not change.key.startswith(below):
            continue
        if change.type == "ADDED":
            open_lives[change.key] = Life(change.key, [(change, change.object)], None)
        elif change.type == "MODIFIED":
            open_lives[change.key].states.append((change, change.object))
        else:
            found.append(open_lives.pop(change.key)._replace(removal=change))
    return [*found, *open_lives.values()]


def scenes(run):
    """(step, {key: object} as stored when it was said) of every message; the dict is the same one each time."""
    world, changes = dict(run.start), {change.revision: change for change in run.changes}
    for step in run.steps:
        change = changes.get(step.revision) if step.target == "etcd" else None
        if change and change.type == "DELETED":
            world.pop(change.key, None)
        elif change:
            world[change.key] = change.object
        yield step, world


def causes(run):
    """{revision: the request whose handling wrote it}; a revision that no request explains is missing."""
    found, requests = {}, {}
    for step in run.steps:
        if step.target == "apiserver" and step.request:
            requests[step.reason] = step
        elif step.target == "etcd" and step.revision:
            request = requests.get(step.facts.get("for"))
            if request and request.at == step.at:
                found[step.revision] = request
    return found


def final(run):
    """{key: object} at the end."""
    world = dict(run.start)
    for change in run.changes:
        if change.type == "DELETED":
            world.pop(change.key, None)
        else:
            world[change.key] = change.object
    return world


def of_kind(world, qualified):
    """The objects of a kind in {key: object}."""
    below = resource(qualified).prefix() + "/"
    return [thing for key, thing in world.items() if key.startswith(below)]


def statuses(pod, *fields):
    """The container statuses of a Pod, by default of its init and main containers."""
    return [status for field in fields or ("initContainerStatuses", "containerStatuses") for status in pod.get("status", {}).get(field) or ()]


def told(key, change):
    """Which state of an object a sentence is about."""
    return f"{key} at revision {change.revision}" if change else key
