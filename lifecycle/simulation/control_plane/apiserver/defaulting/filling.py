"""How a default is set: copies only where something was missing, and the very same object where nothing was."""


def absent(thing, defaults):
    """`thing` with each of `defaults` that it does not have: Go's pointer fields, where an explicit zero stays."""
    missing = {key: value for key, value in defaults.items() if thing.get(key) is None}
    return {**thing, **missing} if missing else thing


def empty(thing, defaults):
    """`thing` with each of `defaults` that it does not have or has as a zero value: Go's plain fields."""
    missing = {key: value for key, value in defaults.items() if not thing.get(key)}
    return {**thing, **missing} if missing else thing


def inside(thing, key, function):
    """`thing` with `function` applied to what it has under `key`; `thing` itself where that is nothing or does not change."""
    old = thing.get(key)
    if old is None:
        return thing
    new = function(old)
    return thing if new is old else {**thing, key: new}


def each(thing, key, function):
    """`thing` with `function` applied to every item of the list under `key`; `thing` itself where no item changes."""
    items = thing.get(key)
    if not items:
        return thing
    changed = [function(item) for item in items]
    same = all(new is old for new, old in zip(changed, items))
    return thing if same else {**thing, key: changed}


def deep(thing, function, key, *path):
    """`inside` at the end of a path."""
    if not path:
        return inside(thing, key, function)
    return inside(thing, key, lambda inner: deep(inner, function, *path))


def applied(thing, functions):
    """`thing` after each of `functions`, in order."""
    for function in functions:
        thing = function(thing)
    return thing
