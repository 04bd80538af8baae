"""The glossary and the message kinds as their pages show them."""
import re
from typing import NamedTuple

from django.utils.safestring import mark_safe

from .. import statements
from ..explanations.texts import LANGUAGES, documented, entry_name, sources, texts
from ..glossary import get, groups, linked
from .actors import language


class Term(NamedTuple):
    """A word of the glossary; `words` is everything by which it can be found, in small letters."""

    id: str
    name: str
    other: str                     # in the other language, if it differs
    html: str
    also: tuple
    see: list                      # of (id, name)
    source: tuple                  # (name, address)
    words: str


class Kind(NamedTuple):
    """A message kind; its texts are HTML, with dots in the place of names."""

    name: str
    title: str
    text: str
    happens: str
    look: str
    source: tuple
    statements: list
    words: str


class Anything(dict):
    """Stands for the facts of a message when there is none."""

    def __missing__(self, key):
        return "…"


def glossary_groups():
    """(name, [Term]) of every group."""
    return [(group.name, [term(entry) for entry in group.entries]) for group in groups()]


def term(entry):
    spoken = language()
    other = next(each for each in LANGUAGES if each != spoken)
    names = {*entry.term.values(), *entry.also}
    return Term(entry.id, entry.term[spoken], "" if entry.term[other] == entry.term[spoken] else entry.term[other],
                mark_safe(linked(entry.text[spoken], spoken, entry.id)), entry.also, [(id, get(id).term[spoken]) for id in entry.see],
                documented(entry.page, spoken), " ".join(sorted(names)).lower())


def message_kinds():
    """A Kind for every explanation, in the order of their names."""
    shown = statements_by_kind()
    return [kind(name, found, shown.get(name, [])) for name, found in sorted(texts(language()).items(), key=lambda pair: pair[0].lower())]


def kind(name, found, ids):
    title = plain(found["title"])
    parts = [mark_safe(plain(linked(found[part], language()))) for part in ("text", "happens", "look")]
    return Kind(name, title, *parts, documented(sources()[name], language()), ids, f"{name} {title}".lower())


def plain(text):
    """The text with dots for the names that a message would fill in."""
    return re.sub(r"…( …)+", "…", text.format_map(Anything()))


def statements_by_kind():
    """{name of an explanation: ids of the statements that such messages show}"""
    found = {}
    for statement in statements.all():
        for name in dict.fromkeys(entry_name(shown.kind) for shown in statements.shown(statement.id)):
            found.setdefault(name, []).append(statement.id)
    return found
