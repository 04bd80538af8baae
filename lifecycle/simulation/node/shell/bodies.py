"""Bodies of processes that are a shell, or that a shell environment runs."""
from .process import Sleep
from .shell import Shell

SHELLS = ("sh", "ash", "bash", "dash")
READS = ("-i", "-l", "-il", "-li", "--login", "-")              # words after which a shell still reads standard input


def script(text, arguments=("sh",)):
    """A shell that runs a text; `arguments` are $0, $1, ..."""
    return lambda process: Shell(process, arguments).main_script(text)


def command(argv):
    """One program."""
    return lambda process: Shell(process, argv[:1]).main_command(list(argv))


def program(argv, begins=0):
    """What an argv names: a shell, which is the process itself and takes `begins` ms to begin, or any other program."""
    name = argv[0].rpartition("/")[2]
    if name in SHELLS:
        if argv[1:2] == ["-c"] and len(argv) > 2:
            return _after(begins, script(argv[2], argv[3:] or ["sh"]))
        if all(word in READS for word in argv[1:]):
            return _after(begins, lambda process: Shell(process, [name]).main_reader())
    return command(argv)


def _after(ms, body):
    def delayed(process):
        yield Sleep(ms)
        return (yield from body(process))
    return delayed if ms else body
