"""The messages of k8s.io/api, from messages.txt: a line a message, `package.version.Message 1=name 2=ports[]:int32 3=labels{} ...`.

A field is a number, a JSON name, [] for a list or {} for a map with string keys, and a type: string if it says none, a scalar, a message of the same package
if it begins with a dot, else any message. A * before the name marks a struct inside a struct, whose fields stand directly in the outer object's JSON.
The numbers are those of Kubernetes v1.37 for all kinds that the server serves, but for CustomResourceDefinitions and APIServices, which clients send as JSON.
"""
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

LIST, MAP = "[]", "{}"
FIELD = re.compile(r"(\d+)=(\*?)(\w+)(\[\]|\{\})?(?::([\w.]+))?", re.ASCII)


class Field(NamedTuple):
    """`many` is "", LIST or MAP; `type` a scalar's name or a message's; `inline`: its fields belong to the object around it."""

    name: str
    many: str
    type: str
    inline: bool


@cache
def messages():
    """{"core.v1.Pod": {field number: Field}}"""
    lines = Path(__file__).with_name("messages.txt").read_text().splitlines()
    return {name: _fields(name.rpartition(".")[0], rest) for name, _, rest in (line.partition(" ") for line in lines)}


def _fields(package, text):
    found = {}
    for number, inline, name, many, kind in FIELD.findall(text):
        found[int(number)] = Field(name, many, package + kind if kind.startswith(".") else kind or "string", bool(inline))
    return found


def message_of(version, kind):
    """The message's name for an object's apiVersion and kind, or None: every group calls its package by the first word of its name."""
    group, _, version = version.rpartition("/")
    package = "meta" if kind == "DeleteOptions" else group.partition(".")[0] or "core"
    name = f"{package}.v1.{kind}" if kind == "DeleteOptions" else f"{package}.{version}.{kind}"
    return name if name in messages() else None
