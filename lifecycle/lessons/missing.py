"""What still keeps a check from being true: the object that comes nearest, and the field that is not as it should be."""
from typing import NamedTuple

from ..simulation.cel import CelError
from ..simulation.cel.evaluation import evaluated
from ..simulation.cel.parser import parse
from .checks import kind_of

COMPARED = ("==", "!=", "<", "<=", ">", ">=")


class Gap(NamedTuple):
    """The object `name` of the wanted kind has `actual` (None: nothing) at `path` where the check wants `sign` `wanted`.

    Without a name there is no such object at all; without a path it cannot be said in a few words what is missing.
    """

    name: str = ""
    path: str = ""
    actual: object = None
    sign: str = ""
    wanted: object = None


def gap(check, objects):
    """The Gap between a check on objects and the stored ones, {key: manifest}."""
    candidates = [thing for key, thing in objects.items()
                  if kind_of(key) == check.objects and check.namespace in ("", thing["metadata"].get("namespace"))]
    if not candidates:
        return Gap()
    parts = conjuncts(parse(check.where)) if check.where else []
    failing, thing = min((([part for part in parts if not is_true(part, thing)], thing) for thing in candidates), key=lambda pair: distance(pair[0]))
    name = thing["metadata"]["name"]
    return described(failing[0], thing, name) if failing else Gap(name)


def distance(failing):
    """How far an object is from what is wanted: by the parts that fail; of two as near, the one with the right name is meant."""
    return len(failing), any(path_of(part[1]) == "metadata.name" for part in failing if part[0] == "==")


def conjuncts(tree):
    """The parts of a condition that all have to be true."""
    return [part for side in tree[1:] for part in conjuncts(side)] if tree[0] == "&&" else [tree]


def is_true(tree, thing):
    try:
        return evaluated(tree, {"object": thing}) is True
    except CelError:
        return False


def described(tree, thing, name):
    """The Gap of one part: a comparison of a field with a value."""
    sign, *sides = tree
    if sign not in COMPARED or not path_of(sides[0]) or sides[1][0] != "value":
        return Gap(name)
    try:
        actual = evaluated(sides[0], {"object": thing})
    except CelError:
        actual = None
    return Gap(name, path_of(sides[0]), actual, sign, sides[1][1])


def path_of(tree):
    """"spec.replicas" of object.spec.replicas; "" for what is no plain path."""
    if tree[0] == "field":
        below = path_of(tree[1])
        return f"{below}.{tree[2]}" if below else tree[2] if tree[1] == ("name", "object") else ""
    return ""
