"""One message explained: its row, what was sent, what was answered, what it changed in the store, and where the source documents say it differently."""
from html import escape
from http import HTTPStatus
from typing import NamedTuple

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from .. import statements
from ..explanations.texts import Facts, entry, mentioned, source_of
from ..glossary import linked
from .actors import language
from .difference import difference
from .messages import object_key, row
from .store import manifest_text

LONG = 240                       # characters of a fact that are shown
TOLD_ELSEWHERE = ("controller", "output", "event")


class Answer(NamedTuple):
    code: int
    words: str
    failed: bool
    body: str


class Words(NamedTuple):
    """What is said about a message, as HTML in which the words of the glossary are links; `source` is (name, address)."""

    text: str
    happens: str
    look: str
    source: tuple


class Note(NamedTuple):
    """Where a source document is not precise (`verdict` NOTE) or not right (FIX)."""

    id: str
    verdict: str
    html: str


def explanation(step, following=(), change=None):
    """The context of `cluster/_explanation.html`.

    `following` are the next messages, among which a request finds its answer; `change` is (writing step, before, after) of what it stored, or None.
    """
    writing, before, after = change or (None, None, None)
    lines = difference(before, after) if change else []
    return {"row": row(step), "step": step, "key": object_key(step), "facts": list(facts(step)), "answer": answer(step, following, after),
            **documents(step), "words": words(step),
            "difference": lines, "changed": changed(lines), "changed_key": writing and object_key(writing), "changed_revision": writing and writing.revision}


def words(step):
    """The Words for a message in the active language."""
    said, filled = entry(language(), step.reason), Facts({name: escape(str(value)) for name, value in mentioned(step).items()})
    return Words(*(mark_safe(linked(said[part], language()).format_map(filled)) for part in ("text", "happens", "look")), source_of(step.reason, language()))


def documents(step):
    """`notes` on the numbered steps that a message shows, and the ids of the other statements about it (`told_there`)."""
    ids = statements.statements_of(step)
    shown = [statements.get(id) for id in ids if id[0] in "CD"]
    notes = [Note(each.id, each.verdict, mark_safe(linked(each.note[language()], language()))) for each in shown if each.note]
    return {"notes": notes, "told_there": [id for id in ids if id[0] not in "CD"]}


def changed(lines):
    """"+3 -1": how many lines came and went."""
    added, gone = (sum(line.sign == sign for line in lines) for sign in "+-")
    return " ".join([f"+{added}"] * bool(added) + [f"−{gone}"] * bool(gone))


def facts(step):
    for name, value in step.facts.items():
        if name not in TOLD_ELSEWHERE:
            text = value if isinstance(value, str) else str(value)
            yield name, text if len(text) <= LONG else text[:LONG] + "…"


def writing_step(step, following):
    """The message by which the store took the change that a request asked for, or the message itself if it is one, or None."""
    if step.target == "etcd":
        return step
    if step.target != "apiserver" or is_refused(step):
        return None
    for later in following:
        if later.at != step.at:
            return None
        if later.target == "etcd" and later.facts.get("for") == step.reason:
            return later
    return None


def is_refused(step):
    return isinstance(step.facts.get("code"), int) and step.facts["code"] >= 300


def answer(step, following, after):
    """The Answer to a request to the API server, or None for other messages."""
    if step.target != "apiserver" or step.source == "apiserver":
        return None
    if is_refused(step):
        return Answer(step.facts["code"], f"{reason(step.facts['code'])}: {step.facts.get('message', '')}", True, "")
    told = [later.facts["code"] for later in following if (later.reason, later.target, later.facts.get("for")) == ("Respond", step.source, step.reason)]
    code = told[0] if told else 201 if (step.request or "").startswith("POST") else 200
    return Answer(code, reason(code), False, manifest_text(after) if after else "")


def reason(code):
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return _("unknown code")
