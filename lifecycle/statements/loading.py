"""Loads the documents (`flow.toml`, `pod.toml`), the ten points to take away (`points.toml`), and what neither document mentions (`missing.toml`).

Every text is {language: Markdown} in the languages of the explanations. The Chinese is the documents' own, the English a translation of it.
"""
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

NAMES = ("flow", "pod")            # the documents, in their order


class Statement(NamedTuple):
    """One statement of a document. `verdict` is KEEP (right as it stands), NOTE (to be made precise) or FIX (not what Kubernetes does).

    `title` is its own, {} if it has none; `section` is the heading it stands under; `note` is {} for KEEP; `arrows` are the patterns of messages
    ("source → target: kind") that a document's data names, () where the numbered steps of the explanations decide.
    """

    id: str
    document: str
    verdict: str
    title: dict
    section: dict
    text: dict
    note: dict
    arrows: tuple


class Block(NamedTuple):
    """A piece of a document: a heading (with its level), a text, the name of a diagram, or a statement; the others are None."""

    heading: dict | None
    level: int
    text: dict | None
    diagram: str | None
    statement: Statement | None


class Document(NamedTuple):
    name: str
    title: dict
    blocks: tuple


class Point(NamedTuple):
    """One of the ten points; `of` are ids of the statements that it sums up."""

    id: str
    text: dict
    of: tuple


def data(name):
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@lru_cache(None)
def documents():
    """The Documents, in order."""
    return tuple(document(name) for name in NAMES)


def document(name):
    found, section, blocks = data(name), None, []
    for piece in found["blocks"]:
        section = piece.get("heading", section)
        made = statement(name, piece, section) if "id" in piece else None
        text = None if made else stripped(piece.get("text"))
        blocks.append(Block(piece.get("heading"), piece.get("level", 2), text, piece.get("diagram"), made))
    return Document(name, found["title"], tuple(blocks))


def statement(document, piece, section):
    return Statement(piece["id"], document, piece["verdict"], piece.get("title", {}), section, stripped(piece["text"]), piece.get("note", {}),
                     tuple(piece.get("shown", ())))


def stripped(text):
    """The first line break belongs to the quotes of the data file."""
    return text and {language: words.strip() for language, words in text.items()}


@lru_cache(None)
def all():
    """The 94 Statements in the order of the documents."""
    return tuple(block.statement for document in documents() for block in document.blocks if block.statement)


@lru_cache(None)
def points():
    """The ten Points."""
    return tuple(Point(id, piece["text"], tuple(piece["of"])) for id, piece in data("points").items())


@lru_cache(None)
def diagrams():
    """{name: {"actors", "lines"}} of the sequence diagrams, and {actor: [Chinese, English]} as "names"."""
    return data("diagrams")


@lru_cache(None)
def missing():
    """What neither document mentions: texts in both languages."""
    return tuple(data("missing")["missing"])


@lru_cache(None)
def _by_id():
    return {each.id: each for each in (*all(), *points())}


def get(id):
    """The Statement ("C11", "K4a", "6.3") or Point ("H3") with an id. Raises KeyError."""
    return _by_id()[id]
