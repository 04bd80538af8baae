"""JSON-shaped values as Go's fmt package prints them."""
from json import dumps

from .yaml_text import go_float


def go_text(value):
    """`%v`: "map[a:1 b:[x y]]", "<nil>", "true"."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"map[{' '.join([f'{key}:{go_text(value[key])}' for key in sorted(value)])}]"
    if isinstance(value, list):
        return f"[{' '.join([go_text(element) for element in value])}]"
    return go_float(value) if isinstance(value, float) else str(value)


def go_syntax(value):
    """`%#v`: the value as a Go expression."""
    if isinstance(value, dict):
        return f"map[string]interface {{}}{{{', '.join([f'{quoted(key)}:{go_syntax(value[key])}' for key in sorted(value)])}}}"
    if isinstance(value, list):
        return f"[]interface {{}}{{{', '.join([go_syntax(element) for element in value])}}}"
    if value is None:
        return "interface {}(nil)"
    return quoted(value) if isinstance(value, str) else go_text(value)


def quoted(text):
    """`%q`"""
    return dumps(text, ensure_ascii=False)
