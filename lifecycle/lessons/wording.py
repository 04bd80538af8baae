"""What the words of a lesson may lack in a language, or have too much: each finding is (key, sentence)."""
from functools import lru_cache
from string import Formatter

from .. import glossary, statements
from ..simulation.messages import ACTORS
from .markup import targets

HINTS = 3                      # a nudge, the direction, the command
TOP_WORDS = ("title", "summary", "intro", "outro")


def of_words(words, lesson):
    """(key, sentence) of what a language's file lacks, or has too much."""
    yield from keys_of(words, "", [*TOP_WORDS, "tasks"], ["predictions", "questions"])
    yield from keys_of(words.get("tasks", {}), "tasks.", [task.id for task in lesson.tasks])
    yield from keys_of(words.get("predictions", {}), "predictions.", [each.id for each in lesson.predictions])
    yield from keys_of(words.get("questions", {}), "questions.", [each.id for each in lesson.questions])
    for task in lesson.tasks:
        yield from task_words(words.get("tasks", {}).get(task.id, {}), f"tasks.{task.id}.", task)
    for prediction in lesson.predictions:
        yield from prediction_words(words.get("predictions", {}).get(prediction.id, {}), f"predictions.{prediction.id}.", prediction)
    for question in lesson.questions:
        yield from question_words(words.get("questions", {}).get(question.id, {}), f"questions.{question.id}.", question)
    for key, text in texts_of(words):
        for sentence in broken_links(text):
            yield key, sentence


def keys_of(table, prefix, required, optional=()):
    if not isinstance(table, dict):
        yield prefix.rstrip("."), f"expected a table, found {table!r}"
        return
    for name in required:
        if name not in table:
            yield prefix + name, "is missing"
    for name in table:
        if name not in required and name not in optional:
            yield prefix + name, "is not in lesson.toml, or no such key"


def task_words(words, prefix, task):
    wanted = {"checks": [check.id for check in task.checks], "wrong": [wrong.id for wrong in task.wrong], "acts": list(task.acts)}
    wanted = {name: ids for name, ids in wanted.items() if ids}
    yield from keys_of(words, prefix, ["title", "text", "hints", "done", *wanted])
    if len(words.get("hints", ())) != HINTS:
        yield f"{prefix}hints", f"{len(words.get('hints', ()))} hints, not {HINTS}"
    for name, ids in wanted.items():
        yield from keys_of(words.get(name, {}), f"{prefix}{name}.", ids)


def prediction_words(words, prefix, prediction):
    race = prediction.kind == "race"
    ids = [option.id for option in prediction.options] if race else list(prediction.options)
    yield from keys_of(words, prefix, ["question", "explanation", *["options"] * race], ["options"] * (not race))
    if "options" in words:
        yield from keys_of(words["options"], f"{prefix}options.", ids)


def question_words(words, prefix, question):
    yield from keys_of(words, prefix, ["question", "explanation"], ["options"])
    if len(words.get("options", question.options)) != len(question.options):
        yield f"{prefix}options", f"{len(words['options'])} options, not {len(question.options)}"
    names = {*question.draw, *map(str, range(len(question.options)))}
    for name, allowed in (("question", names), ("explanation", names | {"answer"}), *((place, names) for place in range(len(words.get("options", ()))))):
        text = words.get(name, "") if isinstance(name, str) else words["options"][name]
        for mistake in placeholders(text, allowed):
            yield f"{prefix}{name}", mistake


def placeholders(text, allowed):
    try:
        for _, name, _, _ in Formatter().parse(text):
            if name is not None and name not in allowed:
                yield f"{{{name}}} is not drawn"
    except ValueError as error:
        yield str(error)


def broken_links(text):
    """A sentence for every link of a text whose target is not there."""
    for kind, id in targets(text):
        if kind == "component" and id not in ACTORS:
            yield f"there is no component {id}"
        if kind == "statement" and id not in known_statements():
            yield f"the documents have no statement {id}"
        if kind == "glossary" and id not in glossary.entries():
            yield f"the glossary has no entry {id}"


def texts_of(words, key=""):
    """(key, text) of everything written in a language's file."""
    if isinstance(words, str):
        yield key, words
    elif isinstance(words, dict):
        for name, value in words.items():
            yield from texts_of(value, f"{key}.{name}" if key else name)
    elif isinstance(words, list):
        for place, value in enumerate(words):
            yield from texts_of(value, f"{key}.{place}")


@lru_cache(1)
def known_statements():
    return frozenset(each.id for each in (*statements.all(), *statements.points()))
