"""Which fields an object has, and which differ between two objects (structured-merge-diff/typed: tofieldset.go, compare.go)."""
from typing import NamedTuple

from lifecycle.simulation.apimachinery.schema import ANY, LIST, MAP, OBJECT
from lifecycle.simulation.control_plane.apiserver.field_sets import compact

MISSING = object()
KEY_DEFAULTS = {"protocol": "TCP"}          # keys of lists that an item may leave out


class Difference(NamedTuple):
    """Sets of paths."""

    added: set
    modified: set
    removed: set


def is_leaf(type):
    """Whether fields of the type belong to a manager as a whole: scalars, atomic lists and maps, and what has no schema."""
    if type is None or type.kind == ANY:
        return True
    if type.kind == LIST:
        return type.list_type == "atomic"
    return type.kind not in (OBJECT, MAP) or type.atomic


def element(type, item):
    """The path element of a list's item."""
    if type.list_type != "map" or not isinstance(item, dict):
        return f"v:{compact(item)}"
    keys = {key: item.get(key, KEY_DEFAULTS.get(key)) for key in type.list_keys}
    return f"k:{compact({key: value for key, value in keys.items() if value is not None})}"


def children(value, type):
    """{path element: (value, Type)} of what lies directly in an object, map or list."""
    if type.kind == LIST:
        return {element(type, item): (item, type.items) for item in value}
    inner = type.items if type.kind == MAP else None
    return {f"f:{key}": (child, inner if inner is not None else type.fields.get(key)) for key, child in value.items()}


def field_set(thing, type):
    """The paths of all fields that an applied configuration sets."""
    paths = set()
    _gather(thing, type, (), paths)
    return paths


def _gather(value, type, path, paths):
    if is_leaf(type) or value is None or (value == {} and path):
        paths.add(path)
        return
    for step, (child, inner) in children(value, type).items():
        if type.kind != OBJECT:
            paths.add((*path, step))
        _gather(child, inner, (*path, step), paths)


def difference(old, new, type):
    """What changes from one object to another, as a Difference. An object that is missing altogether is MISSING."""
    found = Difference(set(), set(), set())
    _differ(old, new, type, (), found)
    return found


def _differ(old, new, type, path, found):
    if old is new:
        return
    if is_leaf(type) or (_is_empty(old) and _is_empty(new)):
        _differ_as_a_whole(old, new, path, found)
        return
    before, after = _children_of(old, type), _children_of(new, type)
    for step in {**before, **after}:
        old_child, new_child = before.get(step, _NO_CHILD), after.get(step, _NO_CHILD)
        _differ(old_child[0], new_child[0], old_child[1] or new_child[1], (*path, step), found)
    if old is MISSING:
        found.added.add(path)
    elif new is MISSING:
        found.removed.add(path)


_NO_CHILD = (MISSING, None)


def _is_empty(value):
    return value is MISSING or not value


def _children_of(value, type):
    return {} if _is_empty(value) else children(value, type)


def _differ_as_a_whole(old, new, path, found):
    if old is MISSING:
        found.added.add(path)
    elif new is MISSING:
        found.removed.add(path)
    elif old != new:
        found.modified.add(path)
