"""JSON merge patches (RFC 7386), and the three-way one that `kubectl apply` makes for custom resources (apimachinery/pkg/util/jsonmergepatch)."""

from lifecycle.simulation.apimachinery.json_types import json_type


def apply(original, patch):
    """`original` with a merge patch: maps are merged, null deletes, anything else replaces. Shares what did not change."""
    if not isinstance(patch, dict):
        return patch
    result = original if isinstance(original, dict) else {}
    for key, value in patch.items():
        if value is None:
            if key in result:
                result = {name: old for name, old in result.items() if name != key}
            continue
        old = result.get(key)
        new = apply(old, value)
        if key not in result or (new is not old and (new != old or json_type(new) != json_type(old))):
            result = {**result, key: new}
    return result


def two_way(original, modified):
    """The merge patch that makes `modified` of `original`."""
    patch = {key: None for key in original if key not in modified}
    for key, value in modified.items():
        before = original.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := two_way(before, value):
                patch[key] = inner
        elif key not in original or before != value:
            patch[key] = value
    return patch


def three_way(original, modified, current):
    """What the file (`modified`) says otherwise than the server (`current`), and nulls for what only the last applied configuration (`original`) said."""
    changes = _without_nulls(two_way(current, modified))
    deletions = _only_nulls(two_way(original, modified))
    return _united(deletions, changes)


def _without_nulls(patch):
    return {key: _without_nulls(value) if isinstance(value, dict) else value for key, value in patch.items() if value is not None}


def _only_nulls(patch):
    kept = {key: _only_nulls(value) if isinstance(value, dict) else value for key, value in patch.items() if value is None or isinstance(value, dict)}
    return {key: value for key, value in kept.items() if value is None or value}


def _united(first, second):
    both = {key: _united(first[key], value) for key, value in second.items() if isinstance(value, dict) and isinstance(first.get(key), dict)}
    return {**first, **second, **both}
