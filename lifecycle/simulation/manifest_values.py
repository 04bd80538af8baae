"""How sigs.k8s.io/yaml types what a manifest says: its scalars, keys, merges and aliases, and its words when something is wrong."""
import base64
import binascii
import json
import math
import re

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

DEEPEST = 100               # levels of nesting
TOO_DEEP = f"exceeded max depth of {DEEPEST}"
MOST_DIGITS = 1000          # in a number
MOST_ALIASED = 100_000      # values that aliases repeat

_TAG = "tag:yaml.org,2002:"
_PLAIN = "plain"            # the tag of every scalar without quotes and without a tag of its own
_TYPED = frozenset(_TAG + kind for kind in ("null", "bool", "int", "float"))
_TRUE = frozenset(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"])
_FALSE = frozenset(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"])
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_INTEGER = re.compile(r"[-+]?(0[bB][01]+|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0|[1-9][0-9]*)", re.ASCII)
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class UnreadableError(ValueError):
    """The YAML is well formed, yet no JSON can be made of it."""


class ManifestLoader(yaml.CSafeLoader):
    """Composes with libyaml; typing the scalars is left to this module."""

    yaml_implicit_resolvers = {None: [(_PLAIN, re.compile(""))]}

    def get_single_value(self):
        """The only document of the stream as plain values, None if there is none."""
        node = self.get_single_node()
        return None if node is None else _Values().of(node)


class _Values:
    """Turns composed nodes into plain values; an alias shares the value of its anchor."""

    def __init__(self):
        self.known = {}     # id(node) -> (value, how many values it stands for)
        self.path = []      # ids of the collections around the present node
        self.count = 0      # values so far, aliases expanded
        self.aliased = 0

    def of(self, node):
        known = self.known.get(id(node))
        if known is None:
            before = self.count
            value = self._made(node)
            self.known[id(node)] = (value, self.count - before)
            return value
        self.count += known[1]
        self.aliased += known[1]
        if self.aliased > MOST_ALIASED:
            raise UnreadableError("yaml: document contains excessive aliasing")
        return known[0]

    def _made(self, node):
        self.count += 1
        if isinstance(node, ScalarNode):
            return scalar(node)
        if id(node) in self.path:
            raise UnreadableError("yaml: an anchor's value contains itself")
        if len(self.path) >= DEEPEST:
            raise UnreadableError(f"yaml: {TOO_DEEP}")
        self.path.append(id(node))
        value = [self.of(child) for child in node.value] if isinstance(node, SequenceNode) else self._mapping(node)
        self.path.pop()
        return value

    def _mapping(self, node):
        """Later keys win, merges included, in the order in which they are written."""
        made = {}
        for key_node, value_node in node.value:
            if key_node.value == "<<" and key_node.tag in (_PLAIN, _TAG + "merge"):
                made.update(self._merged(value_node))
                continue
            key = self.of(key_node)
            made[_key(key)] = self.of(value_node)
        return made

    def _merged(self, node):
        maps = reversed(node.value) if isinstance(node, SequenceNode) else [node]
        merged = {}
        for one in maps:
            if not isinstance(one, MappingNode):
                raise UnreadableError("yaml: map merge requires map or sequence of maps as the value")
            merged.update(self.of(one))
        return merged


def scalar(node):
    """The value of a scalar node: str, int, float, bool or None."""
    tag, text = node.tag, node.value
    if tag == _PLAIN:
        return _resolved(text)
    if tag == _TAG + "binary":
        return _unpacked(text)
    return _resolved(text) if tag in _TYPED else text


def _resolved(text):
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text[0] in "+-.0123456789":
        return _number(text)
    return text


def _number(text):
    """Octal, hexadecimal and binary as Go's ParseInt with base 0; anything that is no number stays text."""
    plain = text.replace("_", "")
    if len(plain) > MOST_DIGITS:
        return text
    if _INTEGER.fullmatch(plain):
        number = _integer(plain)
        return number if -(2**63) <= number < 2**64 else float(number)
    if _FLOAT.fullmatch(plain):
        return float(plain) if math.isfinite(float(plain)) else text
    if _INFINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def _integer(plain):
    digits = plain.lstrip("+-").lower()
    base = {"0b": 2, "0x": 16, "0o": 8}.get(digits[:2]) or (8 if digits[0] == "0" and len(digits) > 1 else 10)
    number = int(digits[2:] if digits[1:2] in ("b", "x", "o") else digits, base)
    return -number if plain[0] == "-" else number


def _unpacked(text):
    try:
        return base64.b64decode(text.replace("\n", ""), validate=True).decode("utf-8", "replace")
    except binascii.Error:
        raise UnreadableError("yaml: !!binary value contains invalid base64 data") from None


def _key(key):
    """A mapping key as JSON wants it: text."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, int):
        return str(key)
    if isinstance(key, float):
        return _float_text(key)
    if key is None:
        raise UnreadableError("unsupported map key of type: %!s(<nil>), key: <nil>")
    raise UnreadableError(f"yaml: invalid map key: {_go_syntax(key)}")


def _float_text(number):
    text = repr(number)
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(text) or (text.removesuffix(".0"))


def _go_syntax(value):
    """A value as Go's %#v prints it."""
    if isinstance(value, dict):
        return "map[interface {}]interface {}{" + ", ".join(f"{_go_syntax(key)}:{_go_syntax(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(_go_syntax, value)) + "}"
    return "interface {}(nil)" if value is None else json.dumps(value)


def json_value(value, depth=0):
    """The value as it comes back out of JSON: keys sorted, and a whole float no longer told from an integer. Raises UnreadableError."""
    if depth > DEEPEST:
        raise UnreadableError("exceeded max depth")
    if isinstance(value, dict):
        return {key: json_value(value[key], depth + 1) for key in sorted(value)}
    if isinstance(value, list):
        return [json_value(one, depth + 1) for one in value]
    if isinstance(value, float):
        return _json_number(value)
    return value


def _json_number(number):
    if not math.isfinite(number):
        raise UnreadableError(f"json: unsupported value: {'NaN' if math.isnan(number) else '+Inf' if number > 0 else '-Inf'}")
    return int(number) if number.is_integer() and abs(number) < 1e21 else number


def position_text(error, text):
    """(go-yaml's "line N: " or "", the number of that line in the text from 1, its words) for an error of libyaml."""
    mark, context = error.problem_mark, error.context_mark
    if error.problem == "found undefined alias":
        name = re.match(r"[-\w]*", text[_offset(text, mark) + 1:]).group()
        return "", mark.line + 1, f"unknown anchor '{name}' referenced"
    line = mark.line + isinstance(error, yaml.scanner.ScannerError) if mark and mark.line else context.line if context else 0
    problem = TOO_DEEP if error.problem == "exceeded maximum nesting depth" else error.problem
    return f"line {line}: " if line else "", line or 1, problem


def _offset(text, mark):
    """Where a mark lies in the text; libyaml's own index counts differently once a document holds line breaks of two bytes."""
    return sum(len(line) + 1 for line in text.split("\n")[:mark.line]) + mark.column
