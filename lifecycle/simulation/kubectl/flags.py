"""Command-line flags as kubectl understands them (the rules and the error texts of pflag)."""
import re
from typing import NamedTuple

from lifecycle.simulation.kubectl.errors import CommandError, FlagError


class Flag(NamedTuple):
    """`kind` is a key of PARSERS; `bare` is the value that the flag has when it is given without one."""

    kind: str = "string"
    default: object = ""
    short: str = ""
    bare: str | None = None


def boolean(short="", default=False):
    return Flag("bool", default, short, "true")


def text(default="", short="", bare=None):
    return Flag("string", default, short, bare)


def number(default=0, short=""):
    return Flag("int", default, short)


def listing(short=""):
    """Values separated by commas, or the flag given several times."""
    return Flag("strings", (), short)


def repeated(short=""):
    """The flag given several times; commas are part of the value."""
    return Flag("array", (), short)


def duration(default=0):
    """Go's duration, kept in virtual ms."""
    return Flag("duration", default)


_UNITS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_DURATION = re.compile(r"([0-9]*\.?[0-9]+|[0-9]+\.)(ns|us|µs|ms|s|m|h)")


def parsed_duration(value):
    """Go's time.ParseDuration, in ms. Raises ValueError with its text."""
    bare = value.removeprefix("-").removeprefix("+")
    if bare == "0":
        return 0
    parts = _DURATION.findall(bare)
    if not parts or "".join(figure + unit for figure, unit in parts) != bare:
        missing = "missing unit in" if re.fullmatch(r"[0-9.]+", bare) else "invalid"
        raise ValueError(f'time: {missing} duration "{value}"')
    return round(sum(float(figure) * _UNITS[unit] for figure, unit in parts)) * (-1 if value.startswith("-") else 1)


def whole(value):
    """A whole number that is not a flag's own. Raises CommandError."""
    if not re.fullmatch(r"[-+]?[0-9]+", value):
        raise CommandError(f'strconv.Atoi: parsing "{value}": invalid syntax')
    return int(value)


def _boolean(value):
    if value in ("1", "t", "T", "true", "TRUE", "True"):
        return True
    if value in ("0", "f", "F", "false", "FALSE", "False"):
        return False
    raise ValueError(f'strconv.ParseBool: parsing "{value}": invalid syntax')


def _whole(value):
    if not re.fullmatch(r"[-+]?[0-9]+", value):
        raise ValueError(f'strconv.ParseInt: parsing "{value}": invalid syntax')
    return int(value)


PARSERS = {"bool": _boolean, "string": str, "int": _whole, "duration": parsed_duration,
           "strings": lambda value: tuple(value.split(",")) if value else (), "array": lambda value: (value,)}
SEVERAL = ("strings", "array")


class Parsed(NamedTuple):
    """`values` has every flag, by default or as given; `given` are the names of the flags on the line.

    `dash` is how many arguments stood before "--", or None.
    """

    args: list
    values: dict
    given: frozenset
    dash: int | None


def parse(words, flags, command):
    """Take the words after the command's name apart. Raises FlagError with kubectl's text."""
    parser = _Parser(words, flags, command)
    parser.run()
    values = {name: parser.values.get(name, flag.default) for name, flag in flags.items()}
    return Parsed(parser.args, values, frozenset(parser.values), parser.dash)


class _Parser:
    def __init__(self, words, flags, command):
        self.words, self.flags, self.command = list(words), flags, command
        self.short = {flag.short: name for name, flag in flags.items() if flag.short}
        self.args, self.values, self.dash = [], {}, None

    def run(self):
        while self.words:
            word = self.words.pop(0)
            if word == "--":
                self.dash = len(self.args)
                self.args += self.words
                return
            if word.startswith("--"):
                self.long(word[2:])
            elif word.startswith("-") and word != "-":
                self.letters(word[1:])
            else:
                self.args.append(word)

    def fail(self, message):
        raise FlagError(message, self.command)

    def long(self, word):
        name, equals, value = word.partition("=")
        if name not in self.flags:
            self.fail(f"unknown flag: --{name}")
        if not equals:
            value = self.flags[name].bare
            if value is None:
                if not self.words:
                    self.fail(f"flag needs an argument: --{name}")
                value = self.words.pop(0)
        self.set(name, value)

    def letters(self, letters):
        """"-n default", "-ndefault", "-n=default", "-wA"."""
        whole = letters
        while letters:
            letter, letters = letters[0], letters[1:]
            name = self.short.get(letter)
            if name is None:
                self.fail(f"unknown shorthand flag: '{letter}' in -{whole}")
            bare = self.flags[name].bare
            if letters.startswith("="):
                self.set(name, letters[1:])
                return
            if bare is not None:
                self.set(name, bare)
            elif letters or self.words:
                self.set(name, letters or self.words.pop(0))
                return
            else:
                self.fail(f"flag needs an argument: '{letter}' in -{whole}")

    def set(self, name, value):
        flag = self.flags[name]
        try:
            parsed = PARSERS[flag.kind](value)
        except ValueError as error:
            shown = f"-{flag.short}, --{name}" if flag.short else f"--{name}"
            self.fail(f'invalid argument "{value}" for "{shown}" flag: {error}')
        self.values[name] = self.values.get(name, ()) + parsed if flag.kind in SEVERAL else parsed
