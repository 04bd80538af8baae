"""What lists are filtered by."""
from django.contrib.admin import SimpleListFilter
from django.utils.translation import gettext_lazy as _

from ..models import Node, Resource
from ..permissions import in_taught_clusters, taught_clusters
from ..picture.actors import lanes
from ..simulation.resources import registry
from .lists import CLUSTER

NEWEST = 10                    # clusters to choose from


class ClusterFilter(SimpleListFilter):
    """The newest clusters, and the one that is chosen."""

    title = _("cluster")
    parameter_name = CLUSTER

    def lookups(self, request, model_admin):
        chosen = [int(self.value())] if str(self.value()).isdecimal() else []
        known = taught_clusters(request.user).order_by("-pk").only("name")
        found = [*known.filter(pk__in=chosen), *known.exclude(pk__in=chosen)[:NEWEST]]
        return [(str(cluster.pk), f"{cluster.name} ({cluster.pk})") for cluster in found]

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        return queryset.filter(cluster=self.value()) if self.value().isdecimal() else queryset.none()


class ColumnFilter(SimpleListFilter):
    """A column that has one of the values of `lookups`."""

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(**{self.parameter_name: self.value()})


class PhaseFilter(ColumnFilter):
    title = _("phase")
    parameter_name = "phase"

    def lookups(self, request, model_admin):
        return [(phase, phase) for phase in ("Pending", "Running", "Succeeded", "Failed")]


class ReadyFilter(ColumnFilter):
    title = _("ready")
    parameter_name = "ready"

    def lookups(self, request, model_admin):
        return [(status, status) for status in ("True", "False", "Unknown")]


class OfClusterFilter(ColumnFilter):
    """A column whose values are those that `column` of `model` has in the chosen cluster."""

    def lookups(self, request, model_admin):
        cluster = request.GET.get(CLUSTER, "")
        if not cluster.isdecimal():
            return [(value, value) for value in self.of_any()]
        rows = in_taught_clusters(self.model.objects.filter(cluster=cluster), request.user)
        return [(value, value) for value in rows.order_by(self.column).values_list(self.column, flat=True).distinct()]

    def of_any(self):
        return [self.value()] if self.value() else []


class NodeFilter(OfClusterFilter):
    title = _("node")
    parameter_name = "node"
    model, column = Node, "name"


class KindFilter(OfClusterFilter):
    title = _("kind")
    parameter_name = "kind"
    model, column = Resource, "kind"

    def of_any(self):
        stored = {resource.kind for resource in registry().values() if "list" in resource.verbs}
        return sorted(stored - {"Node", "Pod"} | set(super().of_any()))


class OwnerFilter(SimpleListFilter):
    """Accounts or guests."""

    title = _("owner")
    parameter_name = "owned"

    def lookups(self, request, model_admin):
        return [("account", _("an account")), ("guest", _("a guest"))]

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(owner__isnull=self.value() == "guest")


class WordFilter(SimpleListFilter):
    """A word in a column of words, each between spaces."""

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(**{f"{self.column}__contains": f" {self.value()} "})


class ComponentFilter(WordFilter):
    title = _("component")
    parameter_name = "component"
    column = "actors"

    def lookups(self, request, model_admin):
        return lanes()


class ReasonFilter(WordFilter):
    """Any reason, typed: there are too many to list."""

    title = _("reason")
    parameter_name = "reason"
    column = "reasons"
    template = "admin/lifecycle/typed_filter.html"

    def lookups(self, request, model_admin):
        return [("", "")]

    def choices(self, changelist):
        """What the form needs to keep the other filters."""
        others = changelist.get_filters_params()
        yield {"value": self.value() or "", "name": self.parameter_name, "cleared": changelist.get_query_string(remove=[self.parameter_name]),
               "others": [(name, value) for name, values in others.items() if name != self.parameter_name for value in values]}


