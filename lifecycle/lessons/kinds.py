"""Which kinds of messages there are, by the names that lessons call them."""
from fnmatch import fnmatchcase
from functools import lru_cache

from ..explanations.texts import texts
from ..simulation.resources import registry

VERBS = ("Create", "Get", "List", "Watch", "Update", "Patch", "Apply", "Delete", "DeleteCollection")          # of requests, which a kind of object follows


@lru_cache(None)
def is_said(pattern):
    """Whether messages of such a reason can be said. (Requests are a verb, a kind, and perhaps a subresource.)"""
    known = texts("en")
    if any(sign in pattern for sign in "*?["):
        return any(fnmatchcase(name, pattern) or ("*" in name and fnmatchcase(pattern, name)) for name in known)
    begins = [name.partition("*")[0] for name in known if "*" in name and fnmatchcase(pattern, name)]
    kinds = tuple(row.kind for row in registry().values())
    return pattern in known or any(begin not in VERBS or pattern.removeprefix(begin).startswith(kinds) for begin in begins)


def is_kind(name):
    """Whether a word is the name of one kind of message, as `CNIAdd` or `CreatePodBinding`."""
    return name.isidentifier() and is_said(name)
