"""What a learner does to a cluster. Every action answers with its own form again, with the errors beside their fields if it could not be done."""
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from .. import checking, clusters, looking_back, sessions
from ..faults import CHOICE, fault_view
from ..forms import CommandForm, CreateForm, DeleteForm, FaultForm, PaceForm
from ..permissions import cluster_for
from .live import examples

REFUSED = (clusters.LimitReached, ValueError)


def shown(request, template, context, failed):
    return render(request, template, {"may_change": True, **context}, status=422 if failed else 200)


@require_POST
def command(request, pk):
    """A line of the console. Its output comes over the socket."""
    cluster = cluster_for(request, pk, write=True)
    form = CommandForm(request.POST)
    if form.is_valid():
        run(form, "line", cluster.pk, form.cleaned_data["line"])
    return shown(request, "_errors.html", {"errors": form.errors.get("line"), "id": "command"}, form.errors)


def run(form, field, *what):
    """Give a command; what speaks against it becomes an error of the form's field (None: of the form)."""
    try:
        clusters.command(*what)
    except REFUSED as refusal:
        form.add_error(field, str(refusal))


@require_POST
def create(request, pk):
    """Apply or create a manifest."""
    cluster = cluster_for(request, pk, write=True)
    form = CreateForm(request.POST)
    problems = found_problems(cluster, form)
    if form.is_valid() and not problems:
        run(form, None, cluster.pk, form.command(), form.texts())
    failed = bool(problems or form.errors)
    context = {"cluster": cluster, "form": form, "problems": problems, "examples": examples(), "sent": sent(form, failed)}
    return shown(request, "cluster/_create.html", context, failed)


def found_problems(cluster, form):
    """What is wrong with the manifest; what can be read is tried on a copy of the cluster that is thrown away."""
    if not form.is_valid():
        return []
    text = form.texts()["manifest.yaml"]
    with transaction.atomic():
        return checking.problems(text) or checking.problems(text, sessions.load(cluster).simulation.api)


def sent(form, failed):
    return "" if failed else _("Sent: %(command)s") % {"command": form.command()}


@require_POST
def delete(request, pk):
    """Delete an object in the chosen way."""
    cluster = cluster_for(request, pk, write=True)
    objects = looking_back.snapshot(pk).objects
    form = DeleteForm(objects, request.POST)
    if form.is_valid():
        run(form, None, cluster.pk, form.command())
    failed = bool(form.errors)
    again = form if failed else DeleteForm(objects)
    return shown(request, "cluster/_delete.html", {"cluster": cluster, "form": again, "sent": sent(form, failed)}, failed)


@require_POST
def fault(request, pk):
    """Break or mend something, in the simulation's words or by kubectl."""
    cluster = cluster_for(request, pk, write=True)
    form = FaultForm(request.POST)
    if form.is_valid():
        words = form.cleaned_data["words"]
        try:
            (clusters.command if words.startswith("kubectl ") else clusters.fault)(cluster.pk, words)
        except REFUSED as refusal:
            form.add_error(None, str(refusal))
    done = "" if form.errors else _("Done: %(words)s") % {"words": form.cleaned_data["words"]}
    view = fault_view(pk, looking_back.snapshot(pk).objects, *(request.POST.get(name, "") for name in CHOICE))
    return shown(request, "cluster/_faults.html", {"cluster": cluster, "form": form, "sent": done, **view}, form.errors)


@require_POST
def pace(request, pk):
    """How fast the cluster moves by itself."""
    cluster = cluster_for(request, pk, write=True)
    form = PaceForm(request.POST)
    if not form.is_valid():
        return HttpResponse(form.errors.as_text(), status=422, content_type="text/plain; charset=utf-8")
    clusters.set_pace(cluster.pk, *form.pace())
    return HttpResponse(status=204)


@require_POST
def next_message(request, pk):
    """Do what leads to the next message. 204 if there was one, 205 if the cluster is at rest."""
    cluster = cluster_for(request, pk, write=True)
    return HttpResponse(status=204 if clusters.next_message(cluster.pk) else 205)
