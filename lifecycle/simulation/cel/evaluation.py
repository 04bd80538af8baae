"""The value of a tree. && and || forgive an error on one side if the other side decides, as CEL does."""
import re

from .errors import CelError

MACROS = ("all", "exists", "exists_one", "filter", "map")


def evaluated(tree, variables):
    """The value of a parsed expression. Raises CelError."""
    operator, *parts = tree
    if operator in SPECIAL:
        return SPECIAL[operator](parts, variables)
    values = [evaluated(part, variables) for part in parts]
    try:
        return OPERATORS[operator](*values)
    except (TypeError, ZeroDivisionError) as error:
        raise CelError("division by zero" if isinstance(error, ZeroDivisionError) else "no such overload") from None


# -- what looks at its operands before it knows their values ---------------------------------------------------------------
def _name(parts, variables):
    if parts[0] not in variables:
        raise CelError(f"undeclared reference to '{parts[0]}' (in container '')")
    return variables[parts[0]]


def _field(parts, variables):
    return _selected(evaluated(parts[0], variables), parts[1])


def _selected(thing, name):
    if not isinstance(thing, dict) or name not in thing:
        raise CelError(f"no such key: {name}")
    return thing[name]


def _decides(answer):
    """|| (answer True) or && (answer False)."""
    def function(parts, variables):
        problem = None
        for part in parts:
            try:
                value = evaluated(part, variables)
            except CelError as error:
                problem = error
                continue
            if not isinstance(value, bool):
                problem = CelError("no such overload")
            elif value is answer:
                return answer
        if problem:
            raise problem
        return not answer
    return function


def _choice(parts, variables):
    condition, yes, no = parts
    return evaluated(yes if evaluated(condition, variables) else no, variables)


def _call(parts, variables):
    name, *arguments = parts
    if name == "has":
        return _has(arguments[0], variables)
    return _applied(FUNCTIONS, name, [evaluated(argument, variables) for argument in arguments])


def _has(tree, variables):
    if tree[0] != "field":
        raise CelError("invalid argument to has() macro")
    thing = evaluated(tree[1], variables)
    return isinstance(thing, dict) and thing.get(tree[2]) is not None


def _method(parts, variables):
    name, target, *arguments = parts
    if name in MACROS:
        return _macro(name, evaluated(target, variables), arguments, variables)
    return _applied(METHODS, name, [evaluated(part, variables) for part in (target, *arguments)])


def _applied(functions, name, values):
    if name not in functions:
        raise CelError(f"undeclared reference to '{name}' (in container '')")
    try:
        return functions[name](*values)
    except (TypeError, ValueError, AttributeError, re.error):
        raise CelError("no such overload") from None


def _macro(name, things, arguments, variables):
    """all, exists, exists_one, filter, map over a list, or over the keys of a map."""
    if not isinstance(things, (list, dict)):
        raise CelError("no such overload")
    variable = arguments[0][1]
    values = [(thing, {**variables, variable: thing}) for thing in things]
    if name == "map":
        return [evaluated(arguments[-1], inner) for _, inner in values if len(arguments) == 2 or evaluated(arguments[1], inner)]
    if name == "filter":
        return [thing for thing, inner in values if evaluated(arguments[1], inner)]
    found = [evaluated(arguments[1], inner) for _, inner in values]
    return {"all": all, "exists": any, "exists_one": lambda answers: sum(answers) == 1}[name](found)


def _map(parts, variables):
    return {evaluated(key, variables): evaluated(value, variables) for key, value in parts}


SPECIAL = {
    "value": lambda parts, variables: parts[0],
    "name": _name,
    "field": _field,
    "||": _decides(True),
    "&&": _decides(False),
    "?:": _choice,
    "call": _call,
    "method": _method,
    "list": lambda parts, variables: [evaluated(part, variables) for part in parts],
    "map": _map,
}


# -- ordinary operators and functions --------------------------------------------------------------------------------------
def _index(thing, key):
    if isinstance(thing, dict):
        return _selected(thing, key)
    if not isinstance(thing, list) or not isinstance(key, int):
        raise TypeError
    if not 0 <= key < len(thing):
        raise CelError(f"index out of bounds: {key}")
    return thing[key]


def _numbers(first, second):
    """Both operands of one kind that has an order."""
    if isinstance(first, bool) or isinstance(second, bool) or not isinstance(first, (int, float, str)):
        raise TypeError
    return first, second


def _divided(first, second):
    first, second = _numbers(first, second)
    if isinstance(first, float) or isinstance(second, float):
        return first / second
    return abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)


OPERATORS = {
    "==": lambda first, second: first == second,
    "!=": lambda first, second: first != second,
    "<": lambda first, second: _numbers(first, second) and first < second,
    "<=": lambda first, second: _numbers(first, second) and first <= second,
    ">": lambda first, second: _numbers(first, second) and first > second,
    ">=": lambda first, second: _numbers(first, second) and first >= second,
    "in": lambda first, second: first in second,
    "+": lambda first, second: first + second,
    "-": lambda first, second: first - second,
    "*": lambda first, second: _numbers(first, second) and first * second,
    "/": _divided,
    "%": lambda first, second: first - _divided(first, second) * second,
    "not": lambda value: not value if isinstance(value, bool) else _fail(),
    "negative": lambda value: -value,
    "index": _index,
}


def _fail():
    raise TypeError


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


METHODS = {
    "size": len,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": lambda text, part: part in text,
    "matches": lambda text, pattern: re.search(pattern, text) is not None,
    "lowerAscii": str.lower,
    "upperAscii": str.upper,
    "trim": str.strip,
    "split": lambda text, separator: text.split(separator),
    "replace": lambda text, old, new: text.replace(old, new),
    "join": lambda parts, separator="": separator.join(parts),
    "indexOf": lambda thing, part: thing.find(part),
    "substring": lambda text, start, end=None: text[start:end],
    "isSorted": lambda things: all(first <= second for first, second in zip(things, things[1:])),
    "sum": sum,
    "min": min,
    "max": max,
    "orValue": lambda value, other: other if value is None else value,
}
FUNCTIONS = {"size": len, "string": _text, "int": int, "double": float, "bool": bool, "matches": METHODS["matches"], "type": lambda value: type(value).__name__}
