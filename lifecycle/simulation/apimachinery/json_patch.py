"""JSON patches (RFC 6902) as the API server applies them: all operations or none."""
from lifecycle.simulation.apimachinery.json_types import json_type
from lifecycle.simulation.apimachinery.patch_errors import PatchError

MOST_OPERATIONS = 10_000
REJECTED = "the server rejected our request due to an error in our request"
_MISSING = object()


class _Impossible(Exception):
    """An operation that does not fit the object; the server does not say which."""


def apply(original, operations):
    """`original` with a list of operations applied; what they do not touch is shared. Raises PatchError."""
    if not isinstance(operations, list):
        raise PatchError(f"json: cannot unmarshal {json_type(operations)} into Go value of type jsonpatch.Patch")
    if len(operations) > MOST_OPERATIONS:
        raise PatchError(f"The allowed maximum operations in a JSON patch is {MOST_OPERATIONS}, got {len(operations)}", 413, "RequestEntityTooLarge")
    result = original
    try:
        for operation in operations:
            result = _applied(result, operation)
    except _Impossible:
        raise PatchError(REJECTED, 422, "Invalid") from None
    return result if result != original else original


def _applied(thing, operation):
    if not isinstance(operation, dict):
        raise PatchError(f"json: cannot unmarshal {json_type(operation)} into Go value of type jsonpatch.Operation")
    perform = _OPERATIONS.get(operation.get("op")) if isinstance(operation.get("op"), str) else None
    if perform is None:
        raise _Impossible
    return perform(thing, operation)


def _steps(operation, name="path"):
    """The parts of a JSON pointer."""
    pointer = operation.get(name)
    if not isinstance(pointer, str) or (pointer and pointer[0] != "/"):
        raise _Impossible
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _value(operation):
    if "value" not in operation:
        raise _Impossible
    return operation["value"]


def _add(thing, operation):
    return _changed(thing, _steps(operation), _value(operation), insert=True)


def _replace(thing, operation):
    return _changed(thing, _steps(operation), _value(operation))


def _remove(thing, operation):
    return _changed(thing, _steps(operation), _MISSING)


def _move(thing, operation):
    origin = _steps(operation, "from")
    return _changed(_changed(thing, origin, _MISSING), _steps(operation), _found(thing, origin), insert=True)


def _copy(thing, operation):
    return _changed(thing, _steps(operation), _found(thing, _steps(operation, "from")), insert=True)


def _test(thing, operation):
    """A missing field equals null."""
    wanted = operation.get("value")
    try:
        found = _found(thing, _steps(operation))
    except _Impossible:
        found = None
    if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
        raise _Impossible
    return thing


_OPERATIONS = {"add": _add, "remove": _remove, "replace": _replace, "move": _move, "copy": _copy, "test": _test}


def _found(thing, steps):
    for step in steps:
        thing = _child(thing, step)
        if thing is _MISSING:
            raise _Impossible
    return thing


def _child(thing, step):
    if isinstance(thing, dict):
        return thing.get(step, _MISSING)
    if isinstance(thing, list):
        return thing[_index(step, len(thing) - 1)] if thing else _MISSING
    raise _Impossible


def _index(step, last):
    """A place in a list from 0 to `last`; negative ones count from the end."""
    if not step.removeprefix("-").isdecimal() or not step.isascii() or len(step) > 9:
        raise _Impossible
    place = int(step)
    place = place + last + 1 if place < 0 else place
    if not 0 <= place <= last:
        raise _Impossible
    return place


def _changed(thing, steps, value, insert=False):
    """A copy with `value` at the place; `_MISSING` removes it; `insert` makes room in lists and needs no old value in objects."""
    if not steps:
        if value is _MISSING:
            raise _Impossible
        return value
    step, *rest = steps
    if rest:
        child = _child(thing, step)
        if child is _MISSING:
            raise _Impossible
        step, value, insert = step, _changed(child, rest, value, insert), False
    if isinstance(thing, list):
        return _changed_list(thing, step, value, insert)
    if not isinstance(thing, dict) or (not insert and step not in thing):
        raise _Impossible
    copy = {**thing, step: value}
    if value is _MISSING:
        del copy[step]
    return copy


def _changed_list(items, step, value, insert):
    if insert:
        place = len(items) if step == "-" else _index(step, len(items))
        return [*items[:place], value, *items[place:]]
    place = _index(step, len(items) - 1)
    return [*items[:place], *([] if value is _MISSING else [value]), *items[place + 1:]]
