"""Times that Go prints as null although nobody gave them, in what a component's patch left of a status.

A strategic merge patch drops nulls; the API server's structs bring these back.
"""
from .go_zeros import TIMES


def completed(thing):
    """The object with the null times of its conditions in place; the object itself if none is missing."""
    status = thing.get("status")
    conditions = status.get("conditions") if status else None
    fields = TIMES.get(f"{thing.get('kind')}Condition")
    if not conditions or not fields or all(field in condition for condition in conditions for field in fields):
        return thing
    nulls = dict.fromkeys(sorted(fields))
    return {**thing, "status": {**status, "conditions": [{**nulls, **condition} for condition in conditions]}}
