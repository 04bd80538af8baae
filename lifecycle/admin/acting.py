"""Doing an act (acts.py) to selected rows: asks first where that is wanted, checks whose the clusters are, and leaves a line in the admin's history."""
from django.contrib import messages
from django.contrib.admin import helpers
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from .. import clusters, permissions
from ..models import Cluster

MOST_AT_ONCE = 100             # rows of one act


class ActsMixin:
    """A ModelAdmin whose actions are `acts`: for clusters that the account may help with, if its group may change (or delete) clusters."""

    acts = ()

    def get_actions(self, request):
        return {act.name: (action_of(act), act.name, act.label) for act in self.acts if request.user.has_perm(f"lifecycle.{act.permission}_cluster")}


def action_of(act):
    """The admin action of an Act: a function that takes what Django hands it, and returns an answer or None for the list."""
    def action(model_admin, request, queryset):
        rows = list(queryset.order_by("pk")[:MOST_AT_ONCE + 1])
        if len(rows) > MOST_AT_ONCE:
            messages.error(request, _("Choose %(most)d at most.") % {"most": MOST_AT_ONCE})
            return None
        is_sure = "sure" in request.POST
        form = act.form(request.POST if is_sure else None) if act.form else None
        if (act.form or act.warning) and not (is_sure and (form is None or form.is_valid())):
            return ask(model_admin, request, act, rows, form)
        return done(model_admin, request, act, rows, form.cleaned_data if form else {})
    return action


def ask(model_admin, request, act, rows, form):
    """The page between choosing an act and doing it."""
    return TemplateResponse(request, "admin/lifecycle/act.html", {
        **model_admin.admin_site.each_context(request), "title": act.label, "opts": model_admin.opts, "act": act, "rows": rows, "form": form,
        "back": back_of(request), "checkbox": helpers.ACTION_CHECKBOX_NAME})


def done(model_admin, request, act, rows, data):
    """Do it to each row; what is refused is said, and the others go on. Raises PermissionDenied for a cluster that is not this account's to help with."""
    if not all(permissions.may_change(request, row if isinstance(row, Cluster) else row.cluster) for row in rows):
        raise PermissionDenied
    succeeded = [row for row in rows if succeeds(request, act, row, data)]
    for row in succeeded:
        model_admin.log_change(request, row, " ".join([act.name, *(str(value) for value in data.values() if value is not None)]))
    if succeeded:
        messages.success(request, _("%(act)s: done (%(count)d)") % {"act": str(act.label).rstrip("…"), "count": len(succeeded)})
    return after(request, act)


def succeeds(request, act, row, data):
    """Whether an act on one row was not refused; if it was, the reason is shown."""
    try:
        act.do(row, data)
    except (clusters.LimitReached, ValueError) as refused:
        messages.error(request, f"{row}: {refused}")
    except Cluster.DoesNotExist:
        messages.error(request, _("%(name)s is gone.") % {"name": row})
    else:
        return True
    return False


def after(request, act):
    """Back to the page that asked, unless what it showed is gone; else None, for the list."""
    back = back_of(request)
    return HttpResponseRedirect(back) if back and act.permission != "delete" else None


def back_of(request):
    """The page of ours that an act was asked for on, or ""."""
    back = request.POST.get("back", "")
    return back if url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()) else ""
