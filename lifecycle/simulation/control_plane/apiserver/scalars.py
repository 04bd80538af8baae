"""Decoding single values as Go's types do, and Go's words for what does not fit."""
import base64
import re
from datetime import UTC, datetime
from functools import lru_cache

from lifecycle.simulation import quantities
from lifecycle.simulation.apimachinery import schema
from lifecycle.simulation.apimachinery.json_types import json_type


class Mismatch(ValueError):
    """A value that its type cannot take. With a text: the type's own words. Without: the usual ones, which say where it was."""


def _string(value, type):
    if value.__class__ is not str:
        raise Mismatch
    return value


def _boolean(value, type):
    if value.__class__ is not bool:
        raise Mismatch
    return value


def _number(value, type):
    if value.__class__ not in (int, float):
        raise Mismatch
    return value


def _integer(value, type):
    limit = 1 << (63 if type.go == "int64" else 31)
    if value.__class__ is not int or not -limit <= value < limit:
        raise Mismatch
    return value


def _quantity(value, type):
    try:
        return quantities.canonical(value if value.__class__ is str else _json_text(value))
    except quantities.QuantityError as error:
        raise Mismatch(str(error)) from None


def _json_text(value):
    return str(value) if value.__class__ in (int, float) else repr(value)


def _int_or_string(value, type):
    if value.__class__ is not str and not (value.__class__ is int and -(1 << 31) <= value < 1 << 31):
        raise Mismatch
    return value


def _bytes(value, type):
    if value.__class__ is not str:
        raise Mismatch
    wrong = _wrong_base64_byte(value)
    if wrong is not None:
        raise Mismatch(f"illegal base64 data at input byte {wrong}")
    return value if "\n" not in value and "\r" not in value else base64.b64encode(base64.b64decode(value)).decode()


def _wrong_base64_byte(text):
    """Where Go's decoder stops (encoding/base64), or None. Line breaks are skipped; an incomplete group is reported at its start."""
    group, padding = [], 0
    for place, byte in enumerate(text.encode()):
        if byte in b"\r\n":
            continue
        if padding and not (byte == 0x3D and len(group) == 3):
            return place
        if byte == 0x3D:
            if len(group) < 2:
                return place
            padding += 1
        elif not re.match(rb"[A-Za-z0-9+/]", bytes([byte])):
            return place
        group = [*group, place] if len(group) < 3 else []
        if padding and not group:
            padding = 3
    return group[0] if group else None


_TWO = r"\d\d"
_LAYOUT = (("2006", r"\d{4}"), ("-", "-"), ("01", _TWO), ("-", "-"), ("02", _TWO), ("T", "T"), ("15", _TWO), (":", ":"), ("04", _TWO), (":", ":"), ("05", _TWO))
_ZONE = r"(?:Z|[-+]\d\d:\d\d)"


def _time(value, type):
    """RFC 3339, in UTC and cut to seconds."""
    if value.__class__ is not str:
        raise Mismatch
    return _seconds(value)


def _micro_time(value, type):
    if value.__class__ is not str:
        raise Mismatch
    return _parsed_time(value, "2006-01-02T15:04:05.000000Z07:00", r"\.\d{6}", ".000000").strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@lru_cache(maxsize=4096)
def _seconds(value):
    return _parsed_time(value, "2006-01-02T15:04:05Z07:00", r"(?:[.,]\d+)?", "Z07:00").strftime("%Y-%m-%dT%H:%M:%SZ")


def _parsed_time(value, layout, fraction, fraction_name):
    rest = value
    for name, pattern in (*_LAYOUT, (fraction_name, fraction), ("Z07:00", _ZONE)):
        found = re.match(pattern, rest, re.ASCII)
        if not found:
            raise Mismatch(f'parsing time "{value}" as "{layout}": cannot parse "{rest}" as "{name}"')
        rest = rest[found.end():]
    if rest:
        raise Mismatch(f'parsing time "{value}": extra text: "{rest}"')
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except ValueError as error:
        part = next((part for part in ("month", "day", "hour", "minute", "second") if part in str(error)), "day")
        raise Mismatch(f'parsing time "{value}": {part} out of range') from None


CONVERTERS = {
    schema.STRING: _string, schema.BOOLEAN: _boolean, schema.NUMBER: _number, schema.INTEGER: _integer, schema.QUANTITY: _quantity,
    schema.INT_OR_STRING: _int_or_string, schema.BYTES: _bytes, schema.TIME: _time, schema.MICRO_TIME: _micro_time,
}

_GO_KINDS = {"object": "map", "array": "slice"}
_SCALAR_TARGETS = {schema.TIME: "string", schema.MICRO_TIME: "string", schema.INT_OR_STRING: "int32"}


def json_words(value, type):
    """(what was found, the Go type that was wanted) as encoding/json names them."""
    found = json_type(value)
    if found == "number" and type.kind in (schema.INTEGER, schema.INT_OR_STRING):
        found = f"number {value}"
    return found, _SCALAR_TARGETS.get(type.kind) or type.go


def unstructured_words(value, type):
    """What the converter of patched objects says (apimachinery/pkg/runtime/converter.go)."""
    found = json_type(value)
    found = _GO_KINDS.get(found) or ("float64" if value.__class__ is float else "int64" if found == "number" else found)
    if type.kind == schema.OBJECT:
        return f"cannot restore struct from: {found}"
    if type.kind in (schema.LIST, schema.MAP):
        return f"cannot restore {'slice' if type.kind == schema.LIST else 'map'} from {found}"
    if type.kind in (schema.STRING, schema.INTEGER) and found in ("int64", "float64"):
        return f"cannot convert {found} to {type.go}"
    return f"unrecognized type: {'string' if type.kind == schema.STRING else _SCALAR_TARGETS.get(type.kind) or type.go}"
