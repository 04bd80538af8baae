"""YAML as kubectl writes it (sigs.k8s.io/yaml on go-yaml 2): block style, lists not indented, strings plain wherever they read back as strings."""
import re
from functools import cmp_to_key, lru_cache

WORDS = frozenset(["", "~", ".nan", ".NaN", ".NAN"] + [form for word in ("y", "yes", "true", "on", "n", "no", "false", "off", "null")
                                                       for form in (word, word.capitalize(), word.upper())]
                  + [sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")])
INTEGER = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})"
                       r"|[ ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?)?")
UNPRINTABLE = re.compile("[^\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
INDICATORS = "#,[]{}&*!|>'\"%@`"
ESCAPES = {"\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r", "\x1b": "\\e", '"': '\\"', "\\": "\\\\",
           "\x85": "\\N", "\ufeff": "\\uFEFF", "\u2028": "\\L", "\u2029": "\\P"}
LONGEST_SIMPLE_KEY = 128
LINE_WIDTH = 80


def to_yaml(value):
    """A JSON-shaped value as a YAML document, with its last line end."""
    lines = []
    if isinstance(value, (dict, list)) and value:
        _block(value, "", lines)
    else:
        lines.append(_scalar(value, "  ", 0))
    return "\n".join(lines) + "\n"


def _block(value, indent, lines):
    """Append the lines of a filled map or list whose entries begin at `indent`."""
    if isinstance(value, list):
        for element in value:
            _entry("-", element, indent, f"{indent}  ", lines)
        return
    for key in sorted_keys(value):
        text = _key(key)
        if len(text) > LONGEST_SIMPLE_KEY:
            lines.append(f"{indent}? {text}")
            text = ""
        _entry(f"{text}:", value[key], indent, indent if isinstance(value[key], list) else f"{indent}  ", lines)


def _entry(head, value, indent, inner, lines):
    """Append `head` and what belongs to it, on the same line if it is a scalar or empty; `inner` is where the entries of a map or list begin."""
    if not isinstance(value, (dict, list)) or not value:
        lines.append(f"{indent}{head} {_scalar(value, f'{indent}  ', len(indent) + len(head) + 1)}")
    elif head == "-":
        start = len(lines)
        _block(value, inner, lines)
        lines[start] = f"{indent}- {lines[start][len(inner):]}"
    else:
        lines.append(indent + head)
        _block(value, inner, lines)


def _key(text):
    return double_quoted(text) if "\n" in text or reads_as_other_type(text) else _flow_string(text)


def _scalar(value, indent, column):
    """One scalar that begins at `column`, or an empty map or list. `indent` is what its further lines begin with."""
    if isinstance(value, str):
        return _string(value, indent, column)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return go_float(value)
    return str(value) if isinstance(value, int) else "{}" if isinstance(value, dict) else "[]"


def _string(text, indent, column):
    if "\n" in text and _fits_block(text):
        return _literal(text, indent)
    written = double_quoted(text) if "\n" in text or reads_as_other_type(text) else _flow_string(text)
    return written if column + len(written) <= LINE_WIDTH else _folded(written, indent, column)


def _folded(written, indent, column):
    """Break a scalar at the first single space beyond the line width, and again on the lines that follow."""
    quote = written[0] if written[0] == written[-1] and written[0] in "'\"" else ""
    lines, start = [], 0
    for space in re.finditer(" +", written):
        place = space.start()
        wide = column + place - start > LINE_WIDTH and len(quote) < place < len(written) - 1 - len(quote)
        if wide and (quote == '"' or len(space[0]) == 1):
            lines.append(written[start:place])
            column, start = len(indent), place + 1
            if len(space[0]) > 1:
                written, start = written[:place] + "\\" + written[place + 1:], place
    return f"\n{indent}".join([*lines, written[start:]])


@lru_cache(4096)
def _flow_string(text):
    """A string without line breaks that YAML would not take for another type: plain if possible, else in quotes."""
    if UNPRINTABLE.search(text):
        return double_quoted(text)
    return text if _fits_plain(text) else "'" + text.replace("'", "''") + "'"


@lru_cache(4096)
def reads_as_other_type(text):
    """Whether a plain scalar of this text would be read as a boolean, a number, a time or null."""
    if text in WORDS:
        return True
    if text[0] not in "+-.0123456789":
        return False
    plain = text.replace("_", "") if text[0] != "." else text
    return bool(FLOAT.fullmatch(plain) or INTEGER.fullmatch(plain) or SEXAGESIMAL.fullmatch(text) or TIMESTAMP.fullmatch(text))


def _fits_plain(text):
    if text[0] in INDICATORS or text[0] == " " or text[-1] == " " or text.startswith(("---", "...")):
        return False
    if text[0] in "-?:" and text[1:2] in ("", " "):
        return False
    return ": " not in text and not text.endswith(":") and " #" not in text


def _fits_block(text):
    return not UNPRINTABLE.search(text) and not text.endswith(" ") and " \n" not in text


def _literal(text, indent):
    hint = "2" if text[0] in " \n" else ""
    chomping = "-" if text[-1] != "\n" else "+" if len(text) == 1 or text[-2] == "\n" else ""
    body = text if text[-1] != "\n" else text[:-1]
    return "\n".join([f"|{hint}{chomping}", *[indent + line if line else "" for line in body.split("\n")]])


def double_quoted(text):
    """A string in double quotes with YAML's escapes."""
    letters = [ESCAPES.get(letter) or (letter if letter == "\n" or not UNPRINTABLE.match(letter) else _code(letter)) for letter in text]
    return f'"{"".join(letters)}"'


def _code(letter):
    number = ord(letter)
    return f"\\x{number:02X}" if number < 0x100 else f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"


def go_float(value):
    """A float as Go's shortest form prints it: "0.5", "1e+21", "3"."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    return repr(value)


def sorted_keys(mapping):
    """Keys in go-yaml's order: letters behind other characters, numbers by value."""
    keys = sorted(mapping)
    if all(key.isalpha() for key in keys):
        return keys
    return sorted(keys, key=NATURAL)


def _compare(left, right):
    for place, (a, b) in enumerate(zip(left, right)):
        if a == b:
            continue
        if a.isalpha() and b.isalpha():
            return -1 if a < b else 1
        if a.isalpha() or b.isalpha():
            return -1 if b.isalpha() else 1
        return _compare_numbers(left, right, place)
    return len(left) - len(right)


def _compare_numbers(left, right, place):
    """Compare from the first letters that differ, neither of them alphabetic: as numbers if digits follow."""
    lead = 0
    if "0" in (left[place], right[place]):
        before = left[:place]
        digits = before[len(before.rstrip("0123456789")):]
        lead = 1 if digits.strip("0") else 0
    a, b = _digits(left, place), _digits(right, place)
    numbers = int(f"{lead}{a}"), int(f"{lead}{b}")
    if numbers[0] != numbers[1]:
        return -1 if numbers[0] < numbers[1] else 1
    if len(a) != len(b):
        return -1 if len(a) < len(b) else 1
    return -1 if left[place] < right[place] else 1


def _digits(text, place):
    return re.match("[0-9]*", text[place:])[0]


NATURAL = cmp_to_key(_compare)
