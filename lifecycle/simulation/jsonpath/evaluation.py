"""What the nodes of a JSONPath template find in an object."""
import operator

from .parser import Identifier, JSONPathError, Path, Text

COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
GO_TYPES = {str: "string", bool: "bool", int: "int64", float: "float64", dict: "map[string]interface {}", list: "[]interface {}"}


def find_results(nodes, thing, allow_missing=True):
    """A list of values for every Text and Path of a template, with the loops of `{range}` unrolled.

    With `allow_missing` a field that is not there finds nothing; without it, and for an index beyond the end in any case, JSONPathError.
    """
    return _Template(allow_missing).block(nodes, 0, thing)[0]


class _Template:
    def __init__(self, allow_missing):
        self.allow_missing = allow_missing

    def block(self, nodes, position, thing):
        """(results of the nodes from `position` up to the matching `{end}`, position after it)."""
        found = []
        while position < len(nodes):
            node, position = nodes[position], position + 1
            word = _identifier(node)
            if word == "end":
                return found, position
            if word == "range":
                values = self.path(node.nodes[1:], [thing])
                end = self._skip(nodes, position)
                for value in values:
                    found += self.block(nodes, position, value)[0]
                position = end
            elif isinstance(node, Text):
                found.append([node.value])
            else:
                found.append(self.path(node.nodes, [thing]))
        return found, position

    def _skip(self, nodes, position):
        """The position after the `{end}` of a range that begins before `position`."""
        depth = 1
        while position < len(nodes) and depth:
            depth += {"range": 1, "end": -1}.get(_identifier(nodes[position]), 0)
            position += 1
        return position

    def path(self, nodes, values):
        for node in nodes:
            values = getattr(self, type(node).__name__.lower())(node, values)
        return values

    def identifier(self, node, values):
        raise JSONPathError(f"unrecognized identifier {node.name}")

    def text(self, node, values):
        return [node.value]

    def literal(self, node, values):
        return [node.value]

    def field(self, node, values):
        found = [value[node.name] for value in values if isinstance(value, dict) and node.name in value]
        if not found and not self.allow_missing:
            raise JSONPathError(f"{node.name} is not found")
        return found

    def wildcard(self, node, values):
        return [child for value in values for child in _children(value)]

    def recursive(self, node, values):
        found = []
        for value in values:
            children = _children(value)
            if children:
                found += [value, *self.recursive(node, children)]
        return found

    def union(self, node, values):
        return [value for path in node.paths for value in self.path(path, values)]

    def slice(self, node, values):
        return [element for value in values if value is not None for element in _slice(node, value)]

    def filter(self, node, values):
        found = []
        for value in values:
            if not isinstance(value, list):
                raise JSONPathError(f"{_type_name(value)} is not array or slice and cannot be filtered")
            found += [element for element in value if self._passes(node, element)]
        return found

    def _passes(self, node, element):
        left = self.path(node.left, [element])
        if node.operator == "exists":
            return bool(left)
        right = self.path(node.right, [element])
        if not left or not right:
            return False
        if len(left) > 1 or len(right) > 1:
            raise JSONPathError("can only compare one element at a time")
        return _compare(left[0], node.operator, right[0])


def _identifier(node):
    first = node.nodes[0] if isinstance(node, Path) and node.nodes else None
    return first.name if isinstance(first, Identifier) else None


def _compare(left, name, right):
    if name not in COMPARISONS:
        raise JSONPathError(f"unrecognized filter operator {name}")
    if type(left) is not type(right):
        raise JSONPathError("incompatible types for comparison")
    return COMPARISONS[name](left, right)


def _children(value):
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    return value if isinstance(value, list) else []


def _slice(node, value):
    if not isinstance(value, list):
        raise JSONPathError(f"{_type_name(value)} is not array or slice")
    length = len(value)
    start = node.start or 0
    start += length if start < 0 else 0
    end = length if node.end is None else node.end
    end += length if end < 0 or end == 0 and node.derived else 0
    if start == end:
        return []
    for index, bad in ((start, start >= length or start < 0), (end - 1, end > length or end < 0)):
        if bad:
            raise JSONPathError(f"array index out of bounds: index {index}, length {length}")
    if start > end:
        raise JSONPathError(f"starting index {start} is greater than ending index {end}")
    if node.step is not None and node.step <= 0:
        raise JSONPathError("step must be > 0")
    return value[start:end:node.step or 1]


def _type_name(value):
    return GO_TYPES.get(type(value), "<nil>")
