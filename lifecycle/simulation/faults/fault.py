"""One fault as data: the words that people say, what they do, and how the log tells it."""
import re
from typing import NamedTuple

from .places import PLACES

OPTIONAL = re.compile(r"\[(\w+)\]")


class Fault(NamedTuple):
    """`words` is how it is said: in capitals what is to be named (places.py), in brackets what may be left out.

    `do(cluster, *values)` does it; `reason` is the message that tells it, from the user to the actor `target`, or to that of the component that is named.
    """

    words: str
    do: object
    reason: str
    target: str

    def tell(self, cluster, words, named):
        """Put it into the log: {"words", ...} with what was named."""
        facts = {"words": words}
        for name, value in named.items():
            facts.update(PLACES[name].facts(value))
        target = actor_of(cluster, named["COMPONENT"]) if "COMPONENT" in named else self.target
        cluster.log.say("user", target, self.reason, None, facts.pop("object", None), None, facts)


def actor_of(cluster, name):
    """The actor of a component that is named by its own name or its process's."""
    return next(component.actor for component in cluster.components.values() if name in (component.name, component.actor))


class UnknownFault(ValueError):
    """Nobody knows such a fault; the sentence lists those that are known."""

    def __init__(self, words, faults):
        super().__init__(f'unknown fault "{words}"; known are ' + ", ".join(f'"{fault.words}"' for fault in faults))


def match(fault, words):
    """{name in capitals: the word given for it, None if it was left out} if the words are this fault, else None."""
    pattern, found = fault.words.split(), {}
    least = len([part for part in pattern if not OPTIONAL.fullmatch(part)])
    if not least <= len(words) <= len(pattern):
        return None
    for part, word in zip(pattern, [*words, *[None] * (len(pattern) - len(words))]):
        name = OPTIONAL.sub(r"\1", part)
        if name.isupper():
            found[name] = word
        elif part != word:
            return None
    return found


def resolved(cluster, found):
    """{name in capitals: its value} of what was named. Raises ValueError with a sentence for what is not there."""
    return {name: PLACES[name].read(cluster, word) for name, word in found.items()}
