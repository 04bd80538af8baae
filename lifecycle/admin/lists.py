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
    def count(self):
        return self.object_list.order_by().values("pk")[:MOST].count()

    @property
    def has_more(self):
        """Whether there may be rows that the list does not lead to."""
        return self.count == MOST


class BoundedList(ChangeList):
    """Looks for the rows that filters and search leave by themselves, so that the database need not read whole rows: their manifests are most of it."""

    is_partial = False             # whether only the newest rows were searched

    def get_queryset(self, request, *arguments, **options):
        rows = super().get_queryset(request, *arguments, **options)
        ordering = rows.query.order_by
        if self.query or self.has_active_filters:
            found = self.within_reach(rows, ordering).order_by().values("pk")[:MOST]
            rows = self.root_queryset.filter(pk__in=found).order_by(*ordering)
        return rows.select_related(*self.list_select_related).defer(*self.model_admin.list_defer)

    def within_reach(self, rows, ordering):
        """All rows, if an index leads to what is asked for; else only the first of the list."""
        asked = {name.partition("__")[0] for name in self.get_filters_params()}
        if CLUSTER in asked or asked <= set(self.model_admin.list_indexed):
            return rows
        self.is_partial = True
        return rows.filter(pk__in=self.root_queryset.order_by(*ordering).values("pk")[:MOST])


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
