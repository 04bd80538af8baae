"""Finds and fills in the title and the text of a message."""
import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files

from ..simulation.resources import resource_of_key

LANGUAGES = ("en", "zh-hans")


class Facts(dict):
    """What a text may mention; what a message does not say is left blank."""

    def __missing__(self, key):
        return ""


@lru_cache(None)
def texts(language):
    """{message kind: {"title", "text"}} of a language, exact names and patterns together."""
    found = {}
    for path in sorted(files(__package__).joinpath(language).iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            found.update(tomllib.loads(path.read_text(encoding="utf-8")))
    return found


@lru_cache(None)
def entry(language, reason):
    """The entry for a message kind: its own, else that of the longest pattern that fits, else None."""
    found = texts(language)
    if reason in found:
        return found[reason]
    fitting = [name for name in found if "*" in name and fnmatchcase(reason, name)]
    return found[max(fitting, key=len)] if fitting else None


def explain(step, language):
    """(title, text) of a message. Raises KeyError for a kind without an explanation."""
    found = entry(language, step.reason)
    if found is None:
        raise KeyError(f"no explanation of {step.reason} in {language}")
    facts = mentioned(step)
    return found["title"].format_map(facts), found["text"].format_map(facts)


def mentioned(step):
    """What the texts may use: the object's kind, namespace and name, the request, and the message's facts."""
    facts = Facts(step.facts, request=step.request or "", revision=step.revision or "")
    key = step.object[0] if isinstance(step.object, list) and step.object else step.object
    if isinstance(key, str) and key.startswith("/registry/"):
        kind, namespace, name = identity(key)
        facts.update(kind=kind or kind_of_collection(step.reason), namespace=namespace, name=name)
    return facts


@lru_cache(None)
def kind_of_collection(reason):
    """"Pod" of "ListPod", "DeleteCollectionPod": a collection's key does not tell its kind."""
    for verb in ("DeleteCollection", "List", "Watch"):
        if reason.startswith(verb):
            return reason.removeprefix(verb)
    return ""


@lru_cache(65536)
def identity(key):
    """(kind, namespace, name) of a store key; a collection's key has no name."""
    try:
        row = resource_of_key(key)
    except KeyError:
        return "", "", ""
    parts = key.split("/")
    return row.kind, parts[-2] if row.namespaced else "", parts[-1]
