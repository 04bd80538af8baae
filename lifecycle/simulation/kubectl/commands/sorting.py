"""--sort-by: objects in the order of a field (kubectl/pkg/cmd/get/sorter.go)."""
import re

from lifecycle.simulation.jsonpath import JSONPathError, find_results, parse, relaxed
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.quantities import parse as parse_quantity


def sorted_objects(things, path):
    """Objects in the order of what is at `path`; CommandError if none has anything there."""
    return [thing for _, thing in _sorted([(thing, thing) for thing in things], path, True)]


def sorted_rows(table, path):
    """A Table whose rows are in the order of what is at `path` of their objects."""
    return {**table, "rows": [row for _, row in _sorted([(row["object"], row) for row in table["rows"]], path, False)]}


def _sorted(pairs, path, needed):
    try:
        nodes = parse(relaxed(path))
        values = [_value(nodes, thing) for thing, _ in pairs]
    except JSONPathError as error:
        raise CommandError(str(error)) from None
    if needed and pairs and all(value is None for value in values):
        raise CommandError(f'couldn\'t find any field with path "{relaxed(path)}" in the list of objects')
    order = sorted(range(len(pairs)), key=lambda place: _rank(values[place]))
    return [pairs[place] for place in order]


def _value(nodes, thing):
    try:
        results = find_results(nodes, thing)
    except JSONPathError:
        return None
    return results[0][0] if results and results[0] else None


def _rank(value):
    """What is missing comes first; numbers in texts count as numbers."""
    if value is None:
        return (0,)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return (1, str(value))
    if isinstance(value, (int, float)):
        return (1, value)
    return _quantity_rank(value) or (3, [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", value) if part])


def _quantity_rank(text):
    try:
        return (2, parse_quantity(text))
    except ValueError:
        return None
