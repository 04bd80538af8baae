"""Runs the nodes of a parsed shell program (POSIX shell commands).

Each function is a generator of the process's effects; it leaves its exit code in `shell.status`.
"""
from fnmatch import fnmatchcase

from . import expansion
from .control import Leave
from .limits import BUSY, round_time
from .process import Ended, Park, Sleep
from .redirections import redirecting
from .streams import Pipe
from .tree import AndOr, Case, For, Function, Group, If, Loop, Pipeline, Redirected, Sequence, Simple

WAYS_OUT = {"exit", "break", "return", "exec", "kill", "eval", "set", "."}


def run(shell, node):
    """Run one node of the tree."""
    yield from RUNNERS[type(node)](shell, node)


def sequence(shell, node):
    for item, background in node.items:
        if background:
            shell.in_background(item)
        else:
            yield from shell.run(item)
            yield from shell.traps()
            _check(shell, item)


def _check(shell, item):
    """set -e"""
    tested = isinstance(item, (AndOr, If, Loop)) or isinstance(item, Pipeline) and item.negated
    if "e" in shell.options and shell.status and not shell.depth and not tested:
        raise Ended(shell.status)


def _condition(shell, node):
    """Run a condition; returns whether it is true."""
    shell.depth += 1
    try:
        yield from shell.run(node)
        yield from shell.traps()
    finally:
        shell.depth -= 1
    return shell.status == 0


def and_or(shell, node):
    shell.depth += 1
    yield from shell.run(node.first)
    for operator, following in node.rest:
        if (shell.status == 0) == (operator == "&&"):
            yield from shell.run(following)
    shell.depth -= 1


def pipeline(shell, node):
    if len(node.commands) == 1:
        yield from _negatable(shell, node)
    else:
        source, started = shell.source, []
        for position, item in enumerate(node.commands):
            pipe = Pipe(open=True) if position < len(node.commands) - 1 else None
            started.append(shell.subshell(item, out=pipe, source=source))
            source = pipe
        yield from shell.wait_for(started[-1])
    if node.negated:
        shell.status = int(shell.status == 0)


def _negatable(shell, node):
    shell.depth += 1
    yield from shell.run(node.commands[0])
    shell.depth -= 1


def conditional(shell, node):
    for condition, body in node.branches:
        if (yield from _condition(shell, condition)):
            yield from shell.run(body)
            return
    shell.status = 0
    if node.otherwise:
        yield from shell.run(node.otherwise)


def loop(shell, node):
    status, before = 0, None
    if _never_left(node):
        shell.process.endless = not shell.process.pending and shell.process is shell.process.box.first
    while (yield from _condition(shell, node.condition)) != node.until:
        try:
            yield from shell.run(node.body)
        except Leave as leave:
            if not _goes_on(shell, leave):
                break
        status = shell.status
        yield from _spend(shell.process)
        yield from shell.traps()
        before = yield from _repeats(shell, before)
    shell.status = status


def _spend(process):
    """A round of a loop takes some time, so that no loop stands still in it."""
    process.rounds = process.rounds + 1 if process.clock - process.round_ended <= BUSY else 0
    yield Sleep(round_time(process.rounds))
    process.round_ended = process.clock


def _repeats(shell, before):
    """Notice a loop whose rounds are all alike. Returns this round's mark to compare the next one with."""
    machine, process = shell.machine, shell.process
    mark = (dict(shell.variables), machine.changes)
    if before and before[0] == mark:
        process.repeats = machine.changes
        if before[1] == machine.activity and not process.pending:
            yield Park(process.clock - before[2])
    return mark, machine.activity, process.clock


def _goes_on(shell, leave):
    """Whether the loop goes on after break or continue; those meant for an outer one are passed on."""
    if leave.kind == "return":
        raise leave
    if leave.levels > 1:
        raise Leave(leave.kind, leave.levels - 1)
    shell.status = 0
    return leave.kind == "continue"


def each(shell, node):
    values = shell.arguments[1:] if node.words is None else (yield from expansion.words(shell, node.words))
    shell.status = 0
    for value in values:
        shell.assign(node.name, value)
        try:
            yield from shell.run(node.body)
        except Leave as leave:
            if not _goes_on(shell, leave):
                break
        yield from _spend(shell.process)


def choose(shell, node):
    subject = yield from expansion.text_of(shell, node.subject)
    shell.status = 0
    for patterns, body in node.branches:
        for pattern in patterns:
            if fnmatchcase(subject, (yield from expansion.pattern_of(shell, pattern))):
                yield from shell.run(body)
                return


def group(shell, node):
    if node.subshell:
        yield from shell.wait_for(shell.subshell(node.body))
    else:
        yield from shell.run(node.body)


def function(shell, node):
    shell.functions[node.name] = node.body
    shell.status = 0
    yield from ()


def redirected(shell, node):
    yield from redirecting(shell, node.redirections, shell.run(node.command))


def simple(shell, node):
    argv = yield from expansion.words(shell, node.words)
    values = []
    for name, word in node.assignments:
        values.append((name, (yield from expansion.text_of(shell, word))))
    if not argv:
        for name, value in values:
            shell.assign(name, value)
        shell.status = 0 if not any("$(" in text or "`" in text for _, word in node.assignments for _, text in word.parts) else shell.status
    yield from redirecting(shell, node.redirections, shell.call(argv, values) if argv else iter(()))


def _never_left(node):
    """Whether a loop's condition always holds and nothing in it can end it."""
    words = list(_first_words(node.body))
    condition = [item for item, _ in node.condition.items]
    always = ("false",) if node.until else ("true", ":")
    constant = len(condition) == 1 and isinstance(condition[0], Simple) and condition[0].words and condition[0].words[0].literal in always
    return constant and not WAYS_OUT & set(words) and "?" not in "".join(words)


def _first_words(node):
    """The command names in a tree."""
    if isinstance(node, Simple) and node.words:
        yield node.words[0].literal or "eval"
    elif isinstance(node, tuple):
        for part in node:
            yield from _first_words(part)


RUNNERS = {Sequence: sequence, AndOr: and_or, Pipeline: pipeline, If: conditional, Loop: loop, For: each, Case: choose, Group: group, Redirected: redirected,
           Function: function, Simple: simple}
