"""What a Lesson may not say: ids that are named but not there, CEL that cannot be read, kinds of messages that nobody says. (Of its words, see wording.py.)

Every function yields (file, piece of the file that shows the line, key, sentence).
"""
import shlex
from collections import Counter

from ..simulation.cel import CelError, compiled
from ..simulation.resources import registry
from .kinds import is_said
from .questions import draws_enough
from .wording import known_statements, of_words

FILE = "lesson.toml"
PACES = ("story", "real", "step", "paused")
MANIFEST = ("-f", "--filename")
QUESTIONS = 3                  # at the end of a lesson


def proofread(lesson):
    """Every mistake of a Lesson whose structure could be read."""
    yield from whole(lesson)
    for task in lesson.tasks:
        yield from of_task(task)
        for name in ("begin", "acts", "solution"):
            yield from of_files(getattr(task, name), lesson, f"tasks.{task.id}.{name}")
    for prediction in lesson.predictions:
        yield from of_prediction(prediction, lesson)
    for question in lesson.questions:
        yield from of_question(question)
    for language, words in lesson.words.items():
        for key, sentence in of_words(words, lesson):
            yield f"{language}.toml", key.rpartition(".")[2], key, sentence


def whole(lesson):
    if not lesson.tasks:
        yield FILE, "", "tasks", "there is no task"
    if len(lesson.questions) != QUESTIONS:
        yield FILE, "[[questions]]", "questions", f"{len(lesson.questions)} questions, not {QUESTIONS}"
    if lesson.pace[0] not in PACES:
        yield FILE, "pace", "pace", f"{lesson.pace[0]!r} is not one of {', '.join(PACES)}"
    for kind in ("tasks", "predictions", "questions"):
        yield from repeated(getattr(lesson, kind), kind)
    for id in lesson.statements:
        if id not in known_statements():
            yield FILE, f'"{id}"', "statements", f"the documents have no statement {id}"
    yield from of_files(lesson.start, lesson, "start")


def repeated(things, key):
    for id, number in Counter(each.id for each in things).items():
        if number > 1:
            yield FILE, f'"{id}"', f"{key}.{id}", "the id is there twice"


def of_files(lines, lesson, key):
    """Commands that read a manifest which the lesson has not got."""
    for line in lines:
        words = shlex.split(line)
        for option, name in zip(words, words[1:]):
            if option in MANIFEST and words[0] == "kubectl" and name.endswith(".yaml") and name not in lesson.files:
                yield FILE, name, key, f"the lesson has no file {name}"


# -- structure -------------------------------------------------------------------------------------------------------------
def of_task(task):
    key = f"tasks.{task.id}"
    if not task.checks:
        yield FILE, task.id, key, "there is no check"
    for kind in ("checks", "wrong"):
        yield from repeated(getattr(task, kind), f"{key}.{kind}")
        for condition in getattr(task, kind):
            yield from of_condition(condition, f"{key}.{kind}.{condition.id}")
    for line in (*task.acts, *task.begin):
        if line.startswith("wait"):
            yield FILE, line, key, "only start and solution may wait: the learner's time goes its own way"
    for stop in task.stops:
        if not (isinstance(stop, list) and len(stop) == 2 and isinstance(stop[0], str) and isinstance(stop[1], dict)):
            yield FILE, "stops", f"{key}.stops", f'expected ["Reason", {{ fact = "value" }}], found {stop!r}'
        elif not is_said(stop[0]):
            yield FILE, stop[0], f"{key}.stops", f"there is no kind of message {stop[0]}"


def of_condition(condition, key):
    kinds = [name for name in ("objects", "said", "command") if getattr(condition, name)]
    if len(kinds) != 1:
        yield FILE, condition.id, key, f"one of objects, said and command, not {len(kinds)}"
    if condition.objects and condition.objects not in registry() and "." not in condition.objects:
        sentence = f'there is no kind "{condition.objects}"; names are qualified: "pods", "deployments.apps"'
        yield FILE, f'objects = "{condition.objects}"', f"{key}.objects", sentence
    if condition.said and not is_said(condition.said):
        yield FILE, f'said = "{condition.said}"', f"{key}.said", f"there is no kind of message {condition.said}"
    if condition.where and condition.command:
        yield FILE, condition.where, f"{key}.where", "a command is found by its pattern only"
    yield from of_cel(condition.where, f"{key}.where")


def of_cel(text, key):
    try:
        if text:
            compiled(text)
    except CelError as error:
        yield FILE, text.strip().partition("\n")[0], key, str(error)


def of_prediction(prediction, lesson):
    key = f"predictions.{prediction.id}"
    if lesson.task(prediction.task) is None:
        yield FILE, prediction.id, f"{key}.task", f"there is no task {prediction.task!r}"
    if len(prediction.options) < 2 and prediction.options != ("@nodes",):
        yield FILE, prediction.id, f"{key}.options", "at least two"
    if prediction.kind == "race":
        for option in prediction.options:
            yield from of_condition(option, f"{key}.options.{option.id}")
    elif not prediction.value:
        yield FILE, prediction.id, f"{key}.value", "is missing"
    else:
        yield from of_condition(prediction.about, key)
        yield from of_cel(prediction.value, f"{key}.value")
        if not all(isinstance(option, str) for option in prediction.options):
            yield FILE, prediction.id, f"{key}.options", "values are compared as texts: write them between quotes"


def of_question(question):
    key = f"questions.{question.id}"
    before = len(question.options)
    for option in question.options:
        for mistake in of_cel(option, f"{key}.options"):
            before -= 1
            yield mistake
    if before == len(question.options) and not draws_enough(question):
        yield FILE, question.id, f"{key}.options", "some draws leave fewer than two different answers"
