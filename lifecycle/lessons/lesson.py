"""A lesson as data: what its folder says, in dataclasses that nobody changes."""
from dataclasses import dataclass, field

LANGUAGES = ("en", "zh-hans")


@dataclass(frozen=True)
class Condition:
    """Something to look for: stored objects of a kind, messages of a kind, or a typed command; `where` is CEL over `object` or `step`."""

    id: str
    objects: str = ""              # qualified plural name
    namespace: str = ""            # "" is all of them
    said: str = ""                 # reason of messages, a pattern
    command: str = ""              # a console line, a pattern
    where: str = ""


@dataclass(frozen=True)
class Check(Condition):
    """What is wanted: so many of what fits, exactly so many, or none. With `now` it has to be true when the task is done, not only once before."""

    count: int = 1
    exactly: int | None = None
    none: bool = False
    now: bool = False


@dataclass(frozen=True)
class Task:
    id: str
    checks: tuple = ()             # of Check
    wrong: tuple = ()              # of Check: turns that lead elsewhere
    manifest: str = ""
    acts: tuple = ()               # lines of which the learner has a button
    begin: tuple = ()              # lines that are done when the task opens
    stops: tuple = ()              # ([reason, {fact: value}], ...): messages at which the cluster pauses
    solution: tuple = ()


@dataclass(frozen=True)
class Prediction:
    """A question that the run answers: by the option that is first to happen ("race"), or by a value of the first thing that fits ("value").

    `options` are Conditions of a race, texts of a value, or ("@nodes",) for the names of the cluster's nodes.
    """

    id: str
    task: str
    kind: str
    options: tuple
    about: Condition | None = None
    value: str = ""


@dataclass(frozen=True)
class Question:
    """A question with numbers drawn anew: `options` are CEL over them, the first is right."""

    id: str
    options: tuple
    draw: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """`words` are {language: what its file says}; `files` are {name: text}; `pace` is (kind, speed or None)."""

    slug: str
    number: int
    minutes: int
    tasks: tuple
    predictions: tuple
    questions: tuple
    statements: tuple = ()
    nodes: int = 3
    pace: tuple = ("story", 0.5)
    start: tuple = ()
    files: dict = field(default_factory=dict)
    words: dict = field(default_factory=dict)

    def task(self, id):
        """The Task of that id, or None."""
        return next((task for task in self.tasks if task.id == id), None)

    def prediction(self, id):
        """The Prediction of that id, or None."""
        return next((each for each in self.predictions if each.id == id), None)

    def question(self, id):
        """The Question of that id, or None."""
        return next((each for each in self.questions if each.id == id), None)

    def after(self, id):
        """The Task that follows the one of that id, or None."""
        place = [task.id for task in self.tasks].index(id) + 1
        return self.tasks[place] if place < len(self.tasks) else None
