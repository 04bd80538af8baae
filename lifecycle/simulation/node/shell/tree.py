"""The nodes of a parsed shell program. Fields that say `tuple` hold other nodes."""
from typing import NamedTuple

from .lexer import Word


class Simple(NamedTuple):
    assignments: tuple        # ((name, Word), ...)
    words: tuple
    redirections: tuple       # ((descriptor, operator, Word), ...)


class Sequence(NamedTuple):
    items: tuple              # ((command, in the background), ...)


class AndOr(NamedTuple):
    first: tuple
    rest: tuple               # (("&&" or "||", command), ...)


class Pipeline(NamedTuple):
    commands: tuple
    negated: bool


class If(NamedTuple):
    branches: tuple           # ((condition, body), ...)
    otherwise: tuple | None


class Loop(NamedTuple):
    condition: tuple
    body: tuple
    until: bool


class For(NamedTuple):
    name: str
    words: tuple | None       # None: the positional parameters
    body: tuple


class Case(NamedTuple):
    subject: Word
    branches: tuple           # ((patterns, body), ...)


class Group(NamedTuple):
    body: tuple
    subshell: bool


class Redirected(NamedTuple):
    command: tuple
    redirections: tuple


class Function(NamedTuple):
    name: str
    body: tuple
