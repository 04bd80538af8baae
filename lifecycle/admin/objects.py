"""The objects of clusters, to look at: nodes and Pods (which can be broken and mended), and all others."""
from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from ..models import Node, Pod, Resource
from . import links, manifests
from .acting import ActsMixin
from .acts import NODE_ACTS, POD_ACTS
from .filters import ClusterFilter, KindFilter, NodeFilter, PhaseFilter, ReadyFilter
from .lists import ReadOnlyAdmin

EVENT = '<li class="{}"><b>{}</b> {} <small>{} ×{}</small></li>'


class StoredObjectAdmin(ReadOnlyAdmin):
    """What nodes, Pods and other objects have in common."""

    columns = ()                                   # of the model itself
    ordering = ("cluster_id", "key")
    search_fields = ("key",)
    search_help_text = _("part of a namespace or name")

    def get_list_display(self, request):
        return ("name", "namespace", *self.columns, "cluster_link", "resource_version")

    def get_fieldsets(self, request, obj=None):
        return ((None, {"fields": ("cluster_link", "live", "namespace", "name", "uid", *self.columns, "resource_version")}),
                (_("Links"), {"fields": ("owned_by", "owns", "refers_to", "events_about")}),
                (_("Manifest"), {"fields": ("pretty_manifest",)}))

    def get_readonly_fields(self, request, obj=None):
        return [name for part in self.get_fieldsets(request) for name in part[1]["fields"]]

    @admin.display(description=_("cluster"))
    def cluster_link(self, row):
        return links.link(row.cluster)

    @admin.display(description=_("live page"))
    def live(self, row):
        return links.live_link(row.cluster, _("Watch the cluster"))

    @admin.display(description=_("owned by"))
    def owned_by(self, row):
        return links.listed(links.owners(row))

    @admin.display(description=_("owns"))
    def owns(self, row):
        return links.listed(links.dependents(row))

    @admin.display(description=_("refers to"))
    def refers_to(self, row):
        return links.listed(links.referred(row))

    @admin.display(description=_("events"))
    def events_about(self, row):
        lines = [(event.get("type", ""), event.get("reason", ""), event.get("message", ""), event.get("lastTimestamp") or "", event.get("count") or 1)
                 for event in links.events(row)]
        return format_html('<ul class="events">{}</ul>', format_html_join("", EVENT, lines)) if lines else "-"

    @admin.display(description=_("manifest"))
    def pretty_manifest(self, row):
        return manifests.pretty(row.manifest)


@admin.register(Node)
class NodeAdmin(ActsMixin, StoredObjectAdmin):
    acts = NODE_ACTS
    columns = ("ready_status", "cordoned", "pods")
    list_filter = (ClusterFilter, ReadyFilter, "unschedulable")

    @admin.display(description=_("ready"))
    def ready_status(self, row):
        return state(row.ready, {"True": "good", "False": "bad", "Unknown": "bad"})

    @admin.display(description=_("unschedulable"))
    def cordoned(self, row):
        return state("SchedulingDisabled" if row.unschedulable else "", {"SchedulingDisabled": "waiting"})

    @admin.display(description=_("Pods"))
    def pods(self, row):
        return format_html('<a href="{}">{}</a>', links.list_of(Pod, cluster=row.cluster_id, node=row.name), _("Pods"))


@admin.register(Pod)
class PodAdmin(ActsMixin, StoredObjectAdmin):
    acts = POD_ACTS
    list_indexed = ("phase",)
    columns = ("phase_state", "being_deleted", "node_link")
    list_filter = (ClusterFilter, PhaseFilter, NodeFilter, "deleting")

    @admin.display(description=_("phase"))
    def phase_state(self, row):
        return state(row.phase, {"Running": "good", "Succeeded": "good", "Pending": "waiting", "Failed": "bad"})

    @admin.display(description=_("being deleted"))
    def being_deleted(self, row):
        return state("Terminating" if row.deleting else "", {"Terminating": "waiting"})

    @admin.display(description=_("node"))
    def node_link(self, row):
        return format_html('<a href="{}">{}</a>', links.list_of(Node, cluster=row.cluster_id, q=row.node), row.node) if row.node else "-"


@admin.register(Resource)
class ResourceAdmin(StoredObjectAdmin):
    list_indexed = ("kind",)
    columns = ("kind", "group")
    list_filter = (ClusterFilter, KindFilter)

    def get_list_display(self, request):
        return ("name", "kind", "namespace", "group", "cluster_link", "resource_version")


def state(word, colours):
    """A word with the colour of its meaning."""
    return format_html('<span class="state {}">{}</span>', colours.get(word, ""), word) if word else "-"
