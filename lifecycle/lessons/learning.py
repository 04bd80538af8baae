"""What learners do in a lesson besides working on their cluster: predict, ask for hints, press buttons, answer questions, finish."""
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import announcing, clusters
from ..models import Cluster, LessonRun
from .predictions import answered
from .runs import brought_up, open_predictions, written

TRIES = 5                      # to write what a learner did, while others write too
MOST_HINTS = 3


def change(run, function, **values):
    """Give a run the state that `function(state)` makes of it. Returns the run."""
    for _try in range(TRIES):
        run = brought_up(LessonRun.objects.get(pk=run.pk))
        if written(run, state=function(run.state), **values):
            break
    if run.cluster_id:
        announcing.announce(Cluster.objects.row(run.cluster_id))
    return run


def predict(run, lesson, prediction, answer):
    """Answer a prediction, or with None skip it. A cluster that was held goes on after the last one."""
    run = change(run, lambda state: answered(state, prediction, answer))
    held = run.state.get("held")
    if held and not open_predictions(lesson, run.state):
        run = change(run, lambda state: {**state, "held": None})
        if Cluster.objects.row(run.cluster_id).pace == Cluster.Pace.PAUSED:
            clusters.set_pace(run.cluster_id, *held)
    return run


def hint(run):
    """One more hint to the task that is open."""
    def more(state):
        shown = min(state["hints"].get(state["task"], 0) + 1, MOST_HINTS)
        return {**state, "hints": {**state["hints"], state["task"]: shown}} if state["task"] else state
    return change(run, more)


def act(run, lesson, line):
    """Do what the task has a button for. Raises ValueError if it has none for that, and what clusters.command and clusters.fault raise."""
    task = lesson.task(run.state["task"])
    if task is None or line not in task.acts:
        raise ValueError(_("This task does not offer that."))
    (clusters.command if line.startswith("kubectl ") else clusters.fault)(run.cluster_id, line)


def choose(run, question, place):
    """Answer a question at the end by the place of an option; the first is right."""
    def chosen(state):
        questions = state.get("questions", {})
        known = questions.get(question.id, {})
        return {**state, "questions": {**questions, question.id: {"first": place, **known, "place": place}}}
    return change(run, chosen)


def ask_again(run, question):
    """Put a question again, with other numbers."""
    def anew(state):
        questions = state.get("questions", {})
        known = {name: value for name, value in questions.get(question.id, {}).items() if name != "place"}
        return {**state, "questions": {**questions, question.id: {**known, "round": known.get("round", 0) + 1}}}
    return change(run, anew)


def finish(run):
    """The learner has come to the end."""
    return change(run, lambda state: state, finished=run.finished or timezone.now())
