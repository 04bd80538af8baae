"""A program that runs in a container, and what it can ask of the machine that runs it."""
from typing import NamedTuple

NUMBERS = {"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "ABRT": 6, "FPE": 8, "KILL": 9, "USR1": 10, "SEGV": 11, "USR2": 12, "PIPE": 13, "ALRM": 14,
           "TERM": 15, "CHLD": 17, "CONT": 18}


class Sleep(NamedTuple):
    """Go on after so many ms. `breakable`: a signal with a handler ends it."""

    ms: float
    breakable: bool = False


class Until(NamedTuple):
    """Go on when `ready()` is true. `breakable`: a signal with a handler ends the wait."""

    ready: object
    breakable: bool = False


class Park(NamedTuple):
    """A loop that does nothing but repeat itself every `period` ms: it need not be followed until something changes."""

    period: float


class Ended(Exception):
    """The process ends with an exit code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Interrupt(Exception):
    """Ctrl-C: the program leaves what it does."""


def family(process):
    """A process and all that came from it."""
    found = {process}
    for other in process.box.processes.values():
        if other.parent in found:
            found.add(other)
    return found


class Process:
    """A program that runs; `code` is its exit code once it has ended, at `ended` (ms)."""

    def __init__(self, machine, box, parent, argv, env, out, err, source, body, at):
        self.machine, self.box, self.parent, self.argv, self.env, self.out, self.err, self.source = machine, box, parent, argv, env, out, err, source
        self.pid = box.next_pid
        box.next_pid += 1
        box.processes[self.pid] = self
        box.first = box.first or self
        self.clock, self.started, self.code, self.ended = at, at, None, None
        self.handlers, self.pending = {}, []          # {signal: command text, "" to ignore}; [(ms, signal)]
        self.endless, self.repeats, self.waiting, self.rounds, self.round_ended = False, None, None, 0, at
        self.reads_lines, self.problem = False, None                # an interactive shell; an Interrupt that is to be raised in the program
        self.visitor = parent.visitor if parent else False          # came from outside to look, and leaves no trace
        self.generator = body(self)
        machine.wake(self, at)

    def signal(self, name, at, inside=False):
        """A signal arrives at `at`. PID 1 of a PID namespace is only reached by what it handles, and by SIGKILL from outside."""
        if self.code is not None:
            return
        self.machine.writes += 1
        handler = self.handlers.get(name)
        if handler == "" and name != "KILL" or self.pid == 1 and (inside or name != "KILL") and (not handler or name == "KILL"):
            return
        if handler and name != "KILL":
            self.pending.append((at, name))
            self.endless, self.repeats = False, None
            self.machine.disturb(self, at)
        else:
            self.machine.end(self, 128 + NUMBERS.get(name, 15), at)

    def leave(self):
        """The exception to be raised in the program now."""
        problem, self.problem = self.problem, None
        return problem

    def due_signal(self):
        """The next signal that has arrived by the process's own clock, or None."""
        if self.pending and self.pending[0][0] <= self.clock:
            return self.pending.pop(0)[1]
        return None
