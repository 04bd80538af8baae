"""The rows of custom resources: their CustomResourceDefinition says which fields are printed.

Source: apiextensions-apiserver/pkg/registry/customresource/tableconvertor.
"""
from lifecycle.simulation.durations import age
from lifecycle.simulation.jsonpath import JSONPathError, find

from .columns import columns

AGE = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}


def custom_columns(printer_columns):
    """Column definitions: the name, then the `additionalPrinterColumns` of the version, or the age if it has none."""
    name, created = columns("")
    found = [name]
    for column in printer_columns or [AGE]:
        default = created["description"] if column is AGE else f"Custom resource definition column (in JSONPath format): {column['jsonPath']}"
        found.append({"name": column["name"], "type": column["type"], "format": column.get("format", ""),
                      "description": column.get("description") or default, "priority": column.get("priority", 0)})
    return found


def custom_cells(printer_columns):
    """The function that makes the cells of a row."""
    def cells(thing, clock):
        return [thing["metadata"]["name"], *[_cell(thing, column, clock) for column in printer_columns or [AGE]]]
    return cells


def _cell(thing, column, clock):
    """The value at the column's path in the type that the column has; null if it is missing or of another type."""
    try:
        values = find(thing, column["jsonPath"])
    except JSONPathError:
        return None
    if not values or values[0] is None:
        return None
    value = values[0]
    if column["type"] == "date":
        return _age(value, clock)
    if column["type"] in TYPES:
        kinds, convert = TYPES[column["type"]]
        return convert(value) if isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds) else None
    return None


def _age(value, clock):
    try:
        return age(value, clock)
    except (TypeError, ValueError):
        return "<invalid>"


def _text(value):
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)


TYPES = {"integer": ((int, float), int), "number": ((int, float), float), "boolean": ((bool,), bool), "string": ((str, int, float, bool), _text)}
