"""Programs that work on files."""
import re
from posixpath import basename, dirname, join

from .builtins import plain
from .files import DIRECTORY, FileProblem
from .process import Sleep

UNITS = {"": 1, "c": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "kB": 1000, "MB": 10**6, "GB": 10**9,
         "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
DISK_SPEED = 500_000               # bytes per ms


def options(args, with_value=""):
    """({letter: value or True}, the other words)"""
    found, rest, words = {}, [], list(args)
    while words:
        word = words.pop(0)
        if word == "--":
            rest += words
            break
        if not word.startswith("-") or word == "-" or word.startswith("--"):
            rest.append(word)
            continue
        for place, letter in enumerate(word[1:], 1):
            if letter in with_value:
                found[letter] = word[place + 1:] or (words.pop(0) if words else "")
                break
            found[letter] = True
    return found, rest


def bytes_of(text):
    """"10M" -> 10485760"""
    number, unit = re.fullmatch(r"(\d*)(\w*)", text).groups()
    return int(number or 1) * UNITS.get(unit, 1)


def each(shell, name, paths, work):
    """Do `work(path)` for every path; complain about those that fail. Returns the exit code."""
    status = 0
    for path in paths:
        try:
            work(path)
        except FileProblem as problem:
            shell.err.write(shell.process, f"{name}: {path}: {problem}\n")
            status = 1
    return status


def touch(shell, args):
    return each(shell, "touch", options(args)[1], lambda path: shell.files.get(path, shell.cwd) or shell.files.write(path, "", shell.cwd))


def remove(shell, args):
    flags, paths = options(args)

    def work(path):
        found = shell.files.get(path, shell.cwd)
        if found is None and "f" not in flags:
            raise FileProblem("No such file or directory")
        if found is DIRECTORY and not {"r", "R"} & set(flags):
            raise FileProblem("is a directory")
        if found is not None:
            shell.files.remove(path, shell.cwd)
    return each(shell, "rm: can't remove", paths, work)


def make_directory(shell, args):
    flags, paths = options(args, "m")

    def work(path):
        if shell.files.get(path, shell.cwd) is not None and "p" not in flags:
            raise FileProblem("File exists")
        if shell.files.get(dirname(shell.files.absolute(path, shell.cwd))) is None and "p" not in flags:
            raise FileProblem("No such file or directory")
        shell.files.make_directory(path, shell.cwd)
    return each(shell, "mkdir: can't create directory", paths, work)


def listing(shell, args):
    """ls"""
    flags, paths = options(args)
    status = 0
    for number, path in enumerate(paths or ["."]):
        found = shell.files.get(path, shell.cwd)
        if found is None:
            shell.err.write(shell.process, f"ls: {path}: No such file or directory\n")
            status = 1
            continue
        lines = _listed(shell, path, flags) if found is DIRECTORY and "d" not in flags else [_long(shell, path, path) if "l" in flags else path]
        head = f"{chr(10) if number else ''}{path}:\n" if found is DIRECTORY and len(paths) > 1 else ""
        shell.out.write(shell.process, head + "".join(line + "\n" for line in lines))
    return status


def _listed(shell, path, flags):
    """The lines about what is in a directory."""
    names = [name for name in shell.files.names(path, shell.cwd) if not name.startswith(".") or {"a", "A"} & set(flags)]
    if "a" in flags:
        names = [".", "..", *names]
    if "l" not in flags:
        return names
    blocks = sum(4 * -(-_size(shell, join(path, name)) // 4096) for name in names)
    return [f"total {blocks}", *(_long(shell, join(path, name), name) for name in names)]


def _size(shell, path):
    return 4096 if shell.files.get(path, shell.cwd) is DIRECTORY else shell.files.size(path, shell.cwd)


def _long(shell, path, name):
    is_directory = shell.files.get(path, shell.cwd) is DIRECTORY
    size = _size(shell, path)
    return f"{'drwxr-xr-x' if is_directory else '-rw-r--r--'}    {2 if is_directory else 1} root     root     {size:>9} Jan  1 00:00 {name}"


def _target(shell, source, target):
    return join(target, basename(source)) if shell.files.get(target, shell.cwd) is DIRECTORY else target


def copy(shell, args):
    *sources, target = options(args)[1]
    for source in sources:
        paths = [source]
        if shell.files.get(source, shell.cwd) is DIRECTORY:
            paths = [join(source, name) for name in shell.files.names(source, shell.cwd)]
        for path in paths:
            if shell.files.get(path, shell.cwd) is not DIRECTORY:
                shell.files.write(_target(shell, path, target), shell.files.read(path, shell.cwd), shell.cwd)


def move(shell, args):
    *sources, target = options(args)[1]
    for source in sources:
        shell.files.write(_target(shell, source, target), shell.files.read(source, shell.cwd), shell.cwd)
        shell.files.remove(source, shell.cwd)


def disk_dump(shell, args):
    """dd: the bytes are counted, not kept."""
    words = dict(word.partition("=")[::2] for word in args)
    size = bytes_of(words.get("bs", "512")) * int(words.get("count", "1"))
    yield Sleep(size // DISK_SPEED + 1)
    if words.get("of", "/dev/null") != "/dev/null":
        shell.files.write(words["of"], "", shell.cwd, extra=size)
    shell.err.write(shell.process, f"{words.get('count', '1')}+0 records in\n{words.get('count', '1')}+0 records out\n")


def allocate(shell, args):
    flags, paths = options(args, "lo")
    shell.files.write(paths[0], "", shell.cwd, extra=bytes_of(flags.get("l", "0")))


def name_of(function):
    def run(shell, args):
        name = function(args[0].rstrip("/") or "/")
        shell.out.write(shell.process, (name.removesuffix(args[1]) if len(args) > 1 else name or ".") + "\n")
    return plain(run)


FILE_PROGRAMS = {
    "touch": plain(touch), "rm": plain(remove), "rmdir": plain(remove), "mkdir": plain(make_directory), "ls": plain(listing), "cp": plain(copy),
    "mv": plain(move), "dd": disk_dump, "fallocate": plain(allocate), "truncate": plain(allocate), "basename": name_of(basename),
    "dirname": name_of(dirname), "chmod": plain(lambda shell, args: 0), "chown": plain(lambda shell, args: 0), "ln": plain(lambda shell, args: 0),
    "sync": plain(lambda shell, args: 0)}
