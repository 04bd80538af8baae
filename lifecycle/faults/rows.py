"""The shapes of the view of faults."""
from typing import NamedTuple


class Row(NamedTuple):
    """Something that can be broken: its name, what is the matter with it ("" if nothing), and [(words, label)] of its buttons."""

    name: str
    state: str
    buttons: list


class Group(NamedTuple):
    """`topic` is the word by which the group is chosen."""

    topic: str
    title: str
    hint: str
    rows: list
