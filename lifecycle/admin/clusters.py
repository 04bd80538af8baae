"""Learners' clusters: whose they are, how fast they go, how large they are; and what may be done to them."""
from django.contrib import admin
from django.db.models import Count, Sum
from django.db.models.functions import Length
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from ..models import Cluster, DiskEntry, Node, Pod, Resource, Revisions, Steps
from ..permissions import taught_clusters
from . import links
from .acting import ActsMixin
from .acts import CLUSTER_ACTS
from .filters import OwnerFilter
from .lists import BoundedList, ReadOnlyAdmin

OBJECTS = (Node, Pod, Resource)
KEPT = {Node: "manifest", Pod: "manifest", Resource: "manifest", Steps: "data", Revisions: "data"}


class ClusterList(BoundedList):
    """Measures the clusters of a page together, with one statement a table."""

    def get_results(self, request):
        super().get_results(request)
        self.result_list = list(self.result_list)
        measure(self.result_list)


def measure(clusters):
    """Give each cluster its `object_count`, and its `size` in bytes of manifests and history."""
    for cluster in clusters:
        cluster.object_count = cluster.size = 0
    by_pk = {cluster.pk: cluster for cluster in clusters}
    for model, column in KEPT.items():
        rows = model.objects.filter(cluster__in=by_pk).order_by().values("cluster").annotate(count=Count("pk"), size=Sum(Length(column)))
        for row in rows:
            cluster = by_pk[row["cluster"]]
            cluster.size += row["size"]
            cluster.object_count += row["count"] if model in OBJECTS else 0


@admin.register(Cluster)
class ClusterAdmin(ActsMixin, ReadOnlyAdmin):
    acts = CLUSTER_ACTS
    change_form_template = "admin/lifecycle/cluster.html"
    list_defer = ("queue",)
    list_display = ("name", "owner_link", "pace_state", "node_count", "object_count", "message_count", "size", "created", "live")
    list_filter = ("pace", OwnerFilter)
    list_select_related = ("owner",)
    list_indexed = ("pace", "owned", "owner")       # read from end to end: the rows are small, and whoever looks for a cluster means all of them
    ordering = ("pk",)
    search_fields = ("name", "owner__username")
    search_help_text = _("part of the name of a cluster or of its owner")
    view_on_site = False                           # the lists lead there, too

    def get_queryset(self, request):
        return taught_clusters(request.user)

    def get_changelist(self, request, **options):
        return ClusterList

    def get_fieldsets(self, request, obj=None):
        return ((None, {"fields": ("name", "owner_link", "created", "live")}),
                (_("Pace"), {"fields": ("pace_state", "speed", "virtual_time")}),
                (_("Contents"), {"fields": ("contents", "nodes", "stopped", "messages", "forgotten", "revision", "compacted", "size", "seed", "keep")}))

    def get_readonly_fields(self, request, obj=None):
        return [name for part in self.get_fieldsets(request) for name in part[1]["fields"]]

    def get_object(self, request, object_id, from_field=None):
        cluster = super().get_object(request, object_id, from_field)
        if cluster is not None:
            measure([cluster])
        return cluster

    def change_view(self, request, object_id, form_url="", extra_context=None):
        return super().change_view(request, object_id, form_url, {"acts": self.get_actions(request).values(), **(extra_context or {})})

    # -- columns -----------------------------------------------------------------------------------------------------------
    @admin.display(description=_("owner"))
    def owner_link(self, cluster):
        if cluster.owner is None:
            return format_html("<em>{}</em>", _("a guest"))
        return cluster.owner.username if cluster.owner.is_staff else links.link(cluster.owner)

    @admin.display(description=_("pace"))
    def pace_state(self, cluster):
        return format_html('<span class="state {}">{}</span>', "waiting" if cluster.pace == Cluster.Pace.PAUSED else "good", cluster.get_pace_display())

    @admin.display(description=_("objects"))
    def object_count(self, cluster):
        return cluster.object_count

    @admin.display(description=_("messages"))
    def message_count(self, cluster):
        return format_html('<a href="{}">{}</a>', links.list_of(Steps, cluster=cluster.pk), cluster.messages)

    @admin.display(description=_("size"))
    def size(self, cluster):
        return f"{cluster.size / 1024:.0f} KiB"

    @admin.display(description=_("live page"))
    def live(self, cluster):
        return links.live_link(cluster, _("Watch"))

    @admin.display(description=_("virtual time"))
    def virtual_time(self, cluster):
        return f"{cluster.now / 1000:.3f} s"

    @admin.display(description=_("objects"))
    def contents(self, cluster):
        lists = [(links.list_of(model, cluster=cluster.pk), model._meta.verbose_name_plural) for model in (*OBJECTS, Steps)]
        return format_html("{}: {}", cluster.object_count, format_html_join(" · ", '<a href="{}">{}</a>', lists))

    @admin.display(description=_("nodes"))
    def nodes(self, cluster):
        return links.listed(Node.objects.filter(cluster=cluster).order_by("key").defer("manifest"))

    @admin.display(description=_("stopped components"))
    def stopped(self, cluster):
        names = DiskEntry.objects.filter(cluster=cluster, space="stopped").order_by("key").values_list("key", flat=True)
        return ", ".join(names) or "-"
