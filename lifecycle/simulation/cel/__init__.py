"""The part of CEL, the Common Expression Language, that Kubernetes' rules are usually written in (github.com/google/cel-spec).

`compiled("self.replicas < 8")` gives a function from {"self": {...}} to a value. JSON-shaped values stand for CEL's.
"""
from functools import lru_cache

from .errors import CelError
from .evaluation import evaluated
from .parser import parse

__all__ = ["CelError", "compiled", "said_of"]


@lru_cache(1024)
def compiled(text):
    """A function (variables) -> value. Raises CelError here for what cannot be read, and in the function for what cannot be reckoned."""
    tree = parse(text)
    return lambda variables: evaluated(tree, variables)


def said_of(rule, variables, otherwise):
    """What is said of a rule that does not hold: its messageExpression, else its message, else `otherwise`."""
    if rule.get("messageExpression"):
        try:
            return compiled(rule["messageExpression"])(variables)
        except CelError:
            pass
    return rule.get("message") or otherwise
