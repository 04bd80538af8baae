"""Queries below the ORM, for what is asked with every message: putting a queryset together takes ten times as long as answering it."""
from functools import lru_cache

from django.db import connection

from .models.fields import PackedJSON, unpacked


def rows(model, names, condition, values):
    """Tuples of some fields of the rows that meet a condition in SQL (over columns, with %s for values, and perhaps ORDER BY and LIMIT)."""
    statement, packed = _selecting(connection.vendor, model, names, condition)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        for row in cursor:
            yield tuple(unpacked(value) if is_packed else value for value, is_packed in zip(row, packed))


def one_of(count):
    """The part of a condition that says "one of so many values"."""
    return f"IN ({', '.join(['%s'] * count)})"


@lru_cache
def _selecting(vendor, model, names, condition):
    """(statement, which of its columns are packed)"""
    fields = [model._meta.get_field(name) for name in names]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    return f"SELECT {columns} FROM {quote(model._meta.db_table)} WHERE {condition}", [isinstance(field, PackedJSON) for field in fields]
