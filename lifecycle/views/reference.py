"""What can be looked up: the source documents, the glossary, the message kinds, and the components, also as a cluster has used them."""
from functools import lru_cache

from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from .. import looking_back
from ..permissions import cluster_for, may_change, own_clusters
from ..picture.actors import language
from ..picture.component_map import component_map
from ..picture.documents import documents as shown_documents
from ..picture.documents import missing, points
from ..picture.reference import glossary_groups, message_kinds

MOST = 20_000                      # messages of a cluster that are counted: the newest
NEWEST = 5                         # clusters of the visitor to which the map leads
GROUPS = {
    "components": _("Components"), "objects": _("Objects"), "fields": _("Fields and conditions"), "api": _("The API"), "scheduling": _("Scheduling"),
    "node": _("On the node"), "deletion": _("Deletion"), "rollouts-storage-network": _("Rollouts, storage, network"),
    "words": _("Words of STATUS and Events"), "kubectl": "kubectl",
}


def groups():
    return [(GROUPS[name], entries) for name, entries in glossary_groups()]


BODIES = {
    "documents": lambda: {"documents": shown_documents(), "points": points(), "missing": missing()},
    "glossary": lambda: {"groups": groups()},
    "kinds": lambda: {"kinds": message_kinds()},
}


@lru_cache(None)
def body(name, language):
    """What a page says to everybody who reads a language, rendered once; the language is the active one."""
    return render_to_string(f"reference/_{name}.html", BODIES[name]())


@require_safe
def documents(request):
    """Both source documents in full, with what Kubernetes really does beside them."""
    return render(request, "reference/documents.html", {"nav": "documents", "body": body("documents", language())})


@require_safe
def glossary(request):
    """All words of the glossary."""
    return render(request, "reference/glossary.html", {"nav": "glossary", "body": body("glossary", language())})


@require_safe
def kinds(request):
    """Every kind of message, explained without a cluster."""
    return render(request, "reference/kinds.html", {"nav": "glossary", "body": body("kinds", language())})


@require_safe
def components(request):
    """The map of the components."""
    return render(request, "reference/components.html", {"nav": "components", "map": component_map(), "own": own_clusters(request)[:NEWEST]})


@require_safe
def cluster_components(request, pk):
    """The map of the components with what each has sent and received in a cluster."""
    cluster = cluster_for(request, pk)
    steps = looking_back.messages(pk, 0, cluster.messages + 1, MOST)
    context = {"nav": "components", "map": component_map(steps), "cluster": cluster, "may_change": may_change(request, cluster),
               "counted": len(steps), "all": cluster.messages}
    return render(request, "reference/components.html", context)


urlpatterns = [
    path("documents/", documents, name="documents"),
    path("glossary/", glossary, name="glossary"),
    path("messages/", kinds, name="kinds"),
    path("components/", components, name="components"),
    path("clusters/<int:pk>/components/", cluster_components, name="cluster_components"),
]
