"""Merging an applied configuration into an object, and taking fields out again (structured-merge-diff/typed: merge.go, remove.go)."""
import operator

from lifecycle.simulation.apimachinery.json_types import json_type
from lifecycle.simulation.apimachinery.schema import LIST, MAP
from lifecycle.simulation.control_plane.apiserver.field_paths import children, element, is_leaf


def merged(old, new, type):
    """`old` with everything that `new` says; lists with keys and sets are united. Shares what did not change."""
    if is_leaf(type) or old is None or new is None or json_type(old) != json_type(new):
        return old if new == old else new
    if type.kind == LIST:
        return _merged_list(old, new, type)
    result = old
    for key, value in new.items():
        inner = type.items if type.kind == MAP else type.fields.get(key)
        child = merged(old[key], value, inner) if key in old else value
        if key not in old or child is not old[key]:
            result = {**result, key: child}
    return result


def _merged_list(old, new, type):
    """The new order rules among the items that both have; items of the old list alone keep their place between them."""
    steps = [element(type, item) for item in old]
    before, after = dict(zip(steps, old, strict=True)), {element(type, item): item for item in new}
    shared = [step for step in after if step in before]
    waiting = list(after)
    result = []

    def take(step):
        waiting.remove(step)
        if step in shared:
            shared.remove(step)
        result.append(merged(before[step], after[step], type.items) if step in before else after[step])

    for step, item in zip(steps, old, strict=True):
        if step not in after:
            result.append(item)
        elif shared and shared[0] == step:
            while waiting[0] != step:
                take(waiting[0])
            take(step)
    for step in list(waiting):
        take(step)
    return old if len(result) == len(old) and all(map(operator.is_, result, old)) else result


def without_paths(value, type, paths):
    """`value` without what the paths name; they are relative to it."""
    if not paths or is_leaf(type) or not value:
        return value
    here = {path[0] for path in paths if len(path) == 1}
    deeper = {}
    for path in paths:
        if len(path) > 1 and path[0] not in here:
            deeper.setdefault(path[0], set()).add(path[1:])
    if type.kind == LIST:
        steps = [(element(type, item), item) for item in value]
        return [without_paths(item, type.items, deeper.get(step, ())) for step, item in steps if step not in here]
    kept = {step: pair for step, pair in children(value, type).items() if step not in here}
    return {step[2:]: without_paths(child, inner, deeper.get(step, ())) for step, (child, inner) in kept.items()}
