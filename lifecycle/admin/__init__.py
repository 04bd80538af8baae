"""The panel of instructors: Django's own admin, which looks at everything and changes clusters only through the door that everybody uses (clusters.py)."""
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ..log_in import AdminLogInForm
from . import accounts, clusters, groups, lessons, objects, steps

__all__ = ["accounts", "clusters", "groups", "lessons", "objects", "steps"]

admin.site.login_form = AdminLogInForm
admin.site.site_title = _("Lifecycle administration")
admin.site.site_header = _("Lifecycle administration")
admin.site.index_title = _("Clusters and learners")
