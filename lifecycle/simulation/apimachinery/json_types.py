"""The six types of JSON, by name."""
_NAMES = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number", type(None): "null"}


def json_type(value):
    """"object", "array", "string", "bool", "number" or "null"."""
    return _NAMES.get(value.__class__) or ("object" if isinstance(value, dict) else "array")
