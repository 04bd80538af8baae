"""Loads the glossary: `terms/NUMBER-GROUP.toml`, a table an entry, in the order in which the page shows them."""
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


class Entry(NamedTuple):
    """One word. `term` and `text` are {language: words}; `also` are other names by which people look for it, in any language.

    `words` is {language: the spellings that are linked in texts}, `code` further ones that are linked in code only; `see` are ids of other entries;
    `page` is a path of the Kubernetes documentation.
    """

    id: str
    term: dict
    text: dict
    words: dict
    code: tuple
    also: tuple
    see: tuple
    page: str


class Group(NamedTuple):
    name: str                      # such as "objects"
    entries: tuple


@lru_cache(None)
def groups():
    """The Groups in order."""
    paths = [path for path in files(__package__).joinpath("terms").iterdir() if path.name.endswith(".toml")]
    return tuple(Group(path.name.partition("-")[2].removesuffix(".toml"), loaded(path)) for path in sorted(paths, key=number))


def number(path):
    return int(path.name.partition("-")[0])


def loaded(path):
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(entry(id, table) for id, table in found.items())


def entry(id, table):
    words = {language: tuple(table.get("words", {}).get(language, [term])) for language, term in table["term"].items()}
    lists = (tuple(table.get(name, ())) for name in ("code", "also", "see"))
    return Entry(id, table["term"], table["text"], words, *lists, table["page"])


@lru_cache(None)
def entries():
    """{id: Entry} in order."""
    return {entry.id: entry for group in groups() for entry in group.entries}


@lru_cache(None)
def components():
    """{"actors": {actor: {"entry", "does", "never", "statements"}}, "links": [{"between": two actors, language: about what}]} of those who send messages."""
    return tomllib.loads(files(__package__).joinpath("actors.toml").read_text(encoding="utf-8"))


def get(id):
    """The Entry with an id. Raises KeyError."""
    return entries()[id]
