"""Redirections: where a command reads from and writes to while it runs."""
from . import expansion
from .files import FileProblem
from .streams import Nowhere, Pipe, ToFile


def redirecting(shell, redirections, work):
    """Do `work` with the redirections in place."""
    kept = shell.out, shell.err, shell.source
    try:
        for descriptor, operator, word in redirections:
            yield from _redirect(shell, descriptor, operator, (yield from expansion.text_of(shell, word)))
        yield from work
    except FileProblem as problem:
        shell.err.write(shell.process, f"{shell.arguments[0]}: can't open {problem}\n")
        shell.status = 1
    finally:
        shell.out, shell.err, shell.source = kept


def _redirect(shell, descriptor, operator, target):
    if operator in ("<<", "<<-"):
        shell.source = Pipe(target)
    elif operator in ("<", "<>"):
        shell.source = Pipe("" if target == "/dev/null" else _opened(shell, target))
    elif operator in (">&", "<&"):
        stream = {"1": shell.out, "2": shell.err}.get(target, Nowhere())
        shell.out, shell.err = (stream, shell.err) if descriptor == 1 else (shell.out, stream)
    else:
        stream = _writing(shell, target, operator == ">>")
        shell.out, shell.err = (stream, shell.err) if descriptor == 1 else (shell.out, stream)
    yield from ()


def _opened(shell, path):
    try:
        return shell.files.read(path, shell.cwd)
    except FileProblem as problem:
        raise FileProblem(f"{path}: {str(problem).replace('No such file or directory', 'no such file')}") from None


def _writing(shell, path, append):
    first = shell.box.first
    special = {"/dev/null": Nowhere(), "/dev/stdout": shell.out, "/dev/stderr": shell.err, "/proc/shell/fd/1": shell.out, "/proc/shell/fd/2": shell.err,
               "/proc/1/fd/1": first.out if first else shell.box.out, "/proc/1/fd/2": first.err if first else shell.box.err}
    if path in special:
        return special[path]
    try:
        shell.files.write(path, "", shell.cwd, append)
    except FileProblem as problem:
        raise FileProblem(f"{path}: {problem}".replace("can't open", "can't create")) from None
    return ToFile(shell.files, shell.files.absolute(path, shell.cwd))
