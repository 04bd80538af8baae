"""Numbers that may be given as percentages: how many Pods an update may add or take away (apps/validation: ValidatePositiveIntOrPercent)."""

from . import names
from .errors import each_message, invalid, not_negative


def int_or_percent(value, path):
    if isinstance(value, str):
        yield from each_message(path, value, names.percent(value))
    else:
        yield from not_negative(path, value)


def amount_of(value):
    """The number in 3 or "25%"; 0 for anything else."""
    digits = str(value).removesuffix("%")
    return int(digits) if digits.isdigit() else 0


def at_most_all(value, path):
    if isinstance(value, str) and value.endswith("%") and amount_of(value) > 100:
        yield invalid(path, value, "must not be greater than 100%")
