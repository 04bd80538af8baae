"""Runs a parsed shell program as a process of the machine (POSIX shell execution environment, as busybox ash does it)."""
from fnmatch import fnmatchcase

from . import commands, expansion
from .arithmetic import ArithmeticProblem
from .files import DIRECTORY, FileProblem
from .lexer import ShellSyntaxError
from .machine import Ended, Park, Sleep, Until
from .parser import AndOr, Case, For, Function, Group, If, Loop, Pipeline, Redirected, Sequence, Simple, parse
from .streams import Capture, Nowhere, Pipe, ToFile

COMMAND_TIME = 1                   # ms that an external program takes at least
ROUND_TIME = 1                     # ms that one round of a loop takes at least, so that no loop stands still in time
WAYS_OUT = {"exit", "break", "return", "exec", "kill", "eval", "set", "."}


class Leave(Exception):
    """break, continue or return."""

    def __init__(self, kind, levels=1, code=0):
        super().__init__(kind)
        self.kind, self.levels, self.code = kind, levels, code


def script(text, arguments=("sh",)):
    """The body of a process that runs shell text; `arguments` are $0, $1, ..."""
    def body(process):
        shell = Shell(process, arguments)
        try:
            tree = parse(text)
        except ShellSyntaxError as problem:
            process.err.write(process, f"{arguments[0]}: {problem}\n")
            return 2
        return (yield from shell.main(tree))
    return body


