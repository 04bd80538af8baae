"""Templates of the JSONPath dialect, taken apart into nodes."""
import re
from functools import lru_cache
from typing import NamedTuple


class JSONPathError(ValueError):
    """A template that cannot be read or does not fit the object; the text is client-go's."""


class Text(NamedTuple):
    value: str


class Literal(NamedTuple):
    value: bool | int | float


class Identifier(NamedTuple):
    """`range` or `end`."""

    name: str


class Field(NamedTuple):
    name: str


class Wildcard(NamedTuple):
    pass


class Recursive(NamedTuple):
    pass


class Slice(NamedTuple):
    """`derived`: the end was not written (`[2]`), so it is one element."""

    start: int | None
    end: int | None
    step: int | None
    derived: bool


class Filter(NamedTuple):
    """`operator` "exists" has no right side."""

    left: tuple
    operator: str
    right: tuple


class Union(NamedTuple):
    paths: tuple


class Path(NamedTuple):
    """What one pair of braces holds: each node is applied to what the one before found."""

    nodes: tuple


TERMINATORS = frozenset(" \t\r\n.,[]$@{}")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
KEY = re.compile(r"'([^']*)'")
SLICE = re.compile(r"(-?\d*)(:-?\d*)?(:-?\d*)?")
COMPARISON = re.compile(r"([^!<>=]+)([!<>=]+)(.+?)", re.DOTALL)
NUMBER = re.compile(r"[+-]?[0-9.eE+-]*")
WORD = re.compile(r"\w+")


@lru_cache(256)
def parse(template):
    """The nodes of a template: Text and Path, in order. JSONPathError if it is malformed."""
    nodes, position = [], 0
    while position < len(template):
        start = template.find("{", position)
        if start < 0:
            start = len(template)
        if start > position:
            nodes.append(Text(template[position:start]))
        position = start
        if start < len(template):
            reader = _Reader(template, start + 1)
            nodes.append(Path(reader.path(True)))
            position = reader.position
    return tuple(nodes)


def _parse_action(text):
    return _Reader(text, 0).path(False)


class _Reader:
    """Reads the inside of one pair of braces, or of a part of it."""

    def __init__(self, text, position):
        self.text, self.position = text, position

    def path(self, braces):
        """The nodes up to the closing brace, or up to the end of the text if there are no `braces`."""
        nodes = []
        while self.position < len(self.text):
            letter = self.text[self.position]
            if letter == "}" and braces:
                self.position += 1
                return tuple(nodes)
            if letter in " @$":
                self.position += 1
            else:
                nodes.extend(self._node(letter, nodes))
        if braces:
            raise JSONPathError("unclosed action")
        return tuple(nodes)

    def _node(self, letter, before):
        rest = self.text[self.position:self.position + 3]
        if rest == "[?(":
            return [self._filter()]
        if rest.startswith(".."):
            return self._recursive(before)
        if letter == "[":
            return self._array()
        if letter in "\"'":
            return [Text(self._quoted(letter))]
        if letter == ".":
            self.position += 1
            return [self._field()]
        if letter in "+-" or letter.isdigit():
            return [Literal(self._number())]
        if letter.isalnum() or letter == "_":
            return [self._word()]
        raise JSONPathError(f"unrecognized character in action: U+{ord(letter):04X} '{letter}'")

    def _recursive(self, before):
        if before and isinstance(before[-1], Recursive):
            raise JSONPathError("invalid multiple recursive descent")
        self.position += 2
        following = self.text[self.position:self.position + 1]
        return [Recursive(), self._field()] if following.isalnum() or following == "_" else [Recursive()]

    def _field(self):
        start = self.position
        while self.position < len(self.text) and self.text[self.position] not in TERMINATORS:
            self.position += 2 if self.text[self.position] == "\\" else 1
        name = self.text[start:self.position].replace("\\", "")
        return Wildcard() if name == "*" else Field(name)

    def _word(self):
        word = WORD.match(self.text, self.position)[0]
        self.position += len(word)
        return Literal(word == "true") if word in ("true", "false") else Identifier(word)

    def _number(self):
        text = NUMBER.match(self.text, self.position)[0]
        self.position += len(text)
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        raise JSONPathError(f"cannot parse number {text}")

    def _quoted(self, quote):
        end, letters = self.position + 1, []
        while end < len(self.text) and self.text[end] not in ("\n", quote):
            if self.text[end] == "\\":
                end += 1
                letters.append(ESCAPES.get(self.text[end:end + 1], self.text[end:end + 1]))
            else:
                letters.append(self.text[end])
            end += 1
        if self.text[end:end + 1] != quote:
            raise JSONPathError("unterminated quoted string")
        self.position = end + 1
        return "".join(letters)

    def _filter(self):
        start = self.position = self.position + 3
        quote = closed = None
        while self.text[self.position:self.position + 1] not in ("", "\n"):
            letter = self.text[self.position]
            if letter in "\"'" and quote is None:
                quote = letter
            elif letter == quote and self.text[self.position - 1] != "\\":
                closed = True
            elif letter == ")" and bool(quote) == bool(closed):
                return self._comparison(self.text[start:self.position])
            self.position += 1
        raise JSONPathError("unterminated filter")

    def _comparison(self, text):
        if self.text[self.position + 1:self.position + 2] != "]":
            raise JSONPathError("unclosed array expect ]")
        self.position += 2
        parts = COMPARISON.fullmatch(text)
        if parts is None:
            return Filter(_parse_action(text), "exists", ())
        return Filter(_parse_action(parts[1]), parts[2], _parse_action(parts[3]))

    def _array(self):
        end = self.text.find("]", self.position)
        if end < 0:
            raise JSONPathError("unterminated array")
        text = self.text[self.position + 1:end]
        self.position = end + 1
        return _index(text)


def _index(text):
    """The nodes of what stands between brackets."""
    if "," in text:
        return [Union(tuple([tuple(_index(part.strip())) for part in text.split(",")]))]
    if key := KEY.fullmatch(text):
        return list(_parse_action(f".{key[1]}"))
    if text == "*":
        text = ":"
    parts = SLICE.fullmatch(text)
    if parts is None:
        raise JSONPathError(f"invalid array index {text}")
    start, end, step = [None if part in (None, "", ":") else int(part.removeprefix(":")) for part in parts.groups()]
    if parts[2] is None:
        return [Slice(start, (start or 0) + 1, step, True)]
    return [Slice(start, end, step, False)]
