"""The kubectl console: what was typed, and what was printed."""
from typing import NamedTuple


class Command(NamedTuple):
    id: str
    line: str
    output: str


class Piece(NamedTuple):
    """What is new in the console: a command's `line`, or some more `output` of one."""

    seq: int
    id: str
    line: str | None
    output: str


def commands(records):
    """Commands of console records {id: record}, the newest last."""
    return [Command(id, record["line"], record["stdout"] + record["stderr"]) for id, record in sorted(records.items(), key=lambda item: int(item[0]))]


def pieces(steps):
    """What messages add to the console, in order; not the commands of a kubectl elsewhere, which has a terminal of its own."""
    for step in steps:
        if step.reason == "RunCommand" and "id" in step.facts:
            yield Piece(step.seq, step.facts["id"], step.facts["command"], "")
        elif step.reason == "PrintOutput" and step.facts.get("output"):
            yield Piece(step.seq, step.facts["id"], None, step.facts["output"])
