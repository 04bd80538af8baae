"""From a lesson's folder to a Lesson. Whatever is wrong with it is said with file, line and key, all at once."""
import re
import tomllib

from .. import examples
from .lesson import LANGUAGES, Check, Condition, Lesson, Prediction, Question, Task
from .proofreading import proofread

FOLDER = re.compile(r"(\d\d)-([a-z0-9-]+)")
CONDITION = {"id": str, "objects": str, "namespace": str, "said": str, "command": str, "where": str}
TABLES = {
    "lesson": {"minutes": int, "nodes": int, "pace": str, "statements": list, "start": list, "files": list,
               "tasks": list, "predictions": list, "questions": list},
    "task": {"id": str, "manifest": str, "acts": list, "begin": list, "stops": list, "solution": list, "checks": list, "wrong": list},
    "check": {**CONDITION, "count": int, "exactly": int, "none": bool, "now": bool, "keeps": bool},
    "condition": CONDITION,
    "prediction": {**CONDITION, "task": str, "kind": str, "options": list | str, "value": str},
    "question": {"id": str, "draw": dict, "options": list},
}


class LessonError(ValueError):
    """A lesson that cannot be used; the text has a line for every mistake: "09-crash/lesson.toml:12: tasks.create.checks.pods: ..."."""


def load(folder):
    """The Lesson in a folder (a Path or Traversable). Raises LessonError."""
    return Loader(folder).lesson()


class Loader:
    """Reads one folder and gathers its mistakes."""

    def __init__(self, folder):
        self.folder, self.mistakes, self.texts = folder, [], {}

    def lesson(self):
        data = self.read("lesson.toml")
        words = {language: self.read(f"{language}.toml") for language in LANGUAGES}
        self.raise_mistakes()
        lesson = self.built(data, words)
        self.raise_mistakes()
        for file, needle, key, sentence in proofread(lesson):
            self.say(file, key, sentence, needle)
        self.raise_mistakes()
        return lesson

    def say(self, file, key, sentence, needle=""):
        """Note a mistake; `needle` is a piece of the file that shows the line."""
        text = self.texts.get(file, "")
        place = max(text.find(needle), 0) or text.find(key.rpartition(".")[2])
        line = f":{self.texts[file].count(chr(10), 0, place) + 1}" if place >= 0 else ""
        self.mistakes.append(f"{self.folder.name}/{file}{line}: {key}: {sentence}")

    def raise_mistakes(self):
        if self.mistakes:
            raise LessonError("\n".join(self.mistakes))

    def read(self, name):
        try:
            self.texts[name] = (self.folder / name).read_text(encoding="utf-8")
            return tomllib.loads(self.texts[name])
        except FileNotFoundError:
            self.mistakes.append(f"{self.folder.name}/{name}: the file is missing")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.mistakes.append(f"{self.folder.name}/{name}: {error}")
        return {}

    # -- structure ---------------------------------------------------------------------------------------------------------
    def built(self, data, words):
        name = FOLDER.fullmatch(self.folder.name)
        if not name:
            self.mistakes.append(f"{self.folder.name}: a lesson's folder is called NN-slug")
            return None
        self.known("lesson", data, "lesson", ("minutes", "tasks", "predictions", "questions"))
        tasks = tuple(self.task(table, f"tasks.{table.get('id', place)}") for place, table in enumerate(data.get("tasks", ())))
        predictions = tuple(self.prediction(table, f"predictions.{table.get('id', place)}") for place, table in enumerate(data.get("predictions", ())))
        questions = tuple(self.question(table, f"questions.{table.get('id', place)}") for place, table in enumerate(data.get("questions", ())))
        return Lesson(name[2], int(name[1]), data.get("minutes", 0), tasks, predictions, questions, tuple(data.get("statements", ())), data.get("nodes", 3),
                      self.pace(data.get("pace", "story:0.5")), tuple(data.get("start", ())), self.files(data, tasks), words)

    def known(self, kind, table, key, required=("id",)):
        """Note keys that are not known, missing, or of a wrong type."""
        for name, value in table.items():
            wanted = TABLES[kind].get(name)
            if wanted is None:
                self.say("lesson.toml", f"{key}.{name}", "there is no such key")
            elif not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
                self.say("lesson.toml", f"{key}.{name}", f"expected {getattr(wanted, '__name__', wanted)}, found {value!r}")
        for name in required:
            if name not in table:
                self.say("lesson.toml", key, f"{name} is missing", table.get("id", ""))

    def pace(self, text):
        kind, _colon, speed = text.partition(":")
        try:
            return kind, float(speed) if speed else None
        except ValueError:
            self.say("lesson.toml", "pace", f"{speed!r} is not a number")
            return kind, None

    def condition(self, table, key):
        return Condition(**{name: table[name] for name in CONDITION if name in table}) if "id" in table else Condition(key)

    def task(self, table, key):
        self.known("task", table, key, ("id", "checks", "solution"))
        checks = tuple(self.check(each, f"{key}.checks.{each.get('id', place)}") for place, each in enumerate(table.get("checks", ())))
        wrong = tuple(self.check(each, f"{key}.wrong.{each.get('id', place)}") for place, each in enumerate(table.get("wrong", ())))
        lists = {name: tuple(table.get(name, ())) for name in ("acts", "begin", "stops", "solution")}
        return Task(table.get("id", ""), checks, wrong, table.get("manifest", ""), **lists)

    def check(self, table, key):
        self.known("check", table, key)
        values = {name: value for name, value in table.items() if name in TABLES["check"] and name != "keeps"}
        values["now"] = table.get("now", not table.get("keeps", True))
        return Check(**{"id": "", **values})

    def prediction(self, table, key):
        self.known("prediction", table, key, ("id", "task", "kind", "options"))
        kind, options, about = table.get("kind"), table.get("options", ()), None
        if kind == "race":
            for place, each in enumerate(options):
                self.known("condition", each, f"{key}.options.{each.get('id', place)}")
            options = tuple(self.condition(each, key) for each in options)
        elif kind == "value":
            about, options = self.condition(table, key), (options,) if isinstance(options, str) else tuple(options)
        else:
            self.say("lesson.toml", f"{key}.kind", f'"race" or "value", not {kind!r}')
        return Prediction(table.get("id", ""), table.get("task", ""), kind, options, about, table.get("value", ""))

    def question(self, table, key):
        self.known("question", table, key, ("id", "options"))
        return Question(table.get("id", ""), tuple(table.get("options", ())), table.get("draw", {}))

    def files(self, data, tasks):
        """{name: text} of the manifests that the lesson names: files of its folder, or ready-made ones."""
        names = dict.fromkeys([*data.get("files", ()), *(task.manifest for task in tasks if task.manifest)])
        names |= dict.fromkeys(entry.name for entry in self.folder.iterdir() if entry.name.endswith(".yaml"))
        found = {}
        for name in names:
            if (self.folder / name).is_file():
                found[name] = (self.folder / name).read_text(encoding="utf-8")
            elif name.removesuffix(".yaml") in examples.NAMES:
                found[name] = examples.text(name.removesuffix(".yaml"))
            else:
                self.say("lesson.toml", name, "there is no such file, neither here nor among the examples")
        return found
