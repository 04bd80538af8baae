"""Scripts for `manage.py simulate`: timed kubectl commands and faults, one a line.

    # a comment
    @0s kubectl apply -f web.yaml
    @1m30s node n3 down
    @400s end

What can be broken is in simulation/faults. Times are virtual, from the start; a number may have a fraction. Files named by a command are read relative to the
script.
"""
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from .simulation.faults.durations import milliseconds

LINE = re.compile(r"@(?P<time>\S+)\s+(?P<words>.*\S)")
FILE_OPTIONS = ("-f", "--filename", "--patch-file", "--from-file", "--from-env-file")


class ScriptError(Exception):
    """A line that cannot be played; the text names the line."""


class Act(NamedTuple):
    """One line: at virtual ms `at`, do `words`."""

    at: int
    words: str
    line: int


def parse(text):
    """The Acts of a script in order of time; lines of the same time keep their order. Raises ScriptError."""
    acts = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        found = LINE.fullmatch(line)
        at = milliseconds(found["time"]) if found else None
        if at is None:
            raise ScriptError(f"line {number}: expected '@TIME COMMAND', such as '@60s kubectl delete pod web', found: {line}")
        acts.append(Act(at, found["words"], number))
    return sorted(acts, key=lambda act: act.at)


def words_of(command):
    """The words of a command line as a shell splits them. Raises ScriptError."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ScriptError(f"cannot split into words ({error}): {command}") from None


def files_of(command, folder):
    """{name as written: text} of the files that a kubectl command reads; what is missing is left for kubectl to complain about."""
    found = {}
    words = words_of(command)
    for option, word in zip(["", *words], words):
        name = _file_named(option, word)
        if name:
            found.update(read(folder, name))
    return found


def _file_named(option, word):
    if option in FILE_OPTIONS:
        value = word
    elif word.startswith("--") and word.partition("=")[0] in FILE_OPTIONS:
        value = word.partition("=")[2]
    elif word.startswith("-f") and len(word) > 2 and not word.startswith("--"):
        value = word[2:].removeprefix("=")
    else:
        return None
    return value.rpartition("=")[2] if "from-" in option + word else value


def read(folder, name):
    """{name: text} of a file, or of the manifests in a folder; {} if there is nothing of that name."""
    path = Path(folder) / name
    if path.is_dir():
        return {f"{name.rstrip('/')}/{each.name}": each.read_text() for each in sorted(path.iterdir()) if each.suffix in (".yaml", ".yml", ".json")}
    return {name: path.read_text()} if path.is_file() else {}
