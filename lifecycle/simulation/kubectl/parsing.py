"""How a line becomes a command (the rules of cobra)."""
import shlex

from lifecycle.simulation.kubectl.commands import GROUP_ALIASES, table
from lifecycle.simulation.kubectl.commands.config import check_configuration
from lifecycle.simulation.kubectl.errors import CommandError, FlagError, PlainError, UsageError
from lifecycle.simulation.kubectl.flags import Parsed, parse
from lifecycle.simulation.kubectl.invocation import Invocation
from lifecycle.simulation.kubectl.options import GLOBAL
from lifecycle.simulation.kubectl.usage import help_text, suggestions

OPERATORS = {"|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1", "2>/dev/null"}
# kubectl's commands as it adds them to itself (kubectl/pkg/cmd/cmd.go)
ORDER = ("create", "expose", "run", "set", "explain", "get", "edit", "delete", "rollout", "scale", "autoscale", "certificate", "cluster-info", "top", "cordon",
         "uncordon", "drain", "taint", "describe", "logs", "attach", "exec", "port-forward", "proxy", "cp", "auth", "debug", "events", "diff", "apply", "patch",
         "replace", "wait", "kustomize", "label", "annotate", "completion", "kuberc", "plugin", "version", "api-versions", "api-resources", "config")
NOTHING_GIVEN = Parsed([], {name: flag.default for name, flag in GLOBAL.items()}, frozenset(), None)


def prepare(line, namespace, files, stdin, discovery, clock):
    """(Invocation, function from it to the generator to run) of a line as typed. A line that makes no sense gives one that only prints why."""
    nothing = Invocation("", NOTHING_GIVEN, namespace)
    try:
        words = _words(line)
        if words in ([], ["--help"], ["-h"]):
            return nothing, _telling(help_text("", None, sorted({path[0] for path in table()})))
        path, command, words = _command_of(words)
        name = " ".join(path)
        parsed = NOTHING_GIVEN if command.flags is None else parse(words, {**GLOBAL, **command.flags}, name)
        invocation = Invocation(name, parsed, namespace, files, stdin, discovery, clock)
        invocation.request_timeout()
        check_configuration({name: value for name, value in parsed.values.items() if name not in (command.flags or ())})
        return invocation, _telling(help_text(name, command)) if parsed.values["help"] else _checked(command)
    except CommandError as error:
        return nothing, _failing(error)


def _words(line):
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise CommandError(f"the line cannot be taken apart: {str(error).lower()}") from None
    operators = [word for word in words if word in OPERATORS]
    if operators:
        raise CommandError(f"this console runs one kubectl command at a time and knows no shell: \"{operators[0]}\" cannot be used")
    words = words[1:] if words[:1] == ["kubectl"] else words
    return [*words[1:], "--help"] if words[:1] == ["help"] else words


def _command_of(words):
    """(path, Command, the words that are left for it). Flags may stand anywhere, before the command's name too."""
    path, left, place = (), [], 0
    while place < len(words) and words[place] != "--":
        word = words[place]
        if word.startswith("-"):
            taken = 2 if _takes_next(word) else 1
            left += words[place:place + taken]
            place += taken
            continue
        if not any(known[:len(path) + 1] == (*path, word) for known in table()):
            break
        path, place = (*path, word), place + 1
        if path in table() and not any(known[:-1] == path for known in table()):
            break
    left += words[place:]
    return _found(path, left)


def _takes_next(word):
    """Whether a global flag is followed by its value."""
    name = word.removeprefix("--")
    flag = GLOBAL.get(name) if word.startswith("--") else next((flag for flag in GLOBAL.values() if flag.short and flag.short == word[1:]), None)
    return flag is not None and flag.bare is None and "=" not in word


def _found(path, left):
    if path in table():
        return *table()[path], left
    argument = next((word for word in left if not word.startswith("-")), None)
    children = sorted({known[len(path)] for known in table() if known[:len(path)] == path and len(known) > len(path)})
    if argument is None:
        bad = next((word for word in left if word not in ("-h", "--help")), None)
        if bad and bad.startswith("-"):
            raise FlagError(f"unknown flag: {bad.partition('=')[0]}" if bad.startswith("--") else f"unknown shorthand flag: '{bad[1]}' in {bad}",
                            " ".join(path))
        raise PlainError(help_text(" ".join(path), None, children))
    if path:
        group = next((group for group, alias in GROUP_ALIASES.items() if path == (*group[:-1], alias)), path)
        raise UsageError(f'unknown command "{argument}"', " ".join(group))
    raise PlainError(f'error: unknown command "{argument}" for "kubectl"' + suggestions(argument, sorted(children, key=ORDER.index)))


def _checked(command):
    def run(invocation):
        missing = [f'"{name}"' for name in command.required if name not in invocation.given]
        if missing:
            raise CommandError(f"required flag(s) {', '.join(missing)} not set")
        return (yield from command.run(invocation))
    return run


def _failing(error):
    def run(invocation):
        yield from ()
        raise error
    return run


def _telling(text):
    def run(invocation):
        yield from ()
        invocation.out(text)
    return run
