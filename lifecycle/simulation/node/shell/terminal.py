"""A terminal between a person's keyboard and a program: echo, editing of the present line, and the keys that are signals (termios(3), canonical mode)."""
import re

from .process import Interrupt, family
from .streams import Pipe

INTERRUPT, END, ERASE, KILL_LINE = "\x03", "\x04", "\x7f\b", "\x15"
KEYS = re.compile("\x1b(?:\\[[0-9;]*[@-~]|O.)?|.", re.DOTALL)         # an arrow key is one key; the small shell has no history for it
RUB_OUT = "\b \b"


class Input(Pipe):
    """What comes into a program from outside, and the `terminal` that it comes from, if any.

    The end that is typed at a terminal holds for one reader only; what a closed connection ends stays ended.
    """

    terminal = None

    def __init__(self, open=True):
        self.ends = 0
        super().__init__("", open)

    @property
    def open(self):
        return self.goes_on and not (self.ends and not self.text)

    @open.setter
    def open(self, value):
        self.goes_on = value

    def add(self, machine, text):
        """More has come; how much may come is not decided here."""
        if self.goes_on:
            self.text += text
            machine.activity += 1

    def line(self):
        line = super().line()
        if line == "" and self.ends:
            self.ends -= 1
        return line

    def end(self, machine):
        """Nothing more will come."""
        self.goes_on = False
        machine.activity += 1

    def end_once(self, machine):
        """Whoever reads now finds the end."""
        self.ends += 1
        machine.activity += 1


class Terminal:
    """Feeds the Input of `process` from keys, and shows what was typed on `screen` (with a method put(ms, text))."""

    def __init__(self, process, screen):
        self.process, self.source, self.screen, self.machine, self.typed = process, process.source, screen, process.machine, ""
        self.source.terminal = self

    def type(self, text, at):
        """Somebody presses keys, one after the other."""
        for key in KEYS.findall(text.replace("\r", "\n")):
            self._press(key, at)

    def _press(self, key, at):
        if key == "\n":
            self.screen.put(at, "\n")
            self.source.add(self.machine, self.typed + "\n")
            self.typed = ""
        elif key == INTERRUPT:
            self.screen.put(at, "^C\n")
            self.typed = ""
            self._interrupt(at)
        elif key == END:
            self._end()
        elif key in ERASE or key == KILL_LINE:
            gone = min(1, len(self.typed)) if key in ERASE else len(self.typed)
            self.typed = self.typed[:len(self.typed) - gone]
            self.screen.put(at, RUB_OUT * gone)
        elif key.isprintable() or key == "\t":
            self.typed += key
            self.screen.put(at, key)

    def _end(self):
        """What was typed is handed over; at the beginning of a line that is nothing, which means the end."""
        if self.typed:
            self.source.add(self.machine, self.typed)
            self.typed = ""
        else:
            self.source.end_once(self.machine)

    def _interrupt(self, at):
        """What runs in the foreground gets SIGINT; a shell that reads lines leaves what it does and prompts again."""
        for process in self.processes():
            if process.reads_lines:
                self.machine.throw(process, Interrupt(), at)
            else:
                process.signal("INT", at)

    def hang_up(self, at):
        """The terminal has gone."""
        for process in self.processes():
            process.signal("HUP", at)

    def processes(self):
        """What runs at the terminal, the youngest first."""
        return sorted((process for process in family(self.process) if process.code is None), key=lambda process: -process.pid)
