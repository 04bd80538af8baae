"""What is pushed to everybody who looks at a cluster when it has moved: fragments for htmx, each with its place."""
from django.template.loader import render_to_string
from django.utils.translation import override

from .. import looking_back
from ..lessons.catalog import find
from .console import pieces
from .explanation import explanation, writing_step
from .head import head
from .lesson import panel
from .messages import rows
from .nodes import NODES, PODS, nodes_view


def render_push(cluster, steps, snapshot, language, before=None):
    """HTML for the new messages `steps` of a cluster's row, with the state after them; `before` is the message before them.

    The same for all viewers of a language.
    """
    with override(language):
        return render_to_string("cluster/_push.html", push(cluster, steps, snapshot, before))


def render_behind(cluster, language):
    """HTML for a viewer who has missed too much to be caught up: the page then fetches what it shows."""
    with override(language):
        return render_to_string("cluster/_behind.html", {"head": head(cluster), "oob": True})


def render_lesson(run, snapshot, language):
    """HTML of the panel of a LessonRun; the page takes over the parts that differ."""
    with override(language):
        return render_to_string("lessons/_fresh.html", {"panel": panel(find(run.slug), run, snapshot.objects)})


def push(cluster, steps, snapshot, before):
    """The context of the fragments."""
    since = steps[0].seq - 1 if steps else None
    context = {"head": head(cluster, since), "oob": True, "rows": [], "pieces": list(pieces(steps)), "whole": False, "view": None}
    if steps:
        context["rows"] = rows(steps, before.at if before else None)
        context |= last_explained(cluster.pk, steps, snapshot)
    touched = nodes_touched(snapshot)
    context["whole"] = touched is None
    context["view"] = nodes_view(snapshot.objects, touched) if touched != set() else None
    return context


def last_explained(pk, steps, snapshot):
    """The explanation of the newest message."""
    step = steps[-1]
    writing = writing_step(step, ())
    return explanation(step, (), (writing, *looking_back.change_of(pk, writing, snapshot)) if writing else None)


def nodes_touched(snapshot):
    """Names of the nodes whose picture has changed ("" for the Pods on no node), or None if nodes or Pods came or went."""
    touched, objects = set(), snapshot.objects
    for key in snapshot.changed:
        if key.startswith((NODES, PODS)):
            if key not in objects or key.startswith(NODES):
                return None
            touched |= {objects[key]["spec"].get("nodeName", ""), ""}
    return touched
