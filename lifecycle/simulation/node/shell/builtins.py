"""What is built into the shell (POSIX special built-ins, and those of busybox ash)."""
from .conditions import holds
from .control import Leave
from .files import DIRECTORY
from .parser import parse
from .printing import formatted, unescaped
from .process import NUMBERS, Ended, Until

SIGNALS = {str(number): name for name, number in NUMBERS.items()}


def plain(function):
    """A command that takes no time, as a generator."""
    def run(shell, args):
        return function(shell, args)
        yield
    return run


def signal_name(word):
    """"TERM" of "TERM", "SIGTERM", "15" or "-15"."""
    word = word.lstrip("-").upper().removeprefix("SIG")
    return "EXIT" if word in ("0", "EXIT") else SIGNALS.get(word, word)


def echo(shell, args):
    newline, escapes = "\n", False
    while args and args[0] in ("-n", "-e", "-ne", "-en", "-E"):
        newline = "" if "n" in args[0] else newline
        escapes = escapes or "e" in args[0]
        args = args[1:]
    text = " ".join(args)
    shell.out.write(shell.process, (unescaped(text) if escapes else text) + newline)


def printf(shell, args):
    shell.out.write(shell.process, formatted(args[0], args[1:]) if args else "")


def test(shell, args):
    return 0 if holds(shell, args) else 1


def bracket(shell, args):
    if args[-1:] != ["]"]:
        shell.err.write(shell.process, "sh: missing ]\n")
        return 2
    return test(shell, args[:-1])


def change_directory(shell, args):
    target = shell.files.absolute(args[0] if args else shell.variables.get("HOME", "/root"), shell.cwd)
    if shell.files.get(target) is not DIRECTORY:
        shell.err.write(shell.process, f"{shell.arguments[0]}: cd: can't cd to {args[0]}: No such file or directory\n")
        return 2
    shell.cwd = target


def export(shell, args):
    for word in args:
        name, equals, value = word.partition("=")
        if equals:
            shell.assign(name, value)
        shell.exported.add(name)


def unset(shell, args):
    for name in args:
        shell.variables.pop(name, None)
        shell.functions.pop(name, None)


def set_options(shell, args):
    while args and args[0][:1] in "-+" and len(args[0]) > 1 and args[0] != "--":
        flags = {args[1][0]} if args[0][1:] == "o" and len(args) > 1 else set(args[0][1:])
        shell.options = shell.options | flags if args[0][0] == "-" else shell.options - flags
        args = args[2:] if args[0][1:] == "o" else args[1:]
    if args:
        shell.arguments = [shell.arguments[0], *(args[1:] if args[0] == "--" else args)]


def shift(shell, args):
    shell.arguments = [shell.arguments[0], *shell.arguments[1 + int(args[0] if args else 1):]]


def trap(shell, args):
    if args[:1] == ["--"]:
        args = args[1:]
    handler, names = (args[0], args[1:]) if len(args) > 1 else ("-", args)
    for name in map(signal_name, names):
        if handler == "-":
            shell.process.handlers.pop(name, None)
        else:
            shell.process.handlers[name] = handler


def kill(shell, args):
    name = "TERM"
    if args[:1] == ["-s"]:
        name, args = signal_name(args[1]), args[2:]
    elif args and args[0].startswith("-"):
        name, args = signal_name(args[0]), args[1:]
    status = 0
    for word in args:
        target = shell.box.processes.get(int(word)) if word.isdigit() else None
        if target is None or target.code is not None:
            shell.err.write(shell.process, f"sh: can't kill pid {word}: No such process\n")
            status = 1
        elif name != "EXIT":
            target.signal(name, shell.process.clock, inside=True)
    if shell.process.code is not None:
        raise Ended(shell.process.code)
    return status


def read(shell, args):
    names = [word for word in args if not word.startswith("-")] or ["REPLY"]
    source = shell.source
    yield Until(lambda: not source.open or "\n" in source.text)
    line = source.line()
    words = line.rstrip("\n").split(None, len(names) - 1)
    for number, name in enumerate(names):
        shell.assign(name, words[number] if number < len(words) else "")
    return 0 if line.endswith("\n") else 1


def wait(shell, args):
    children = [shell.box.processes.get(int(word)) for word in args if word.isdigit()] if args else shell.children
    children = [child for child in children if child]
    process = shell.process
    yield Until(lambda: all(child.code is not None for child in children), breakable=True)
    signal = process.pending[0][1] if process.pending else None
    yield from shell.traps()
    if signal:
        return 128 + NUMBERS.get(signal, 15)
    return children[-1].code if args and children else 0


def leave(kind):
    def run(shell, args):
        number = int(args[0]) if args and args[0].isdigit() else None
        raise Leave(kind, number or 1, shell.status if number is None else number)
        yield
    return run


def exit_shell(shell, args):
    raise Ended((int(args[0]) if args and args[0].lstrip("-").isdigit() else shell.status) & 255)


def evaluate(shell, args):
    yield from shell.run(parse(" ".join(args)))
    return shell.status


def source(shell, args):
    yield from shell.run(parse(shell.files.read(args[0], shell.cwd)))
    return shell.status


def execute(shell, args):
    if args:
        yield from shell.call(args, ())
        raise Ended(shell.status)


def command(shell, args):
    if args[:1] in (["-v"], ["-V"]):
        kind = shell.finds(args[1])
        shell.out.write(shell.process, (args[1] if kind == "builtin" else f"/bin/{args[1]}") + "\n" if kind else "")
        return 0 if kind else 127
    yield from shell.call(args, ())
    return shell.status


def which(shell, args):
    return (yield from command(shell, ["-v", *args]))


def print_directory(shell, args):
    shell.out.write(shell.process, shell.cwd + "\n")


BUILTINS = {
    "echo": plain(echo), "printf": plain(printf), "test": plain(test), "[": plain(bracket), "cd": plain(change_directory), "export": plain(export),
    "readonly": plain(export), "unset": plain(unset), "set": plain(set_options), "shift": plain(shift), "trap": plain(trap), "kill": plain(kill),
    "read": read, "wait": wait, "break": leave("break"), "continue": leave("continue"), "return": leave("return"), "exit": plain(exit_shell),
    "eval": evaluate, ".": source, "source": source, "exec": execute, "command": command, "type": which, "which": which,
    "pwd": plain(print_directory), "local": plain(export), "true": plain(lambda shell, args: 0), ":": plain(lambda shell, args: 0),
    "false": plain(lambda shell, args: 1), "umask": plain(lambda shell, args: 0), "ulimit": plain(lambda shell, args: 0)}
