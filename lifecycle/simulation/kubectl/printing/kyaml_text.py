"""KYAML as kubectl writes it (sigs.k8s.io/yaml/kyaml): YAML's flow style over several lines, every string in double quotes."""
import re

from .go_values import go_text
from .yaml_text import ESCAPES, reads_as_other_type

PLAIN_KEY = re.compile(r"\w([\w./-]*\w)?")


def to_kyaml(value):
    """A JSON-shaped value as a KYAML document with its header and its last line end."""
    return f"---\n{_node(value, 0)}\n"


def _node(value, level):
    if isinstance(value, dict):
        return _map(value, level)
    if isinstance(value, list):
        return _list(value, level)
    if isinstance(value, str):
        return _string(value, level + 1)
    return "null" if value is None else go_text(value)


def _map(value, level):
    if not value:
        return "{}"
    inner = "  " * (level + 1)
    entries = [f"{inner}{_key(key, level)}: {_node(value[key], level + 1)},\n" for key in sorted(value)]
    return "{\n" + "".join(entries) + "  " * level + "}"


def _list(value, level):
    if not value:
        return "[]"
    if all(isinstance(element, (dict, list)) for element in value):
        return "[" + ", ".join([_node(element, level) for element in value]) + "]"
    inner = "  " * (level + 1)
    return "[\n" + "".join([f"{inner}{_node(element, level + 1)},\n" for element in value]) + "  " * level + "]"


def _key(key, level):
    return key if PLAIN_KEY.fullmatch(key) and not reads_as_other_type(key) else _string(key, level + 2)


def _string(text, level):
    """One line in quotes, or lines that YAML folds into one, each ended by an escaped line break."""
    if "\n" not in text:
        return f'"{_escaped(text)}"'
    indent = "  " * level
    lines = [indent + ("\\" if line[:1].isspace() else " ") + _escaped(line) for line in text.split("\n")]
    if text.endswith("\n"):
        lines.pop()
        return '"\\\n' + "\\n\\\n".join(lines) + f'\\n\\\n{indent}"'
    return '"\\\n' + "\\n\\\n".join(lines) + f'\\\n{indent}"'


def _escaped(text):
    return "".join([ESCAPES.get(letter) or (letter if letter.isprintable() else _code(ord(letter))) for letter in text])


def _code(number):
    return f"\\x{number:02x}" if number < 0x80 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
