"""Lists that stay quick at a hundred thousand rows: nothing is counted beyond a bound, and what filters leave is found in indexes alone."""
from functools import cached_property

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator

from ..permissions import in_taught_clusters

MOST = 10_000                  # rows that a list leads to; who looks for others filters
CLUSTER = "cluster"            # the filter that leaves few rows


class BoundedPaginator(Paginator):
    """Counts to MOST and no further."""

    @cached_property
    def found(self):
        """The keys of all rows that the pages lead to, in order."""
        return list(self.object_list.values_list("pk", flat=True)[:MOST])

    @cached_property
    def count(self):
        return len(self.found)

    @property
    def has_more(self):
        """Whether there may be rows that the pages do not lead to."""
        return self.count == MOST


class BoundedList(ChangeList):
    """Finds the keys of its rows first, then the rows of one page: so the database need not read, sort and count whole rows, most of which is manifests."""

    is_partial = False             # whether only the newest clusters were searched

    def get_queryset(self, request, *arguments, **options):
        rows = super().get_queryset(request, *arguments, **options)
        if not self.query and not self.has_active_filters:
            return rows
        ordering = rows.query.order_by
        # What is asked for has indexes that are not in the order of the list.
        found = self.within_reach(rows, ordering).order_by().values("pk")[:MOST]
        return self.root_queryset.filter(pk__in=found).order_by(*ordering)

    def within_reach(self, rows, ordering):
        """All rows, if an index leads to what is asked for (to a search it does); else those of as many of the newest clusters as have MOST rows."""
        asked = {name.partition("__")[0] for name in self.get_filters_params()}
        if CLUSTER in asked or asked <= set(self.model_admin.list_indexed):
            return rows
        edge = self.root_queryset.order_by(*ordering).values_list("cluster", flat=True)[MOST:MOST + 1].first()
        self.is_partial = edge is not None
        return rows.filter(cluster__gte=edge) if self.is_partial else rows

    def get_results(self, request):
        super().get_results(request)
        found, first = self.paginator.found, (self.page_num - 1) * self.list_per_page
        if self.multi_page and not (self.show_all and self.can_show_all):
            found = found[first:first + self.list_per_page]
        rows = self.root_queryset.filter(pk__in=found).order_by(*self.queryset.query.order_by)
        self.result_list = rows.select_related(*self.list_select_related).defer(*self.model_admin.list_defer)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that belong to clusters; an instructor sees those of the clusters that are theirs to help with."""

    list_defer = ("manifest",)                     # columns that the list does not show
    list_indexed = ()                              # filters that an index of the table serves
    list_select_related = ("cluster",)
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    paginator = BoundedPaginator

    def get_queryset(self, request):
        return in_taught_clusters(super().get_queryset(request), request.user)

    def get_ordering(self, request):
        """Newest clusters first: backwards through the index, unless there is but one cluster."""
        return self.ordering if CLUSTER in request.GET else [f"-{name}" for name in self.ordering]

    def get_changelist(self, request, **options):
        return BoundedList

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False
