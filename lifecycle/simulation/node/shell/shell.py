"""One shell environment: variables, streams, functions, and how it starts what it runs (POSIX shell execution environment, as busybox ash does it)."""
import re

from . import commands, limits
from .arithmetic import ArithmeticProblem
from .control import Leave
from .files import DIRECTORY, FileProblem
from .interactive import read_and_run
from .lexer import ShellSyntaxError
from .parser import parse
from .process import Ended, Sleep, Until
from .running import run
from .streams import Capture, Pipe
from .tree import Sequence

COMMAND_TIME = 1                   # ms that an external program takes at least
MISTAKES = (ValueError, IndexError, KeyError, TypeError, AttributeError, ArithmeticError, re.error)       # of people who call a program wrongly


class Shell:
    """One shell environment. `process` is who runs; `out`, `err`, `source` are its present streams."""

    def __init__(self, process, arguments=("sh",), parent=None):
        self.process, self.machine, self.box, self.files = process, process.machine, process.box, process.box.files
        self.out, self.err, self.source = process.out, process.err, process.source
        self.arguments, self.status, self.last_background = list(arguments), 0, ""
        self.variables = dict(parent.variables) if parent else dict(process.env)
        self.exported = set(parent.exported if parent else process.env)
        self.functions = dict(parent.functions) if parent else {}
        self.options = set(parent.options) if parent else set()
        self.cwd = parent.cwd if parent else "/"
        self.children, self.depth, self.nesting = [], 0, parent.nesting + 1 if parent else 0

    # -- variables ----------------------------------------------------------------------------------------------------------
    def parameter(self, name):
        """The value of $name, or None if it is not set."""
        special = {"?": str(self.status), "$": str(self.process.pid), "#": str(len(self.arguments) - 1), "!": self.last_background,
                   "@": " ".join(self.arguments[1:]), "*": " ".join(self.arguments[1:]), "-": "".join(sorted(self.options)), "PWD": self.cwd}
        if name in special:
            return special[name]
        if name.isdigit():
            return self.arguments[int(name)] if int(name) < len(self.arguments) else None
        return self.variables.get(name)

    def assign(self, name, value):
        self.variables[name] = value[:limits.TEXT]

    def environment(self):
        """What a program started from here gets."""
        return {name: self.variables[name] for name in self.variables if name in self.exported}

    def complain(self, text):
        """A message on stderr that ends the shell."""
        self.err.write(self.process, f"{self.arguments[0]}: {text}\n")
        raise Ended(2)

    # -- the program --------------------------------------------------------------------------------------------------------
    def main(self, work):
        """Run a whole program, a generator; returns its exit code, after the EXIT trap."""
        try:
            yield from work
            code = self.status
        except (Ended, Leave) as end:
            code = end.code
        except (ArithmeticProblem, ShellSyntaxError) as problem:
            self.err.write(self.process, f"{self.arguments[0]}: {problem}\n")
            code = 2
        handler = self.process.handlers.pop("EXIT", None)
        if handler:
            self.status = code
            try:
                yield from self.run(parse(handler))
            except Ended as end:
                code = end.code
        return code

    def main_command(self, argv):
        """Run one program; returns its exit code."""
        yield from self.call(argv, ())
        return self.status

    def main_script(self, text):
        """Run shell text; returns its exit code."""
        try:
            tree = parse(text)
        except (ShellSyntaxError, RecursionError) as problem:
            self.err.write(self.process, f"{self.arguments[0]}: {problem}\n")
            return 2
        return (yield from self.main(self.run(tree)))

    def main_reader(self):
        """Run what comes through standard input; returns the exit code."""
        return (yield from self.main(read_and_run(self)))

    def run(self, node):
        """Run one node of the tree; `status` is its exit code then."""
        yield from run(self, node)

    def traps(self):
        """Run the handlers of the signals that have come."""
        name = self.process.due_signal()
        while name:
            status = self.status
            yield from self.run(parse(self.process.handlers.get(name) or ":"))
            self.status = status
            name = self.process.due_signal()

    # -- processes ----------------------------------------------------------------------------------------------------------
    def child(self, body, argv, out=None, err=None, source=None):
        """Start a child process."""
        if sum(process.code is None for process in self.box.processes.values()) >= limits.PROCESSES:
            self.complain("can't fork: Resource temporarily unavailable")
        child = self.machine.start(self.box, argv, body, self.process.clock, self.environment(), out or self.out, err or self.err, source or self.source,
                                   self.process)
        child.handlers = {name: handler for name, handler in self.process.handlers.items() if handler == ""}
        return child

    def subshell(self, node, **streams):
        """Start a child process that runs a node in a copy of this environment."""
        def body(process):
            inner = Shell(process, self.arguments, self)
            return (yield from inner.main(inner.run(Sequence(((node, False),)))))
        return self.child(body, ["sh"], **streams)

    def start_script(self, text, words, argv):
        """Start a child process that runs shell text; `words` are its $0, $1, ..."""
        return self.child(lambda process: Shell(process, words).main_script(text), argv)

    def start_reader(self, argv):
        """Start a child process that is a shell which reads its commands from our standard input."""
        return self.child(lambda process: Shell(process, argv[:1]).main_reader(), argv)

    def start_command(self, argv):
        """Start a child process that runs one program."""
        return self.child(lambda process: Shell(process, argv[:1]).main_command(list(argv)), argv)

    def wait_for(self, child):
        """Go on when a child has ended; its exit code becomes the status."""
        yield Until(lambda: child.code is not None)
        self.status = child.code

    def in_background(self, node):
        """Start a node as a child process that nobody waits for."""
        child = self.subshell(node, source=Pipe())
        self.children.append(child)
        self.last_background, self.status = str(child.pid), 0

    def substitute(self, text):
        """$(...): the output of a command without the newlines at its end."""
        output = Capture()
        yield from self.wait_for(self.subshell(parse(text), out=output))
        return output.text.rstrip("\n")

    # -- commands -----------------------------------------------------------------------------------------------------------
    def finds(self, name):
        """"builtin" or "program" for a command that there is, else None."""
        return "builtin" if name in commands.BUILTINS or name in self.functions else "program" if name in commands.PROGRAMS and self.box.shell else None

    def call(self, argv, values):
        """Run a function, a builtin or a program."""
        name = argv[0]
        if self.nesting >= limits.DEPTH:
            self.complain("maximum nesting level exceeded")
        if name in self.functions:
            yield from self._call_function(argv)
            return
        builtin = commands.BUILTINS.get(name)
        kept = {variable: self.variables.get(variable) for variable, _ in values}
        self.variables.update(values)
        try:
            if builtin:
                self.status = (yield from self._builtin(builtin, argv)) or 0
            else:
                exported = set(self.exported)
                self.exported |= {variable for variable, _ in values}
                yield from self._program(argv)
                self.exported = exported
        finally:
            for variable, value in kept.items():
                self.variables.pop(variable, None) if value is None else self.assign(variable, value)

    def _builtin(self, builtin, argv):
        try:
            return (yield from builtin(self, argv[1:]))
        except MISTAKES:
            self.err.write(self.process, f"{self.arguments[0]}: {argv[0]}: bad argument\n")
            return 2

    def _call_function(self, argv):
        kept, self.arguments = self.arguments, [self.arguments[0], *argv[1:]]
        self.nesting += 1
        try:
            yield from self.run(self.functions[argv[0]])
        except Leave as leave:
            if leave.kind != "return":
                raise
            self.status = leave.code
        finally:
            self.arguments = kept
            self.nesting -= 1

    def _program(self, argv):
        """An external program: a file that is a script, or one of the known commands."""
        name = argv[0].rpartition("/")[2]
        program = commands.PROGRAMS.get(name)
        text = self.files.get(argv[0], self.cwd) if "/" in argv[0] else None
        if argv[0] in self.box.own:
            yield from self.wait_for(self.child(self.box.own[argv[0]], argv))
        elif isinstance(text, str):
            yield from self.wait_for(self.start_script(text, argv, argv))
        elif text is DIRECTORY:
            self._not_run(argv[0], "Permission denied", 126)
        elif name in self.box.clients:
            self.status = 0 if self.box.ports else 1
        elif program is None or not self.box.shell:
            self._not_run(argv[0], "not found", 127)
        else:
            yield Sleep(COMMAND_TIME)
            try:
                self.status = (yield from program(self, argv[1:])) or 0
            except FileProblem as problem:
                self.err.write(self.process, f"{name}: {problem}\n")
                self.status = 1
            except MISTAKES:
                self.err.write(self.process, f"{name}: invalid argument\n")
                self.status = 1

    def _not_run(self, name, why, code):
        self.err.write(self.process, f"{self.arguments[0]}: {name}: {why}\n")
        self.status = code
