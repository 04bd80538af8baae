"""What differs between two states of an object, as short JSON-shaped operations.

    patched(new, difference(new, old)) == old, byte for byte

States share what did not change between them, so comparing them costs as much as what did.
"""


def difference(one, other):
    """The operations that turn `one` into `other`: [path, value] puts a value there, [path] removes what is there. Paths are lists of keys and indexes."""
    found = []
    _compare(one, other, [], found)
    return found


def patched(one, operations):
    """`one` after the operations, as a new value that shares the rest with it."""
    for operation in operations:
        one = _applied(one, *operation)
    return one


def _compare(one, other, path, found):
    if one is other:
        return
    if isinstance(one, dict) and isinstance(other, dict) and _same_order(one, other):
        _compare_dicts(one, other, path, found)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other)):
            _compare(left, right, [*path, index], found)
    elif one != other or type(one) is not type(other) or isinstance(one, (dict, list)):
        found.append([path, other])


def _same_order(one, other):
    """Whether removing and appending keys gives `other` its own order."""
    return [*(key for key in one if key in other), *(key for key in other if key not in one)] == list(other)


def _compare_dicts(one, other, path, found):
    found += [[[*path, key]] for key in one if key not in other]
    for key, value in other.items():
        if key in one:
            _compare(one[key], value, [*path, key], found)
        else:
            found.append([[*path, key], value])


def _applied(one, path, *value):
    if not path:
        return value[0]
    key, *rest = path
    if isinstance(one, list):
        return [*one[:key], _applied(one[key], rest, *value), *one[key + 1:]]
    if rest:
        return {**one, key: _applied(one[key], rest, *value)}
    return {**one, key: value[0]} if value else {name: kept for name, kept in one.items() if name != key}
