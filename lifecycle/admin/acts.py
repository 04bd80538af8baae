"""What instructors do to clusters, as data: each act goes through clusters.py, as everybody's does, and leaves a line in the admin's history."""
from typing import NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.admin import helpers
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from .. import clusters, permissions
from ..models import Cluster
from ..pace import SPEEDS

MOST_AT_ONCE = 100             # rows of one act
COMPONENTS = (("scheduler", _("scheduler")), ("controller-manager", _("controller manager: all controllers")), ("deployment", _("Deployment controller")),
              ("replicaset", _("ReplicaSet controller")), ("endpointslice", _("EndpointSlice controller")), ("garbage-collector", _("garbage collector")),
              ("node-lifecycle", _("node lifecycle controller")), ("namespace", _("namespace controller")), ("kube-proxy", _("kube-proxy")))


class PaceForm(forms.Form):
    pace = forms.ChoiceField(label=_("Pace"), choices=Cluster.Pace)
    speed = forms.FloatField(label=_("Speed"), required=False, help_text=_("story: seconds a message; real time: how many times as fast"))

    def clean(self):
        kind, speed = self.cleaned_data.get("pace"), self.cleaned_data.get("speed")
        if speed is not None and kind in SPEEDS and not SPEEDS[kind][0] <= speed <= SPEEDS[kind][1]:
            self.add_error("speed", _t("From %(least)s to %(most)s.") % {"least": SPEEDS[kind][0], "most": SPEEDS[kind][1]})
        return self.cleaned_data


class ComponentForm(forms.Form):
    component = forms.ChoiceField(label=_("Component"), choices=COMPONENTS)


class Act(NamedTuple):
    """`do(row, data)` is called with a selected row and the cleaned data of `form`. With a form or a warning, a page asks before anything is done."""

    name: str
    label: str
    do: object
    form: type | None = None
    warning: str = ""
    permission: str = "change"


CLUSTER_ACTS = (
    Act("pause", _("Pause"), lambda row, data: clusters.set_pace(row.pk, Cluster.Pace.PAUSED)),
    Act("resume", _("Resume"), lambda row, data: clusters.set_pace(row.pk, Cluster.Pace.STORY)),
    Act("set_pace", _("Set pace…"), lambda row, data: clusters.set_pace(row.pk, data["pace"], data["speed"]), PaceForm),
    Act("stop_component", _("Stop a component…"), lambda row, data: clusters.fault(row.pk, f"component {data['component']} stop"), ComponentForm),
    Act("start_component", _("Start a component…"), lambda row, data: clusters.fault(row.pk, f"component {data['component']} start"), ComponentForm),
    Act("compact", _("Compact…"), lambda row, data: clusters.compact(row.pk), warning=_("Older messages and revisions are removed; the cluster stays as it is.")),
    Act("reset", _("Reset…"), lambda row, data: clusters.reset(row.pk), warning=_("The cluster begins anew: all its objects and messages are removed.")),
    Act("remove", _("Delete…"), lambda row, data: clusters.delete(row.pk), warning=_("The cluster is removed with all its objects and messages."), permission="delete"),
)
NODE_ACTS = (
    Act("down", _("Switch the node off"), lambda row, data: clusters.fault(row.cluster_id, f"node {row.name} down")),
    Act("up", _("Switch the node on"), lambda row, data: clusters.fault(row.cluster_id, f"node {row.name} up")),
    Act("drain", _("Drain the node"), lambda row, data: clusters.command(row.cluster_id, f"kubectl drain {row.name} --ignore-daemonsets --delete-emptydir-data")),
    Act("uncordon", _("Uncordon the node"), lambda row, data: clusters.command(row.cluster_id, f"kubectl uncordon {row.name}")),
)


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
            messages.error(request, _t("Choose %(most)d at most.") % {"most": MOST_AT_ONCE})
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
        "back": request.POST.get("back", ""), "checkbox": helpers.ACTION_CHECKBOX_NAME})


def done(model_admin, request, act, rows, data):
    """Do it to each row; what is refused is said, and the others go on. Raises PermissionDenied for a cluster that is not this account's to help with."""
    if not all(permissions.may_change(request, row if isinstance(row, Cluster) else row.cluster) for row in rows):
        raise PermissionDenied
    succeeded = [row for row in rows if succeeds(request, act, row, data)]
    for row in succeeded:
        model_admin.log_change(request, row, " ".join([act.name, *(str(value) for value in data.values() if value is not None)]))
    if succeeded:
        messages.success(request, _t("%(act)s: done (%(count)d)") % {"act": str(act.label).rstrip("…"), "count": len(succeeded)})
    return after(request, act)


def succeeds(request, act, row, data):
    """Whether an act on one row was not refused; if it was, the reason is shown."""
    try:
        act.do(row, data)
    except (clusters.LimitReached, ValueError) as refused:
        messages.error(request, f"{row}: {refused}")
    except Cluster.DoesNotExist:
        messages.error(request, _t("%(name)s is gone.") % {"name": row})
    else:
        return True
    return False


def after(request, act):
    """Back to the page that asked, unless what it showed is gone; else the list."""
    back = request.POST.get("back", "")
    if act.permission != "delete" and url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        return HttpResponseRedirect(back)
    return None
