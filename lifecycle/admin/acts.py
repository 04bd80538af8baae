"""What instructors do to clusters and nodes, as data: each act goes through clusters.py, the door that everybody uses."""
from typing import NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from .. import clusters
from ..models import Cluster
from ..pace import SPEEDS

COMPONENTS = (("scheduler", _("scheduler")), ("controller-manager", _("controller manager: all controllers")), ("deployment", _("Deployment controller")),
              ("replicaset", _("ReplicaSet controller")), ("endpointslice", _("EndpointSlice controller")), ("garbage-collector", _("garbage collector")),
              ("node-lifecycle", _("node lifecycle controller")), ("namespace", _("namespace controller")), ("kube-proxy", _("kube-proxy")))


class PaceForm(forms.Form):
    pace = forms.ChoiceField(label=_("Pace"), choices=Cluster.Pace)
    speed = forms.FloatField(label=_("Speed"), required=False, help_text=_("story: seconds a message; real time: how many times as fast"))

    def clean(self):
        speed, bounds = self.cleaned_data.get("speed"), SPEEDS.get(self.cleaned_data.get("pace"))
        if speed is not None and bounds and not bounds[0] <= speed <= bounds[1]:
            self.add_error("speed", _("From %(least)s to %(most)s.") % {"least": bounds[0], "most": bounds[1]})
        return self.cleaned_data


class ComponentForm(forms.Form):
    component = forms.ChoiceField(label=_("Component"), choices=COMPONENTS)


class Act(NamedTuple):
    """`do(row, data)` is called with a selected row and the cleaned data of `form`. With a form or a warning, a page asks before anything is done.

    `permission` is what the account's group must be allowed to do with clusters: change or delete.
    """

    name: str
    label: str
    do: object
    form: type | None = None
    warning: str = ""
    permission: str = "change"


def pace(kind):
    return lambda row, data: clusters.set_pace(row.pk, kind)


def set_pace(row, data):
    clusters.set_pace(row.pk, data["pace"], data["speed"])


def component(what):
    return lambda row, data: clusters.fault(row.pk, f"component {data['component']} {what}")


def node(what):
    return lambda row, data: clusters.fault(row.cluster_id, f"node {row.name} {what}")


def kubectl(verb, options=""):
    return lambda row, data: clusters.command(row.cluster_id, f"kubectl {verb} {row.name} {options}".rstrip())


CLUSTER_ACTS = (
    Act("pause", _("Pause"), pace(Cluster.Pace.PAUSED)),
    Act("resume", _("Resume"), pace(Cluster.Pace.STORY)),
    Act("set_pace", _("Set pace…"), set_pace, PaceForm),
    Act("stop_component", _("Stop a component…"), component("stop"), ComponentForm),
    Act("start_component", _("Start a component…"), component("start"), ComponentForm),
    Act("compact", _("Compact…"), lambda row, data: clusters.compact(row.pk),
        warning=_("Older messages and revisions are removed; the cluster stays as it is.")),
    Act("reset", _("Reset…"), lambda row, data: clusters.reset(row.pk),
        warning=_("The cluster begins anew: all its objects and messages are removed.")),
    Act("remove", _("Delete…"), lambda row, data: clusters.delete(row.pk),
        warning=_("The cluster is removed with all its objects and messages."), permission="delete"),
)
NODE_ACTS = (
    Act("down", _("Switch the node off"), node("down")),
    Act("up", _("Switch the node on"), node("up")),
    Act("drain", _("Drain the node"), kubectl("drain", "--ignore-daemonsets --delete-emptydir-data")),
    Act("uncordon", _("Uncordon the node"), kubectl("uncordon")),
)
