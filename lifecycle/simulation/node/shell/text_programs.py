"""Programs that read text and print text."""
import re

from .file_programs import options
from .files import FileProblem
from .octets import size
from .process import Until
from .streams import ToFile

NESTED = re.compile(r"[+*}?]\)*[+*{]|\([^()]*[+*}|][^()]*\)[+*{]|\\[1-9]")


def lines_of(shell, name, paths):
    """The lines, with their newlines, of some files or of standard input; waits for what is still to come through a pipe."""
    if not paths or paths == ["-"]:
        source, lines = shell.source, []
        while True:
            yield Until(lambda: not source.open or "\n" in source.text)
            line = source.line()
            if not line:
                return lines
            lines.append(line)
    lines = []
    for path in paths:
        try:
            lines += shell.files.read(path, shell.cwd).splitlines(keepends=True)
        except FileProblem as problem:
            shell.err.write(shell.process, f"{name}: {path if name != 'cat' else chr(39) + path + chr(39)}: {problem}\n".replace("cat: '", "cat: can't open '"))
            shell.status_of_input = 1
    return lines


def filtering(work):
    """A program that prints what `work(flags, lines)` makes of its input as a whole."""
    def program(name, with_value=""):
        def run(shell, args):
            flags, paths = options(args, with_value)
            shell.status_of_input = 0
            lines = yield from lines_of(shell, name, paths)
            shell.out.write(shell.process, "".join(work(flags, lines)))
            return shell.status_of_input
        return run
    return program


def cat(shell, args):
    flags, paths = options(args)
    shell.status_of_input = 0
    if paths:
        shell.out.write(shell.process, "".join((yield from lines_of(shell, "cat", paths))))
        return shell.status_of_input
    source = shell.source
    while True:
        yield Until(lambda: not source.open or "\n" in source.text)
        line = source.line()
        if not line:
            return 0
        shell.out.write(shell.process, line)


def tee(shell, args):
    flags, paths = options(args)
    for path in paths:
        shell.files.write(path, "", shell.cwd, append="a" in flags)
    files, source = [ToFile(shell.files, shell.files.absolute(path, shell.cwd)) for path in paths], shell.source
    while True:
        yield Until(lambda: not source.open or "\n" in source.text)
        line = source.line()
        if not line:
            return 0
        for stream in (shell.out, *files):
            stream.write(shell.process, line)


def tail(shell, args):
    flags, paths = options([re.sub(r"^-(\d+)$", r"-n\1", word) for word in args], "nc")
    lines = yield from lines_of(shell, "tail", paths)
    shell.out.write(shell.process, "".join(lines[-int(flags.get("n", "10").lstrip("+")):]))
    if not {"f", "F"} & set(flags):
        return 0
    yield from _follow(shell, paths[0] if paths else "/dev/null", "".join(lines))


def _follow(shell, path, shown):
    """tail -f: print what is added to a file, for ever."""
    def grown():
        text = shell.files.get(path, shell.cwd)
        return isinstance(text, str) and len(text) > len(shown)
    while True:
        yield Until(grown)
        text = shell.files.read(path, shell.cwd)
        shell.out.write(shell.process, text[len(shown):])
        shown = text


def head(flags, lines):
    return lines[:int(flags.get("n", "10"))]


def sort(flags, lines):
    key = (lambda line: float(re.match(r"\s*-?[\d.]*", line).group() or 0)) if "n" in flags else None
    found = sorted(dict.fromkeys(lines) if "u" in flags else lines, key=key, reverse="r" in flags)
    return [line if line.endswith("\n") else line + "\n" for line in found]


def unique(flags, lines):
    kept, counts = [], []
    for line in lines:
        if kept and kept[-1] == line:
            counts[-1] += 1
        else:
            kept.append(line)
            counts.append(1)
    return [f"{count:>7} {line}" for count, line in zip(counts, kept)] if "c" in flags else kept


def count(flags, lines):
    text = "".join(lines)
    numbers = {"l": text.count("\n"), "w": len(text.split()), "c": size(text)}
    return [" ".join(str(numbers[letter]) for letter in "lwc" if letter in flags or not set(flags) & set("lwc")) + "\n"]


def cut(flags, lines):
    places = [int(place) - 1 for place in re.findall(r"\d+", flags.get("f", flags.get("c", "1")))]
    for line in lines:
        parts = line.rstrip("\n").split(flags.get("d", "\t")) if "f" in flags else list(line.rstrip("\n"))
        yield (flags.get("d", "\t") if "f" in flags else "").join(parts[place] for place in places if place < len(parts)) + "\n"


def harmless(pattern):
    """The pattern, unless it repeats what repeats: such a search may never end. Raises ValueError."""
    if NESTED.search(pattern):
        raise ValueError(pattern)
    return pattern


def grep(shell, args):
    flags, words = options(args, "emABC")
    pattern = flags.get("e") or words.pop(0)
    shell.status_of_input = 0
    lines = yield from lines_of(shell, "grep", words)
    compiled = re.compile(re.escape(pattern) if "F" in flags else harmless(pattern), re.IGNORECASE if "i" in flags else 0)
    found = [line for line in lines if bool(compiled.search(line.rstrip("\n"))) != ("v" in flags)]
    if "c" in flags:
        shell.out.write(shell.process, f"{len(found)}\n")
    elif "q" not in flags:
        shell.out.write(shell.process, "".join(found))
    return 0 if found else 1


def replace(shell, args):
    """sed with s commands."""
    flags, words = options(args, "e")
    commands = [flags["e"]] if "e" in flags else [words.pop(0)]
    lines = yield from lines_of(shell, "sed", words)
    for found in (re.fullmatch(r"s(.)(.*)\1(.*)\1([gi]*)", command) for command in commands):
        if found:
            _, pattern, new, options_ = found.groups()
            lines = [re.sub(harmless(pattern), new.replace("&", r"\g<0>"), line, count=0 if "g" in options_ else 1) for line in lines]
    if "i" in flags and words:
        shell.files.write(words[0], "".join(lines), shell.cwd)
    else:
        shell.out.write(shell.process, "".join(lines))


def translate(shell, args):
    flags, sets = options(args)
    lines = yield from lines_of(shell, "tr", [])
    text, (first, *second) = "".join(lines), [_set(word) for word in sets]
    table = {ord(char): None if "d" in flags else second[0][min(place, len(second[0]) - 1)] for place, char in enumerate(first)}
    shell.out.write(shell.process, text.translate(table))


def _set(word):
    word = word.replace("[:lower:]", "a-z").replace("[:upper:]", "A-Z").replace("\\n", "\n")
    return re.sub(r"(.)-(.)", lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), word)


TEXT_PROGRAMS = {
    "cat": cat, "tee": tee, "tail": tail, "head": filtering(head)("head", "nc"), "sort": filtering(sort)("sort", "kt"), "uniq": filtering(unique)("uniq"),
    "wc": filtering(count)("wc"), "cut": filtering(cut)("cut", "dfc"), "grep": grep, "egrep": grep, "sed": replace, "tr": translate,
    "rev": filtering(lambda flags, lines: [line.rstrip("\n")[::-1] + "\n" for line in lines])("rev")}
