"""What a message changed in a stored object, as lines of YAML."""
from difflib import SequenceMatcher
from typing import NamedTuple

from .store import manifest_text

CONTEXT = 2                      # unchanged lines shown around a change


class Line(NamedTuple):
    """`sign` is "+", "-", " " or "…" (lines left out)."""

    sign: str
    text: str


def difference(before, after):
    """Lines that lead from one manifest to the other; None stands for "not there"."""
    old, new = (manifest_text(thing).splitlines() if thing else [] for thing in (before, after))
    if not old or not new:
        return [Line("-", text) for text in old] + [Line("+", text) for text in new]
    lines = []
    for number, group in enumerate(SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)):
        parents = list(path_to(new, group[0][3]))
        lines += [Line("…", "")] * bool(number or parents) + [Line(" ", text) for text in parents]
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                lines += [Line(" ", text) for text in new[new_from:new_to]]
            else:
                lines += [Line("-", text) for text in old[old_from:old_to]] + [Line("+", text) for text in new[new_from:new_to]]
    return lines


def path_to(lines, number):
    """The lines above that say where a line belongs: its parents by indentation."""
    if number >= len(lines):
        return []
    indent, found = depth(lines[number]), []
    for text in reversed(lines[:number]):
        if depth(text) < indent and not text.lstrip().startswith("- "):
            indent = depth(text)
            found.append(text)
    return reversed(found)


def depth(text):
    return len(text) - len(text.lstrip())
