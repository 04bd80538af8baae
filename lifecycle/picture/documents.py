"""The source documents as the page shows them: every piece in the active language, and beside each statement what Kubernetes really does."""
from functools import lru_cache
from typing import NamedTuple

from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

from .. import statements
from ..explanations.texts import entry_name
from ..glossary import linked
from ..lessons.catalog import catalog
from ..simulation.messages import ACTORS
from .actors import actor_name, language
from .sequence import sequence

VERDICTS = ("KEEP", "NOTE", "FIX")
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True})


class Kind(NamedTuple):
    """Messages that show a statement: who to whom ("" for anyone), the kind, and under which name it is explained ("" for kinds with many explanations)."""

    source: str
    target: str
    kind: str
    anchor: str


class Said(NamedTuple):
    """A statement: what the document says, and what is to be known about it. `lessons` are (slug, title)."""

    id: str
    verdict: str
    title: str
    html: str
    note: str
    kinds: list
    lessons: list


class Piece(NamedTuple):
    """One of: a heading with its level and anchor, HTML of a text, a Sequence, a Said."""

    heading: str = ""
    level: int = 2
    anchor: str = ""
    html: str = ""
    diagram: tuple | None = None
    name: str = ""
    said: Said | None = None


class Shown(NamedTuple):
    name: str
    title: str
    pieces: list
    tally: list                    # (verdict, how many)


class Point(NamedTuple):
    id: str
    html: str
    of: tuple
    lessons: list


def documents():
    """Both documents, as Showns."""
    return [shown(document) for document in statements.documents()]


def shown(document):
    pieces = [piece(block, f"{document.name}-{number}") for number, block in enumerate(document.blocks)]
    verdicts = [each.said.verdict for each in pieces if each.said]
    return Shown(document.name, document.title[language()], pieces, [(verdict, verdicts.count(verdict)) for verdict in VERDICTS])


def piece(block, anchor):
    spoken = language()
    if block.statement:
        return Piece(said=said(block.statement))
    if block.diagram:
        return Piece(diagram=sequence(block.diagram, spoken), name=block.diagram, anchor=block.diagram)
    if block.heading:
        return Piece(heading=block.heading[spoken], level=block.level + 1, anchor=anchor)
    return Piece(html=markdown(block.text[spoken]))


def said(statement):
    spoken = language()
    note = mark_safe(linked(statement.note[spoken], spoken)) if statement.note else ""
    return Said(statement.id, statement.verdict, statement.title.get(spoken, ""), markdown(statement.text[spoken]), note,
                kinds(statement.id), lessons(statement.id))


def points():
    """The ten Points to take away."""
    return [Point(point.id, mark_safe(linked(point.text[language()], language())), point.of, lessons(point.id)) for point in statements.points()]


def missing():
    """What neither document mentions, as HTML."""
    return [mark_safe(linked(text[language()], language())) for text in statements.missing()]


def kinds(id):
    """The Kinds of messages that show a statement."""
    return [Kind(name_of(shown.source), name_of(shown.target), shown.kind, entry_name(shown.kind) or "") for shown in statements.shown(id)]


def name_of(actor):
    return actor_name(actor) if actor in ACTORS else ""


def lessons(id):
    """(slug, title) of the lessons that carry a statement."""
    return [(slug, lesson.words[language()]["title"]) for slug, lesson in catalog().items() if id in lesson.statements]


@lru_cache(1024)
def markdown(text):
    return mark_safe(_markdown.render(text))
