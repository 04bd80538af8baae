"""One message explained: its row, what was sent, what was answered, and what it changed in the store."""
from http import HTTPStatus
from typing import NamedTuple

from django.utils.translation import gettext as _

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


def explanation(step, following=(), change=None):
    """The context of `cluster/_explanation.html`.

    `following` are the next messages, among which a request finds its answer; `change` is (writing step, before, after) of what it stored, or None.
    """
    writing, before, after = change or (None, None, None)
    lines = difference(before, after) if change else []
    return {"row": row(step), "step": step, "key": object_key(step), "facts": list(facts(step)), "answer": answer(step, following, after),
            "difference": lines, "changed": changed(lines), "changed_key": writing and object_key(writing), "changed_revision": writing and writing.revision}


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
