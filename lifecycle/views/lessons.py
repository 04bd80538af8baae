"""The lessons: the course, one lesson beside its cluster, what learners do in it, and how far they are."""
from contextlib import suppress

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from .. import clusters, looking_back
from ..lessons import learning, runs, syllabus
from ..lessons.catalog import find
from ..lessons.markup import block
from ..lessons.predictions import options_of
from ..models import Cluster, LessonRun
from ..permissions import learner, owner_of_new
from ..picture.actors import lanes, language
from ..picture.ending import questions, seen_rows
from ..picture.lesson import node_names, panel
from .live import live_page

REFUSED = (clusters.LimitReached, ValueError)


# -- what there is ---------------------------------------------------------------------------------------------------------
@require_safe
def index(request):
    """The course in the order of the visitor's groups, with how far they are."""
    return render(request, "lessons/index.html", {"nav": "lessons", "lessons": syllabus.entries(*learner(request), language())})


@require_safe
def progress(request):
    """The visitor's own progress."""
    entries = [entry for entry in syllabus.entries(*learner(request), language()) if entry.run]
    return render(request, "lessons/progress.html", {"nav": "lessons", "entries": entries, "total": syllabus.total(entries)})


def lesson_or_404(slug):
    lesson = find(slug)
    if lesson is None:
        raise Http404
    return lesson


def own_run(request, slug):
    """(Lesson, the visitor's LessonRun with a cluster). Raises Http404."""
    lesson = lesson_or_404(slug)
    run = LessonRun.objects.of(*learner(request), slug)
    if run is None or run.cluster_id is None:
        raise Http404
    return lesson, run


# -- one lesson ------------------------------------------------------------------------------------------------------------
@require_safe
def lesson(request, slug):
    """What the lesson is about and a button to start it; once it is started, the live page with the lesson beside it."""
    found = lesson_or_404(slug)
    run = LessonRun.objects.of(*learner(request), slug)
    if run and run.cluster_id:
        return live_page(request, Cluster.objects.select_related("owner").get(pk=run.cluster_id))
    words = found.words[language()]
    return render(request, "lessons/intro.html", {"nav": "lessons", "lesson": found, "words": words, "intro": block(words["intro"]),
                                                  "open": syllabus.is_open(learner(request)[0], slug),
                                                  "tasks": [words["tasks"][task.id]["title"] for task in found.tasks]})


@require_POST
def start(request, slug):
    found = lesson_or_404(slug)
    if not syllabus.is_open(learner(request)[0], slug):
        raise PermissionDenied
    owner = owner_of_new(request)
    with suppress(IntegrityError):         # pressed twice: the other press has begun it
        runs.start(found, found.words[language()]["title"], owner["owner"], owner["guest"])
    return redirect("lesson", slug)


@require_POST
def restart(request, slug):
    found, run = own_run(request, slug)
    runs.restart(run, found)
    return redirect("lesson", slug)


@require_safe
def file(request, slug, name):
    """A manifest of the lesson as text."""
    text = lesson_or_404(slug).files.get(name)
    if text is None:
        raise Http404
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


# -- what learners do in it ------------------------------------------------------------------------------------------------
def fresh_panel(request, found, run):
    """The panel as it is after what was done; the page takes over what differs."""
    objects = looking_back.snapshot(run.cluster_id).objects
    return render(request, "lessons/_fresh.html", {"panel": panel(found, run, objects)})


@require_POST
def predict(request, slug):
    """Answer a prediction, or skip it."""
    found, run = own_run(request, slug)
    prediction = found.prediction(request.POST.get("prediction", ""))
    answer = None if "skip" in request.POST else request.POST.get("answer", "")
    if prediction is None or answer not in (None, *options_of(prediction, node_names(looking_back.snapshot(run.cluster_id).objects))):
        raise Http404
    return fresh_panel(request, found, learning.predict(run, found, prediction, answer))


@require_POST
def hint(request, slug):
    found, run = own_run(request, slug)
    return fresh_panel(request, found, learning.hint(run))


@require_POST
def act(request, slug):
    """What the task has a button for; 422 with a sentence if it cannot be done."""
    found, run = own_run(request, slug)
    try:
        learning.act(run, found, request.POST.get("line", ""))
    except REFUSED as refusal:
        return render(request, "_errors.html", {"errors": [str(refusal)], "id": "act"}, status=422)
    return fresh_panel(request, found, runs.brought_up(run))


# -- the end ---------------------------------------------------------------------------------------------------------------
@require_safe
def end(request, slug):
    """What was seen, with the steps of the source documents, and three questions."""
    found, run = own_run(request, slug)
    run = runs.brought_up(run)
    if run.state["task"] is not None:
        return redirect("lesson", slug)
    words = found.words[language()]
    return render(request, "lessons/end.html", {
        "nav": "lessons", "lesson": found, "words": words, "outro": block(words["outro"]), "run": run, "lanes": lanes(),
        "rows": seen_rows(runs.everything_said(run, found)), "questions": questions(found, run, words),
        "next": syllabus.following(found.slug, *learner(request), language())})


@require_POST
def question(request, slug):
    """Answer a question at the end, or with `again` have it put with other numbers."""
    found, run = own_run(request, slug)
    asked, place = found.question(request.POST.get("question", "")), request.POST.get("place", "")
    if asked is None or not ("again" in request.POST or place.isdecimal() and len(place) < 3):
        raise Http404
    run = learning.ask_again(run, asked) if "again" in request.POST else learning.choose(run, asked, int(place))
    views = questions(found, run, found.words[language()])
    return render(request, "lessons/_question.html", {"lesson": found, "question": next(each for each in views if each.id == asked.id)})


@require_POST
def finish(request, slug):
    found, run = own_run(request, slug)
    learning.finish(run)
    following = syllabus.following(found.slug, *learner(request), language())
    return redirect("lesson", following.lesson.slug) if following else redirect("lessons")


urlpatterns = [
    path("", index, name="lessons"),
    path("progress/", progress, name="lesson_progress"),
    path("<slug:slug>/", lesson, name="lesson"),
    path("<slug:slug>/start/", start, name="lesson_start"),
    path("<slug:slug>/restart/", restart, name="lesson_restart"),
    path("<slug:slug>/files/<str:name>", file, name="lesson_file"),
    path("<slug:slug>/predict/", predict, name="lesson_predict"),
    path("<slug:slug>/hint/", hint, name="lesson_hint"),
    path("<slug:slug>/act/", act, name="lesson_act"),
    path("<slug:slug>/end/", end, name="lesson_end"),
    path("<slug:slug>/question/", question, name="lesson_question"),
    path("<slug:slug>/finish/", finish, name="lesson_finish"),
]
