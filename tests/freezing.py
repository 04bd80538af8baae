"""Strict mode: what the store hands out is read-only, so that a change in place fails loudly instead of corrupting history."""


class FrozenDict(dict):
    def _refuse(self, *args, **kwargs):
        raise TypeError("stored objects are never changed in place")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse


class FrozenList(list):
    def _refuse(self, *args, **kwargs):
        raise TypeError("stored objects are never changed in place")

    __setitem__ = __delitem__ = append = extend = insert = pop = remove = clear = sort = reverse = __iadd__ = __imul__ = _refuse


def freeze(thing):
    """A read-only copy; parts that are read-only already are shared."""
    if type(thing) is dict:
        return FrozenDict({name: freeze(value) for name, value in thing.items()})
    if type(thing) is FrozenDict or type(thing) is FrozenList:
        return thing
    return FrozenList(map(freeze, thing)) if isinstance(thing, list) else thing
