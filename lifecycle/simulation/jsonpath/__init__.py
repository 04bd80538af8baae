"""The JSONPath dialect of Kubernetes (client-go/util/jsonpath): `{.items[*].metadata.name}`, `{range}`, filters, slices, unions.

Used by `kubectl -o jsonpath`, custom columns, `--sort-by`, and by the printer columns of custom resources.
"""
import re

from .evaluation import JSONPathError, find_results
from .parser import parse

RELAXED = re.compile(r"\{\.?([^{}]+)\}|\.?([^{}]+)")

__all__ = ["JSONPathError", "find", "find_results", "parse", "relaxed"]


def find(thing, expression):
    """All values that one path without braces (".metadata.name", "status.conditions[0]") finds in an object."""
    return [value for results in find_results(parse(relaxed(expression)), thing) for value in results]


def relaxed(expression):
    """The template of a path that may lack its braces or its first dot; JSONPathError if it is not one path."""
    if not expression:
        return expression
    match = RELAXED.fullmatch(expression)
    if match is None:
        raise JSONPathError("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'")
    return f"{{.{match[1] or match[2]}}}"
