"""A shell that reads its commands from standard input, line by line: at a terminal with a prompt, else as from a script."""
from .lexer import ShellSyntaxError
from .parser import parse
from .process import Interrupt, Until

INTERRUPTED = 130
MORE = ("unexpected end of file", "unterminated quoted string")         # what the parser says about a text that is only a beginning


def read_and_run(shell):
    """Run what comes until it ends or a command leaves the shell."""
    process, source = shell.process, shell.source
    process.reads_lines = source.terminal is not None
    text = ""
    while True:
        try:
            if source.terminal:
                shell.err.write(process, "> " if text else prompt(shell))
            yield Until(lambda: not source.open or "\n" in source.text)
            line = source.line()
            text += line
            tree = parsed(text, line != "", shell)
            if tree is not None:
                text = ""
                yield from shell.run(tree)
            if not line:
                return
        except Interrupt:
            text, shell.status, shell.depth = "", INTERRUPTED, 0
        except ShellSyntaxError as problem:
            shell.err.write(process, f"{shell.arguments[0]}: {problem}\n")
            text, shell.status = "", 2
            if not source.terminal:
                return


def parsed(text, more, shell):
    """The tree of a text; None if it is only the beginning of a command and `more` may come. Raises ShellSyntaxError."""
    if more and (text.endswith("\\\n") or _in_here_document(text)):
        return None
    try:
        return parse(text)
    except ShellSyntaxError as problem:
        if more and str(problem).partition(": ")[2].startswith(MORE):
            return None
        raise


def _in_here_document(text):
    """Whether the last here-document has not come to its end: the lexer takes what there is for all of it."""
    first, _, rest = text.partition("\n")
    for word in first.split("<<")[1:]:
        end = word.lstrip("-").strip().split()[:1]
        if end and end[0].strip("'\"") not in (line.strip("\t") for line in rest.split("\n")[:-1]):
            return True
    return False


def prompt(shell):
    """As ash and bash write it for root, unless PS1 says otherwise."""
    home = shell.variables.get("HOME", "/root")
    place = "~" + shell.cwd[len(home):] if (shell.cwd + "/").startswith(home.rstrip("/") + "/") and home != "/" else shell.cwd
    if "PS1" in shell.variables:
        return shell.variables["PS1"]
    return f"root@{shell.box.hostname}:{place}# " if shell.arguments[0].rpartition("/")[2] == "bash" else f"{place} # "
