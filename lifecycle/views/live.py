"""The live page of a cluster, and the fragments by which it looks back."""
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from .. import clusters, looking_back
from ..examples import EXAMPLES, text
from ..forms import CreateForm, paces_with
from ..lessons import runs
from ..lessons.catalog import find
from ..lessons.markup import block
from ..models import Cluster, DiskEntry
from ..models.cluster import new_secret
from ..permissions import cluster_for, is_own, may_change, open_link
from ..picture import lanes
from ..picture.actors import language
from ..picture.console import commands
from ..picture.explanation import explanation, writing_step
from ..picture.head import head
from ..picture.lesson import panel
from ..picture.messages import rows
from ..picture.nodes import nodes_view

WINDOW = 200                     # messages that the page holds at first, and fetches at a time
NEAR = 8                         # messages after a request among which its answer is looked for
COMMANDS = 30                    # commands of the console that are shown
DOCK = (("events", _("Events")), ("objects", _("Objects")), ("logs", _("Logs")), ("timeline", _("Timeline")), ("progress", _("Progress")))
SCRIPTS = tuple(f"js/{name}.js" for name in ("tabs", "live", "look", "diagram", "player", "editor", "console", "layout", "keyboard", "confirm", "announce"))
LESSON_SCRIPT = "js/lesson.js"


@require_safe
def live(request, pk):
    """The whole page, as the cluster is now."""
    return live_page(request, cluster_for(request, pk))


def live_page(request, cluster):
    """The page of a cluster that the visitor may see, with its lesson if it has one."""
    pk = cluster.pk
    clusters.watch([pk])
    cluster.refresh_from_db()
    steps = looking_back.messages(pk, 0, cluster.messages + 1, WINDOW)
    mine, snapshot = may_change(request, cluster), looking_back.snapshot(pk)
    context = {
        "cluster": cluster, "may_change": mine, "language": language(), "lanes": lanes(), "dock": DOCK, "scripts": SCRIPTS,
        "head": head(cluster, cluster.messages), **paces_of(cluster.pace, cluster.speed),
        "view": nodes_view(snapshot.objects), "nav": "cluster",
        "commands": commands(console_records(pk)), "form": CreateForm.fresh(), "examples": examples(), "share_url": share_url(request, cluster) if mine else "",
        **window(cluster, steps), **(explained(pk, steps[-1]) if steps else {}), **lesson_of(request, cluster, snapshot)}
    return render(request, "cluster/live.html", context)


def paces_of(kind, speed):
    """The choice of paces, and the one that is set."""
    return {"paces": paces_with(kind, speed or 0), "pace": f"{kind}:{speed or 0:g}"}


def lesson_of(request, cluster, snapshot):
    """What the page shows of the cluster's lesson; {} without one.

    The editor opens with what the task is about. A paused cluster goes on at the pace at which it was held, or at the lesson's.
    """
    run = runs.follow(cluster, snapshot) if cluster.lesson else None
    if run is None:
        return {}
    lesson = find(cluster.lesson)
    task = lesson.task(run.state["task"])
    form = {"form": CreateForm.with_text(lesson.files[task.manifest])} if task and task.manifest else {}
    paces = paces_of(*(run.state.get("held") or lesson.pace)) if cluster.pace == Cluster.Pace.PAUSED else {}
    intro = block(lesson.words[language()]["intro"], kinds=True)
    return {"panel": panel(lesson, run, snapshot.objects), "lesson_intro": intro, "lesson_is_own": is_own(request, cluster),
            "nav": "lessons", "scripts": (*SCRIPTS, LESSON_SCRIPT), **form, **paces}


def examples():
    return [(group, [{"name": name, "title": title} for name, title in entries]) for group, entries in EXAMPLES]


def console_records(pk):
    """The last records of the console, {id: record}."""
    entries = DiskEntry.objects.filter(cluster=pk, space="kubectl", key__regex=r"^\d+$").order_by("-id").values_list("key", "value")
    return dict(entries[:COMMANDS])


def window(cluster, steps):
    """The context of `cluster/_messages.html`: some messages in a row, and whether there are others around them."""
    first, last = (steps[0].seq, steps[-1].seq) if steps else (cluster.messages + 1, cluster.messages)
    oldest = cluster.forgotten + 1
    before = looking_back.message(cluster.pk, first - 1) if first > oldest else None
    return {"rows": rows(steps, before.at if before else None), "first": first, "last": last, "earlier": first > oldest, "earlier_count": first - oldest,
            "later": last < cluster.messages}


@require_safe
def messages(request, pk):
    """A window of the diagram: `before` or `after` a message, or around `at`; without any, the newest."""
    cluster = cluster_for(request, pk)
    after, before, at = (number(request, name) for name in ("after", "before", "at"))
    if at is not None:
        before = at + WINDOW // 2
    if after is not None:
        steps = looking_back.messages(pk, after, None, WINDOW)
    else:
        steps = looking_back.messages(pk, 0, before or cluster.messages + 1, WINDOW)
    return render(request, "cluster/_messages.html", window(cluster, steps))


@require_safe
def message(request, pk, seq):
    """A message explained."""
    cluster_for(request, pk)
    step = looking_back.message(pk, seq)
    if step is None:
        raise Http404
    return render(request, "cluster/_explanation.html", explained(pk, step))


@require_safe
def newest(request, pk, reason):
    """The number of the newest message of a kind, as text, empty if there is none; with `before`, of the newest one before that message."""
    cluster_for(request, pk)
    seq = looking_back.newest_of(pk, reason, number(request, "before") or looking_back.LAST)
    return HttpResponse(str(seq or ""), content_type="text/plain")


def explained(pk, step):
    """The context of a message's explanation, with its answer and what it stored."""
    following = looking_back.messages(pk, step.seq, None, NEAR)
    writing = writing_step(step, following)
    return explanation(step, following, (writing, *looking_back.change_of(pk, writing)) if writing else None)


@require_safe
def at(request, pk, seq):
    """The explanation and the nodes as they were at a message; 0 is now."""
    cluster = cluster_for(request, pk)
    try:
        snapshot = looking_back.snapshot(pk, seq or None)
    except LookupError:
        raise Http404 from None
    step = looking_back.message(pk, seq or cluster.messages)
    context = {"view": nodes_view(snapshot.objects), "oob": True, **(explained(pk, step) if step else {})}
    return render(request, "cluster/_at.html", context)


@require_safe
def example(request, name):
    """A ready-made manifest as text."""
    try:
        return HttpResponse(text(name), content_type="text/plain; charset=utf-8")
    except KeyError:
        raise Http404 from None


# -- read-only links -------------------------------------------------------------------------------------------------------
def share_url(request, cluster):
    return request.build_absolute_uri(f"/share/{cluster.view_secret}/") if cluster.view_secret else ""


@require_safe
def share(request, secret):
    """Whoever opens a read-only link may look from now on."""
    return redirect(open_link(request, secret))


@require_POST
def make_link(request, pk):
    """Make a read-only link, or with `revoke` take it back."""
    cluster = cluster_for(request, pk, write=True)
    cluster.view_secret = "" if "revoke" in request.POST else new_secret()
    cluster.save(update_fields=["view_secret"])
    return render(request, "cluster/_share.html", {"cluster": cluster, "may_change": True, "share_url": share_url(request, cluster)})


def number(request, name):
    """A whole number from the query, or None."""
    value = request.GET.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 16 else None
