"""Accounts: an instructor sees learners and may let one in again (another password, active or not); everything else is for superusers."""
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ..models import Cluster
from . import links
from .lists import BoundedPaginator

User = get_user_model()
admin.site.unregister(User)


@admin.register(User)
class LearnerAdmin(UserAdmin):
    list_display = ("username", "is_active", "is_staff", "date_joined", "last_login", "clusters")
    list_filter = ("is_active",)
    search_fields = ("username",)
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    for_instructors = ((None, {"fields": ("username", "password", "is_active")}), (_("Dates"), {"fields": ("last_login", "date_joined", "clusters")}))

    def get_queryset(self, request):
        users = super().get_queryset(request)
        return users if request.user.is_superuser else users.filter(is_staff=False, is_superuser=False)

    def get_fieldsets(self, request, obj=None):
        return super().get_fieldsets(request, obj) if request.user.is_superuser else self.for_instructors

    def get_readonly_fields(self, request, obj=None):
        return () if request.user.is_superuser else ("username", "last_login", "date_joined", "clusters")

    @admin.display(description=_("clusters"))
    def clusters(self, user):
        return format_html('<a href="{}">{}</a>', links.list_of(Cluster, owner__id__exact=user.pk), _("Clusters"))
