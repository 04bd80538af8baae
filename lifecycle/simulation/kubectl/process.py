"""A running command: a generator that asks for one thing at a time and can be taken up again from what it was answered."""
from typing import NamedTuple

from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.resources import Resource


class Request(NamedTuple):
    """One request to the API server; answered with a client.Response. `table` asks for a Table, `managed` for managedFields; `body` is a dict, a list or text.

    A `quiet` one is not told: it stands for what a connection that stays open brings later.
    """

    method: str
    path: str
    query: dict = {}
    body: dict | list | str | None = None
    content_type: str = "application/json"
    table: bool = False
    managed: bool = False
    quiet: bool = False


class Watch(NamedTuple):
    """The next events of a watch after revision `since`; answered with {"events": [{"type", "object"}], "revision": N}.

    The answer is None if `until` (virtual ms) came first. `opening` says that this is the request that opens the watch,
    and not the reading of what comes further. `since` None asks for what is there as ADDED events first.
    With `table`, the objects are Tables.
    """

    resource: Resource
    namespace: str
    query: dict
    since: int | None
    until: int | None = None
    opening: bool = True
    table: bool = False


class Sleep(NamedTuple):
    """Nothing for so many virtual ms; answered with None."""

    ms: int


class Connect(NamedTuple):
    """Open a connection to a container (exec, attach, log); answered with a client.Response, {"stream": id} if it is open."""

    path: str
    query: dict


class Receive(NamedTuple):
    """What comes next through open connections; answered with {stream: {"pieces": [[channel, text]], "ended", "exit"}} for those that have news."""

    streams: tuple


class Send(NamedTuple):
    """Say something through an open connection, and with `last` that nothing more will come; answered with None, or with a sentence that refuses it."""

    stream: str
    text: str
    last: bool = True


class Suffix(NamedTuple):
    """A random end for a name; answered with its text."""

    length: int = 5


class Configure(NamedTuple):
    """Change the client's own configuration (its kubeconfig); answered with None."""

    values: dict


class Checkpoint(NamedTuple):
    """What is needed to go on from here without the answers so far: JSON-shaped. A command that never ends would otherwise keep them all.

    A command that is taken up again finds it in `invocation.state` and must then ask for what it asked for right after the checkpoint.
    """

    state: dict


class Process:
    """The live form of a command: only a cache, since feeding the recorded answers to a new one gives the same.

    `waiting` is what it asks for now, or None once it has ended with `exit`.
    """

    def __init__(self, invocation, run, answers):
        self.invocation = invocation
        self.exit = None
        self.waiting = None
        self.answered = len(answers)      # how many answers are on record
        self._run = run
        self._steps = None
        for at, answer in answers:
            self.resume(at, answer)
        invocation.take_printed()

    @property
    def started(self):
        return self._steps is not None

    def resume(self, at, answer=None):
        """Hand in the answer, given at virtual time `at`, and run on to the next question; the first call only starts it."""
        self.invocation.now = at
        if self._steps is None:
            self._steps, answer = self._run(self.invocation), None
        try:
            self.waiting = self._steps.send(answer)
        except StopIteration as end:
            self.waiting, self.exit = None, end.value or 0
        except CommandError as error:
            self.waiting, self.exit = None, error.exit
            self.invocation.tell(error)
