"""What instructors do to clusters, nodes and Pods, as data: each act goes through clusters.py, the door that everybody uses."""
from typing import NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from .. import clusters
from ..models import Cluster
from ..pace import SPEEDS
from ..simulation.faults.places import FACTOR, SLOWEST

COMPONENTS = (("scheduler", _("scheduler")), ("controller-manager", _("controller manager: all controllers")), ("deployment", _("Deployment controller")),
              ("replicaset", _("ReplicaSet controller")), ("endpointslice", _("EndpointSlice controller")), ("garbage-collector", _("garbage collector")),
              ("node-lifecycle", _("node lifecycle controller")), ("namespace", _("namespace controller")), ("kube-proxy", _("kube-proxy")))


NODE_FAULTS = (
    ("memory-pressure on", _("Take memory")), ("memory-pressure off", _("Free memory")), ("disk-pressure on", _("Fill disk")),
    ("disk-pressure off", _("Free disk")), ("pid-pressure on", _("Take process ids")), ("pid-pressure off", _("Free process ids")),
    ("cni fail", _("The network plugin fails")), ("cni exhausted", _("No Pod address is left")), ("cni mend", _("The network plugin is mended")),
    ("clock 5m", _("Its clock jumps 5 minutes ahead")), ("clock -5m", _("Its clock jumps 5 minutes back")), ("clock mend", _("Its clock is right again")))
CLUSTER_FAULTS = (
    ("etcd read-only", _("etcd is full: read only")), ("etcd down", _("etcd loses its quorum")), ("etcd mend", _("etcd is mended")),
    ("csi attach slow", _("Volumes are attached slowly")), ("csi attach stuck", _("Volumes are not attached")),
    ("csi attach mend", _("Volumes are attached again")), ("csi mount fail", _("Volumes cannot be mounted")),
    ("csi mount mend", _("Volumes can be mounted again")),
    ("clock 10m", _("All clocks jump 10 minutes forward")), ("clock 1h", _("All clocks jump 1 hour forward")))


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


class SlowForm(ComponentForm):
    factor = forms.IntegerField(label=_("How many times as slow"), min_value=2, max_value=SLOWEST, initial=FACTOR)


class NodeFaultForm(forms.Form):
    fault = forms.ChoiceField(label=_("What happens"), choices=NODE_FAULTS)


class ClusterFaultForm(forms.Form):
    fault = forms.ChoiceField(label=_("What happens"), choices=CLUSTER_FAULTS)


class WordsForm(forms.Form):
    words = forms.CharField(label=_("Fault"), max_length=400, widget=forms.TextInput({"size": 60}),
                            help_text=_("In the words of scripts, such as: container web/app crash, image nginx:1.27 missing, registry docker.io unreachable"))


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
    """`what` may name fields of the form."""
    return lambda row, data: clusters.fault(row.pk, f"component {data['component']} {what}".format(**data))


def node(what):
    return lambda row, data: clusters.fault(row.cluster_id, f"node {row.name} {what}".format(**data))


def container(what):
    """Of a Pod: its first main container."""
    return lambda row, data: clusters.fault(row.cluster_id, f"container {row.namespace}/{row.name}/{first_container(row)} {what}")


def first_container(row):
    return row.manifest["spec"]["containers"][0]["name"]


def any_fault(field):
    return lambda row, data: clusters.fault(row.pk, data[field])


def kubectl(verb, options=""):
    return lambda row, data: clusters.command(row.cluster_id, f"kubectl {verb} {row.name} {options}".rstrip())


CLUSTER_ACTS = (
    Act("pause", _("Pause"), pace(Cluster.Pace.PAUSED)),
    Act("resume", _("Resume"), pace(Cluster.Pace.STORY)),
    Act("set_pace", _("Set pace…"), set_pace, PaceForm),
    Act("stop_component", _("Stop a component…"), component("stop"), ComponentForm),
    Act("start_component", _("Start a component…"), component("start"), ComponentForm),
    Act("slow_component", _("Slow a component down…"), component("slow {factor}"), SlowForm),
    Act("mend_component", _("Make a component as fast as before…"), component("mend"), ComponentForm),
    Act("drop_watch", _("Break a component's watches…"), component("watch drop"), ComponentForm),
    Act("expire_watch", _("Break a component's watches, with 410 Gone…"), component("watch expire"), ComponentForm),
    Act("break_cluster", _("Break or mend etcd, volumes, time…"), any_fault("fault"), ClusterFaultForm),
    Act("any_fault", _("Any fault, in words…"), any_fault("words"), WordsForm),
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
    Act("reboot", _("Reboot the node"), node("reboot")),
    Act("shutdown", _("Shut the node down gracefully"), node("shutdown")),
    Act("partition", _("Cut the node off from the API server"), node("partition")),
    Act("heal", _("Connect the node again"), node("heal")),
    Act("break_node", _("Pressure, network, clock…"), node("{fault}"), NodeFaultForm),
    Act("drain", _("Drain the node"), kubectl("drain", "--ignore-daemonsets --delete-emptydir-data")),
    Act("uncordon", _("Uncordon the node"), kubectl("uncordon")),
)
POD_ACTS = (
    Act("crash", _("Crash the first container"), container("crash")),
    Act("oom", _("Let the first container run out of memory"), container("oom")),
    Act("hang", _("Let the first container hang"), container("hang")),
    Act("resume", _("Let the first container go on"), container("resume")),
)
