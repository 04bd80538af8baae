"""Somebody outside at a container: a command run in it with its input and output (exec), or the container's own (attach).

A session is told what comes in, and keeps what came out as `chunks` [(ms, channel, text)], so that a machine that is built again has the same ones.
"""
from .process import family
from .terminal import Input, Terminal

OUT, ERR = 1, 2                    # as remote commands number their streams
MOST_OUTPUT = 4 << 20              # characters of a session that are kept; what more is printed is lost


class Channel:
    """stdout or stderr of a session. A terminal has one for both, and every line begins at its left."""

    def __init__(self, session, number, terminal):
        self.session, self.number, self.terminal = session, number, terminal

    def write(self, process, text):
        self.put(process.clock, text)

    def put(self, at, text):
        self.session.put(at, self.number, text.replace("\n", "\r\n") if self.terminal else text)

    def close(self):
        pass


class Session:
    """`process` is the one whose end is the session's. `ends_input`: whether the process's input ends with the session's."""

    def __init__(self, box, terminal, ends_input):
        self.box, self.process, self.ends_input = box, None, ends_input
        self.chunks, self.printed, self.gone = [], 0, False
        self.out = Channel(self, OUT, terminal)
        self.err = self.out if terminal else Channel(self, ERR, False)

    def put(self, at, channel, text):
        if self.printed < MOST_OUTPUT and not self.gone and text:
            self.printed += len(text)
            self.chunks.append((at, channel, text))

    def end(self):
        """(ms, exit code) of the process, or None while it runs."""
        return None if self.process.code is None else (round(self.process.ended), self.process.code)

    def heard(self):
        """The processes whose output this is."""
        return set(self.box.processes.values()) if self.process is self.box.first else family(self.process)


def _run(box, what, at, body_of):
    """A command in the container."""
    session = box.sessions[what["id"]] = Session(box, what["tty"], True)
    session.process = box.machine.start(box, what["argv"], body_of(what["argv"]), at, None, session.out, session.err, Input(what["stdin"]))
    if what["tty"]:
        Terminal(session.process, session.out)


def _attach(box, what, at, body_of):
    """The container's first process, and what it prints from now on."""
    session = box.sessions[what["id"]] = Session(box, box.first.source.terminal is not None, what["stdin"] and what["once"])
    session.process = box.first
    box.out.listeners.append(session.out)
    if box.err is not box.out:
        box.err.listeners.append(session.err)


def _take(box, what, at, body_of):
    """Something is typed, or comes through the connection."""
    id, text = what
    source = box.sessions[id].process.source
    source.terminal.type(text, at) if source.terminal else source.add(box.machine, text)


def _end_input(box, id, at, body_of):
    """Nothing more will come through the connection."""
    session = box.sessions[id]
    if session.ends_input:
        session.process.source.end(box.machine)


def _hang_up(box, id, at, body_of):
    """Whoever was there has gone; what was started at a terminal loses it."""
    session = box.sessions[id]
    _end_input(box, id, at, body_of)
    session.gone = True
    if session.process is not box.first and session.process.source.terminal:
        session.process.source.terminal.hang_up(at)


# What somebody outside does to a container, by the kind of the input in its record: functions of (box, what, ms, the body of a process for an argv).
ACTS = {"session": _run, "attach": _attach, "input": _take, "end": _end_input, "hangup": _hang_up}
