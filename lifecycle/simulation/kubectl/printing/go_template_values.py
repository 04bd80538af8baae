"""Functions that templates may call, on JSON-shaped values."""
from base64 import b64decode

from .go_values import go_text, quoted
from .json_text import to_compact_json


def is_true(value):
    """Go's truth: everything but nil, false, zero and what is empty."""
    return bool(value)


def index(value, *keys):
    """`index x "a" 0`: nothing where a map has no such key."""
    for key in keys:
        if value is None:
            return None
        if isinstance(value, list) and not 0 <= key < len(value):
            raise ValueError(f"index out of range: {key}")
        value = value.get(key) if isinstance(value, dict) else value[key]
    return value


def printf(form, *values):
    """`%s %v %d %q %%`"""
    rest, out, position = list(values), [], 0
    while position < len(form):
        letter = form[position]
        if letter != "%":
            out.append(letter)
        else:
            position += 1
            verb = form[position:position + 1]
            out.append("%" if verb == "%" else f"%!{verb}(MISSING)" if not rest else quoted(rest.pop(0)) if verb == "q" else go_text(rest.pop(0)))
        position += 1
    return "".join(out)


def every(*values):
    """`and`: the first value that is not true, or the last."""
    return next((value for value in values if not is_true(value)), values[-1])


def some(*values):
    """`or`: the first value that is true, or the last."""
    return next((value for value in values if is_true(value)), values[-1])


FUNCTIONS = {
    "index": index, "len": len, "print": lambda *values: "".join(map(go_text, values)), "println": lambda *values: " ".join(map(go_text, values)) + "\n",
    "printf": printf, "not": lambda value: not is_true(value), "and": every, "or": some,
    "eq": lambda first, *others: any(first == other for other in others), "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "exists": lambda value, *keys: index(value, *keys) is not None,
    "base64decode": lambda text: b64decode(text).decode("utf-8", "replace"), "json": to_compact_json,
}
