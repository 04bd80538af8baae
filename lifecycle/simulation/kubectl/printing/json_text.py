"""JSON as Go writes it: keys of maps sorted, `<`, `>` and `&` escaped."""
from json import dumps

HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def to_json(value, indent=4):
    """A JSON-shaped value as text without a line end, `indent` spaces a level."""
    return dumps(value, indent=indent, sort_keys=True, ensure_ascii=False).translate(HTML)


def to_compact_json(value):
    """A JSON-shaped value on one line without spaces."""
    return dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).translate(HTML)
