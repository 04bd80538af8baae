"""Empty values as Go's encoder leaves them in a stored object: which are dropped, and which are there although nobody gave them."""
from functools import cache
from typing import NamedTuple

from lifecycle.simulation.apimachinery import schema
from lifecycle.simulation.control_plane.apiserver import go_zeros

_NONE = frozenset()
ZERO_SCALARS = {schema.STRING: "", schema.INTEGER: 0, schema.NUMBER: 0, schema.BOOLEAN: False}


class Plan(NamedTuple):
    """What becomes of a struct's empty fields."""

    dropped: frozenset      # fields that vanish if they are "", 0, false, [] or {}
    present: tuple          # (field, value) of those that are always there
    nulls: frozenset        # lists that are null instead of empty


_KEEP_ALL = Plan(_NONE, (), _NONE)

def plan(type):
    """The Plan of an object's Type. Custom resources are no Go structs: they keep what they were given."""
    return _plan(type) if type.owner else _KEEP_ALL


@cache
def _plan(type):
    present = [(field, empty(type.fields[field])) for field in go_zeros.STRUCTS.get(type.struct, ()) if field in type.fields]
    nulls = [(field, None) for table in (go_zeros.TIMES, go_zeros.LISTS) for field in table.get(type.struct, ()) if field in type.fields]
    always = go_zeros.SCALARS.get(type.struct, _NONE).union(type.required) - go_zeros.POINTERS.get(type.struct, _NONE)
    scalars = [(field, ZERO_SCALARS[type.fields[field].kind]) for field in always if field in type.fields and type.fields[field].kind in ZERO_SCALARS]
    dropped = frozenset(field for field, inner in type.fields.items() if _is_dropped(type, field, inner))
    return Plan(dropped, tuple(sorted(present + nulls + scalars)), go_zeros.LISTS.get(type.struct, _NONE))


def empty(type):
    """A struct of which nothing was given."""
    return dict(plan(type).present)


def fresh(type):
    """A new object of a kind as field management sees it before a create: with null for the lists that Go always prints."""
    lists = {field: None for field in type.required if field in type.fields and type.fields[field].kind == schema.LIST}
    return {**lists, **{field: fresh(type.fields[field]) if value.__class__ is dict else value for field, value in plan(type).present}}


def _is_dropped(type, field, inner):
    if field in type.required or field in go_zeros.SCALARS.get(type.struct, ()):
        return False
    if inner.kind in (schema.LIST, schema.MAP, schema.BYTES):
        return field not in go_zeros.LISTS.get(type.struct, ())
    if inner.kind == schema.STRING:
        return field not in go_zeros.POINTER_STRINGS.get(type.struct, ())
    return field in go_zeros.OMITTED.get(type.struct, ())