def command(argv):
    """The body of a process that runs one program."""
    def body(process):
        shell = Shell(process, argv[:1])
        return (yield from shell.main_command(list(argv)))
    return body


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
        self.children, self.depth = [], 0

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
        self.variables[name] = value

    def environment(self):
        """What a program started from here gets."""
        return {name: self.variables[name] for name in self.variables if name in self.exported}

    def complain(self, text):
        """A message on stderr that ends the shell."""
        self.err.write(self.process, f"{self.arguments[0]}: {text}\n")
        raise Ended(2)

    # -- the program --------------------------------------------------------------------------------------------------------
    def main(self, tree):
        """Run a whole program; returns its exit code, after the EXIT trap."""
        try:
            yield from self.run(tree)
            code = self.status
        except (Ended, Leave) as end:
            code = end.code
        handler = self.process.handlers.pop("EXIT", None)
        if handler:
            self.status = code
            try:
                yield from self.run(parse(handler))
            except Ended as end:
                code = end.code
        return code

    def main_command(self, argv):
        yield from self.call(argv, ())
        return self.status

    def run(self, node):
        """Run one node of the tree; `status` is its exit code then."""
        yield from RUNNERS[type(node)](self, node)

    def traps(self):
        """Run the handlers of the signals that have come."""
        name = self.process.due_signal()
        while name:
            status = self.status
            yield from self.run(parse(self.process.handlers.get(name) or ":"))
            self.status = status
            name = self.process.due_signal()

    def sequence(self, node):
        for item, background in node.items:
            if background:
                self._in_background(item)
            else:
                yield from self.run(item)
                yield from self.traps()
                self._check(item)

    def _check(self, item):
        """set -e"""
        if "e" in self.options and self.status and not self.depth and not isinstance(item, (AndOr, If, Loop)) and not (isinstance(item, Pipeline) and item.negated):
            raise Ended(self.status)

    def _condition(self, node):
        """Run a condition; returns whether it is true."""
        self.depth += 1
        try:
            yield from self.run(node)
            yield from self.traps()
        finally:
            self.depth -= 1
        return self.status == 0

    def and_or(self, node):
        self.depth += 1
        yield from self.run(node.first)
        for operator, following in node.rest:
            if (self.status == 0) == (operator == "&&"):
                yield from self.run(following)
        self.depth -= 1

    # -- processes ----------------------------------------------------------------------------------------------------------
    def child(self, body, argv, out=None, err=None, source=None):
        """Start a child process."""
        child = self.machine.start(self.box, argv, body, self.process.clock, self.environment(), out or self.out, err or self.err, source or self.source, self.process)
        child.handlers = {name: handler for name, handler in self.process.handlers.items() if handler == ""}
        return child

    def subshell(self, node, **streams):
        """Start a child process that runs a node in a copy of this environment."""
        def body(process):
            return (yield from Shell(process, self.arguments, self).main(Sequence(((node, False),))))
        return self.child(body, ["sh"], **streams)

    def wait_for(self, child):
        yield Until(lambda: child.code is not None)
        self.status = child.code

    def _in_background(self, node):
        child = self.subshell(node, source=Pipe())
        self.children.append(child)
        self.last_background, self.status = str(child.pid), 0

    def pipeline(self, node):
        if len(node.commands) == 1:
            yield from self._negatable(node)
        else:
            source, started = self.source, []
            for position, item in enumerate(node.commands):
                pipe = Pipe(open=True) if position < len(node.commands) - 1 else None
                started.append(self.subshell(item, out=pipe, source=source))
                source = pipe
            yield from self.wait_for(started[-1])
        if node.negated:
            self.status = int(self.status == 0)

    def _negatable(self, node):
        self.depth += 1
        yield from self.run(node.commands[0])
        self.depth -= 1

    def substitute(self, text):
        """$(...): the output of a command without the newlines at its end."""
        output = Capture()
        yield from self.wait_for(self.subshell(parse(text), out=output))
        return output.text.rstrip("\n")

    # -- compound commands --------------------------------------------------------------------------------------------------
    def if_(self, node):
        for condition, body in node.branches:
            if (yield from self._condition(condition)):
                yield from self.run(body)
                return
        self.status = 0
        if node.otherwise:
            yield from self.run(node.otherwise)

    def loop(self, node):
        status, before = 0, None
        if _never_left(node):
            self.process.endless = not self.process.pending and self.process is self.process.box.first
        while (yield from self._condition(node.condition)) != node.until:
            try:
                yield from self.run(node.body)
            except Leave as leave:
                if not self._goes_on(leave):
                    break
            status = self.status
            yield Sleep(ROUND_TIME)
            yield from self.traps()
            before = yield from self._repeats(before)
        self.status = status

    def _repeats(self, before):
        """Notice a loop whose rounds are all alike. Returns this round's mark to compare the next one with."""
        machine, process = self.machine, self.process
        mark = (dict(self.variables), machine.changes)
        if before and before[0] == mark:
            process.repeats = machine.changes
            if before[1] == machine.activity and not process.pending:
                yield Park(process.clock - before[2])
        return mark, machine.activity, process.clock

    def _goes_on(self, leave):
        """Whether the loop goes on after break or continue; those meant for an outer one are passed on."""
        if leave.kind == "return":
            raise leave
        if leave.levels > 1:
            raise Leave(leave.kind, leave.levels - 1)
        self.status = 0
        return leave.kind == "continue"

    def for_(self, node):
        values = self.arguments[1:] if node.words is None else (yield from expansion.words(self, node.words))
        self.status = 0
        for value in values:
            self.assign(node.name, value)
            try:
                yield from self.run(node.body)
            except Leave as leave:
                if not self._goes_on(leave):
                    break
            yield Sleep(ROUND_TIME)

    def case(self, node):
        subject = yield from expansion.text_of(self, node.subject)
        self.status = 0
        for patterns, body in node.branches:
            for pattern in patterns:
                if fnmatchcase(subject, (yield from expansion.pattern_of(self, pattern))):
                    yield from self.run(body)
                    return

    def group(self, node):
        if node.subshell:
            yield from self.wait_for(self.subshell(node.body))
        else:
            yield from self.run(node.body)

    def function(self, node):
        self.functions[node.name] = node.body
        self.status = 0
        yield from ()

    # -- simple commands ----------------------------------------------------------------------------------------------------
    def redirected(self, node):
        with_streams = self._streams(node.redirections, self.run(node.command))
        yield from with_streams

    def simple(self, node):
        argv = yield from expansion.words(self, node.words)
        values = []
        for name, word in node.assignments:
            values.append((name, (yield from expansion.text_of(self, word))))
        if not argv:
            for name, value in values:
                self.assign(name, value)
            self.status = 0 if not any("$(" in text or "`" in text for _, word in node.assignments for _, text in word.parts) else self.status
        yield from self._streams(node.redirections, self.call(argv, values) if argv else iter(()))

    def _streams(self, redirections, work):
        """Do `work` with the redirections in place."""
        kept = self.out, self.err, self.source
        try:
            for descriptor, operator, word in redirections:
                yield from self._redirect(descriptor, operator, (yield from expansion.text_of(self, word)))
            yield from work
        except FileProblem as problem:
            self.err.write(self.process, f"{self.arguments[0]}: can't open {problem}\n")
            self.status = 1
        finally:
            self.out, self.err, self.source = kept

    def _redirect(self, descriptor, operator, target):
        if operator in ("<<", "<<-"):
            self.source = Pipe(target)
        elif operator in ("<", "<>"):
            self.source = Pipe("" if target == "/dev/null" else self._opened(target))
        elif operator in (">&", "<&"):
            stream = {"1": self.out, "2": self.err}.get(target, Nowhere())
            self.out, self.err = (stream, self.err) if descriptor == 1 else (self.out, stream)
        else:
            stream = self._writing(target, operator == ">>")
            self.out, self.err = (stream, self.err) if descriptor == 1 else (self.out, stream)
        yield from ()

    def _opened(self, path):
        try:
            return self.files.read(path, self.cwd)
        except FileProblem as problem:
            raise FileProblem(f"{path}: {str(problem).replace('No such file or directory', 'no such file')}") from None

    def _writing(self, path, append):
        first = self.box.first
        special = {"/dev/null": Nowhere(), "/dev/stdout": self.out, "/dev/stderr": self.err, "/proc/self/fd/1": self.out, "/proc/self/fd/2": self.err,
                   "/proc/1/fd/1": first.out if first else self.box.out, "/proc/1/fd/2": first.err if first else self.box.err}
        if path in special:
            return special[path]
        try:
            self.files.write(path, "", self.cwd, append)
        except FileProblem as problem:
            raise FileProblem(f"{path}: {problem}".replace("can't open", "can't create")) from None
        return ToFile(self.files, self.files.absolute(path, self.cwd))

    def call(self, argv, values):
        """Run a function, a builtin or a program."""
        name = argv[0]
        if name in self.functions:
            yield from self._call_function(argv)
            return
        builtin = commands.BUILTINS.get(name)
        kept = {variable: self.variables.get(variable) for variable, _ in values}
        self.variables.update(values)
        try:
            if builtin:
                self.status = (yield from builtin(self, argv[1:])) or 0
            else:
                exported = set(self.exported)
                self.exported |= {variable for variable, _ in values}
                yield from self._program(argv)
                self.exported = exported
        except ArithmeticProblem as problem:
            self.complain(str(problem))
        finally:
            for variable, value in kept.items():
                self.variables.pop(variable, None) if value is None else self.assign(variable, value)

    def _call_function(self, argv):
        kept, self.arguments = self.arguments, [self.arguments[0], *argv[1:]]
        try:
            yield from self.run(self.functions[argv[0]])
        except Leave as leave:
            if leave.kind != "return":
                raise
            self.status = leave.code
        finally:
            self.arguments = kept

    def _program(self, argv):
        """An external program: a file that is a script, or one of the known commands."""
        name = argv[0].rpartition("/")[2]
        program = commands.PROGRAMS.get(name)
        text = self.files.get(argv[0], self.cwd) if "/" in argv[0] else None
        if argv[0] in self.box.own:
            yield from self.wait_for(self.child(self.box.own[argv[0]], argv))
        elif isinstance(text, str):
            yield from self.wait_for(self.child(script(text, argv), argv))
        elif text is DIRECTORY:
            self._not_run(argv[0], "Permission denied", 126)
        elif program is None or not self.box.has(argv[0]):
            self._not_run(argv[0], "not found", 127)
        else:
            yield Sleep(COMMAND_TIME)
            try:
                self.status = (yield from program(self, argv[1:])) or 0
            except FileProblem as problem:
                self.err.write(self.process, f"{name}: {problem}\n")
                self.status = 1

    def _not_run(self, name, why, code):
        self.err.write(self.process, f"{self.arguments[0]}: {name}: {why}\n")
        self.status = code


def _never_left(node):
    """Whether a loop's condition always holds and nothing in it can end it."""
    words = list(_first_words(node.body))
    condition = [item[0] for item in node.condition.items]
    constant = len(condition) == 1 and isinstance(condition[0], Simple) and condition[0].words and condition[0].words[0].literal in (("false",) if node.until else ("true", ":"))
    return constant and not WAYS_OUT & set(words) and "?" not in "".join(words)


def _first_words(node):
    """The command names in a tree."""
    if isinstance(node, Simple) and node.words:
        yield node.words[0].literal or "eval"
    elif isinstance(node, tuple):
        for part in node:
            yield from _first_words(part)


RUNNERS = {Sequence: Shell.sequence, AndOr: Shell.and_or, Pipeline: Shell.pipeline, If: Shell.if_, Loop: Shell.loop, For: Shell.for_, Case: Shell.case, Group: Shell.group,
           Redirected: Shell.redirected, Function: Shell.function, Simple: Shell.simple}
