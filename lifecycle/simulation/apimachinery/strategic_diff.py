"""Making strategic merge patches, as clients do: the difference of two objects, and the three-way patch of `kubectl apply`
(apimachinery/pkg/util/strategicpatch/patch.go, CreateTwoWayMergePatch and CreateThreeWayMergePatch)."""
from lifecycle.simulation.apimachinery.json_types import json_type
from lifecycle.simulation.apimachinery.strategic_merge import (
    DELETE_VALUES,
    DIRECTIVE,
    ORDER,
    RETAIN_KEYS,
    element_kind,
    field_type,
    go_map,
    is_merged,
    missing_key,
)


def two_way(original, modified, type):
    """The patch that makes `modified` of `original`; {} if they are equal. `type` is the schema's Type of the object. Raises PatchError."""
    return _map_diff(original, modified, type, True, True)


def three_way(original, modified, current, type):
    """The patch that `kubectl apply` sends: what `modified` (the file) says otherwise than `current` (the server),
    and the removal of what `original` (the last applied configuration) said and the file says no more. {} if there is nothing to do. Raises PatchError."""
    delta = _map_diff(current, modified, type, True, False)
    deletions = _map_diff(original, modified, type, False, True)
    return _combined(deletions, delta, type)


def _map_diff(old, new, type, changes, deletions, retain=False):
    """`changes` and `deletions` say which kinds of difference are wanted."""
    if old is new:
        return {}
    patch = {}
    for key, value in new.items():
        before = old.get(key)
        if key not in old or json_type(before) != json_type(value):
            if changes:
                patch[key] = value
        elif before is not value:
            _field_diff(patch, key, before, value, field_type(type, key), changes, deletions)
    if deletions:
        patch.update({key: None for key in old if key not in new})
    if retain and new and (patch or any(key not in new for key in old)):
        patch[RETAIN_KEYS] = sorted(new)
    return patch


def _field_diff(patch, key, old, new, type, changes, deletions):
    if isinstance(new, dict) and not (type is not None and "replace" in type.strategies):
        inner = _map_diff(old, new, type, changes, deletions, type is not None and "retainKeys" in type.strategies)
        if inner:
            patch[key] = inner
    elif isinstance(new, list) and is_merged(type):
        _list_diff(patch, key, old, new, type, changes, deletions)
    elif changes and old != new:
        patch[key] = new


def _list_diff(patch, key, old, new, type, changes, deletions):
    if not old:
        if new and changes:
            patch[key] = new
    elif element_kind(old, new) == "object":
        _item_diff(patch, key, old, new, type, changes, deletions)
    else:
        _value_diff(patch, key, old, new, changes, deletions)


def _item_diff(patch, key, old, new, type, changes, deletions):
    """Lists of objects: changed and new items in the new order, then the deleted ones; the whole order if it matters."""
    name = type.merge_key
    for item in (*old, *new):
        if name not in item:
            raise missing_key(item, name)
    order = {_name(one, name): place for place, one in reversed(list(enumerate(new)))}
    changed, deleted = _paired_items(old, new, type, changes, deletions)
    items = sorted(changed, key=lambda one: order[_name(one, name)]) + deleted
    if items:
        patch[key] = items
    if items or (changes and _is_reordered(old, new, name)):
        patch[ORDER + key] = [{name: one[name]} for one in new]


def _name(item, key):
    """The value of an item's merge key as text, by which Go compares."""
    return go_map(item[key])


def _paired_items(old, new, type, changes, deletions):
    """(changed or added items, deletion directives): both lists are walked in the order of their keys, as Go does."""
    name = type.merge_key
    before, after = (sorted(items, key=lambda one: _name(one, name)) for items in (old, new))
    changed, deleted, place = [], [], 0
    for item in after:
        while place < len(before) and _name(before[place], name) < _name(item, name):
            deleted.append(before[place])
            place += 1
        if place < len(before) and _name(before[place], name) == _name(item, name):
            inner = _map_diff(before[place], item, type.items, changes, deletions, "retainKeys" in type.strategies)
            changed += [{**inner, name: item[name]}] if inner else []
            place += 1
        elif changes:
            changed.append(item)
    deleted += before[place:]
    return changed, [{DIRECTIVE: "delete", name: one[name]} for one in deleted] if deletions else []


def _is_reordered(old, new, name):
    """Whether what both lists hold stands in another order, or new items are not at the end."""
    return [one[name] for one in old] != [one[name] for one in new]


def _value_diff(patch, key, old, new, changes, deletions):
    added, gone = [one for one in new if one not in old], [one for one in old if one not in new]
    if added and changes:
        patch[key] = added
    if gone and deletions:
        patch[DELETE_VALUES + key] = sorted(gone, key=str)
    if (gone and deletions) or (changes and old != new):
        patch[ORDER + key] = new


def _combined(deletions, delta, type):
    """One patch of two that never speak about the same value."""
    if not deletions or not delta:
        return delta or deletions
    result = dict(deletions)
    for key, value in delta.items():
        before = result.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = _combined(before, value, field_type(type, key))
        elif isinstance(before, list) and isinstance(value, list) and not key.startswith("$"):
            result[key] = _combined_items(before, value, field_type(type, key))
        else:
            result[key] = value
    return result


def _combined_items(deletions, delta, type):
    name = type.merge_key if is_merged(type) else None
    if not name:
        return delta
    deleted = {_name(one, name): one for one in deletions}
    merged = [_combined(deleted.pop(_name(one, name), {}), one, type.items) for one in delta]
    return merged + list(deleted.values())
