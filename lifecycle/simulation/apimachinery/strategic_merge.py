"""Applying strategic merge patches: lists are merged by key (apimachinery/pkg/util/strategicpatch/patch.go).

Everything returns new objects that share what did not change; the same object if nothing changed.
"""
from lifecycle.simulation.apimachinery.json_types import json_type
from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.schema import MAP

DIRECTIVE, RETAIN_KEYS = "$patch", "$retainKeys"
ORDER, DELETE_VALUES = "$setElementOrder/", "$deleteFromPrimitiveList/"


def apply(original, patch, type):
    """`original` with a strategic merge `patch`; `type` is the schema's Type of the object. Raises PatchError."""
    directive = patch.get(DIRECTIVE)
    if directive is not None:
        return _directed(patch, directive)
    result, orders = _retained(original, patch), []
    for key, value in patch.items():
        if not key.startswith("$"):
            result = _with_field(result, key, value, type)
        elif key.startswith(ORDER):
            orders.append(key)
        elif key.startswith(DELETE_VALUES):
            result = _without_values(result, key[len(DELETE_VALUES):], value)
        elif key != RETAIN_KEYS:
            result = _with_field(result, key, value, type)
    for key in orders:
        result = _ordered_field(result, original, key[len(ORDER):], patch[key], type)
    return result


def field_type(type, key):
    """The Type of a field or of a map's value; None if nothing is known about it."""
    if type is None:
        return None
    return type.items if type.kind == MAP else type.fields.get(key)


def is_merged(type):
    """Whether the patch strategy of a list is to merge it."""
    return type is not None and "merge" in type.strategies


def _directed(patch, directive):
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != DIRECTIVE}
    if directive == "delete":
        return {}
    raise PatchError(f"unknown patch type found: {directive}", 500, "InternalError")


def _retained(original, patch):
    """`original` without the fields that `$retainKeys` does not name."""
    retained = patch.get(RETAIN_KEYS)
    if retained is None:
        return original
    if not isinstance(retained, list) or any(key not in retained for key in patch if not key.startswith("$")):
        raise PatchError("invalid patch format of retainKeys")
    if all(key in retained for key in original):
        return original
    return {key: value for key, value in original.items() if key in retained}


def _with_field(original, key, value, type):
    """A null deletes; what differs in JSON type or is not there yet is taken as it is; maps and lists are merged."""
    if value is None:
        return {name: old for name, old in original.items() if name != key} if key in original else original
    old = original.get(key)
    if isinstance(value, dict):
        replaced = not isinstance(old, dict) or _is_replaced(type, key)
        new = plain(value) if replaced else apply(old, value, field_type(type, key))
    elif isinstance(value, list):
        new = _merged_list(old, value, field_type(type, key)) if isinstance(old, list) else plain(value)
    else:
        new = value
    if new is old or (new == old and isinstance(new, bool) == isinstance(old, bool)):
        return original
    return {**original, key: new}


def _is_replaced(type, key):
    inner = field_type(type, key)
    return inner is not None and "replace" in inner.strategies


def plain(value):
    """A patch's value as it is stored where nothing was: without nulls and directives."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if one is not None and not key.startswith("$")}
    if isinstance(value, list):
        return [plain(one) for one in value if not (isinstance(one, dict) and one.get(DIRECTIVE) == "delete")]
    return value


def _merged_list(old, new, type):
    if not is_merged(type):
        return plain(new)
    kind = element_kind(old, new)
    if kind != "object":
        return arranged(list(dict.fromkeys([*old, *new])), new, old)
    key = type.merge_key
    if not key:
        raise PatchError(f"cannot merge lists without merge key for {type.go}", 500, "InternalError")
    if any(one.get(DIRECTIVE) == "replace" for one in new):
        return [plain(one) for one in new if DIRECTIVE not in one]
    return arranged(_merged_items(old, new, key, type.items), new, old, key)


def element_kind(*lists):
    """The JSON type that all elements of the lists have; None if there are none. Raises PatchError if they differ."""
    kinds = {json_type(one) for items in lists for one in items}
    if len(kinds) > 1 or "array" in kinds:
        raise PatchError("list element types are not identical" if len(kinds) > 1 else "lists of lists are not supported", 500, "InternalError")
    return kinds.pop() if kinds else None


def _merged_items(old, new, key, type):
    """The first item of a name is the one that is patched; a deletion takes all of that name."""
    items = list(old)
    for patch in new:
        name, directive = _key_value(patch, key), patch.get(DIRECTIVE)
        place = next((place for place, item in enumerate(items) if item.get(key) == name), None)
        if directive == "delete":
            items = [item for item in items if item.get(key) != name]
        elif directive is not None:
            raise PatchError(f"unknown patch type found: {directive}", 500, "InternalError")
        elif place is None:
            items.append(plain(patch))
        else:
            items[place] = apply(items[place], patch, type)
    return items


def _key_value(item, key):
    if isinstance(item.get(key, {}), dict | list):
        raise missing_key(item, key)
    return item[key]


def missing_key(item, key):
    """The PatchError for an item of a list that cannot be told from the others."""
    return PatchError(f"map: {go_map(item)} does not contain declared merge key: {key}", 500, "InternalError")


def go_map(value):
    """A value as Go's %v prints it."""
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{go_map(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(go_map, value)) + "]"
    return {True: "true", False: "false", None: "<nil>"}.get(value, str(value)) if isinstance(value, bool | None) else str(value)


def arranged(items, wanted, server_order, key=None):
    """`items` in the order of `wanted` as far as that names them; the others keep the server's order and stand before what they stood before."""
    def name(item):
        return item.get(key) if key and isinstance(item, dict) else item
    rank = {name(item): place for place, item in enumerate(wanted)}
    old_rank = {name(item): place for place, item in enumerate(server_order)}
    named = sorted((item for item in items if name(item) in rank), key=lambda item: rank[name(item)])
    others = sorted((item for item in items if name(item) not in rank), key=lambda item: old_rank.get(name(item), len(old_rank)))
    result = []
    for item in named:
        place = old_rank.get(name(item))
        while place is not None and others and old_rank.get(name(others[0]), place) < place:
            result.append(others.pop(0))
        result.append(item)
    return result + others


def _without_values(original, key, values):
    """`original` without the values that a `$deleteFromPrimitiveList` names."""
    old = original.get(key)
    if not isinstance(values, list):
        raise PatchError("invalid patch format of primitive list")
    if not isinstance(old, list) or not any(one in values for one in old):
        return original
    return {**original, key: [one for one in old if one not in values]}


def _ordered_field(result, original, key, order, type):
    items = result.get(key)
    if not isinstance(order, list):
        raise PatchError("invalid patch format of setElementOrder list")
    if not isinstance(items, list):
        return result
    inner = field_type(type, key)
    name = inner.merge_key if inner is not None else None
    if element_kind(items, order) == "object":
        if not name:
            return result
        for one in order:
            _key_value(one, name)
    ordered = arranged(items, order, original.get(key) or [], name)
    return result if ordered == items else {**result, key: ordered}
