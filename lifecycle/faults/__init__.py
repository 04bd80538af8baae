"""What can be broken or mended by a button, as the view of faults shows it: words of the simulation's faults, or kubectl commands."""
from django.utils.translation import gettext as _

from ..picture.nodes import NODES, natural
from . import images, nodes, pods
from .broken import Broken
from .control_plane import component_rows, etcd_row, time_row, volume_rows
from .rows import Group

PODS = "/registry/pods/"
CHOICE = ("node", "pod", "about")                # what somebody who looks can choose, as `fault_view` takes it


def fault_view(pk, objects, node="", pod="", about=""):
    """What the template needs: {"broken", "groups", "topics", "nodes", "pods", "node", "pod", "about"}.

    `broken` are Rows of what is broken now, `groups` what can be broken; `topics` [(topic, title)], `nodes` and `pods` are what can be chosen. Of the chosen
    `node` and `pod` (as "NAME" or "NAMESPACE/NAME") everything that can go wrong is offered. `about` is a topic, or "" for all of them.
    """
    broken = Broken.of(pk)
    names = [objects[key]["metadata"]["name"] for key in sorted((key for key in objects if key.startswith(NODES)), key=natural)]
    known = {pods.called(objects[key]): objects[key] for key in sorted(objects) if key.startswith(PODS) and objects[key]["spec"].get("nodeName")}
    node = node if node in names else next(iter(names), "")
    groups = list(_groups(objects, broken, node, known.get(pod)))
    topics = {}
    for group in groups:
        topics.setdefault(group.topic, group.title)
    chosen = [group for group in groups if group.topic == about] or groups
    return {"broken": broken.rows(), "groups": chosen, "topics": list(topics.items()), "nodes": names, "pods": list(known),
            "node": node, "pod": pod, "about": about}


def _groups(objects, broken, node, pod):
    hint = _("A node without power says nothing any more: watch how long it takes until somebody notices.")
    yield Group("nodes", _("Nodes"), hint, nodes.rows(objects, broken))
    if node:
        yield Group("nodes", _("What else can happen to %(node)s") % {"node": node}, _("Cut off, its kubelet runs on: then the same Pod may run twice."),
                    nodes.more(node, broken))
    yield Group("containers", _("Containers"),
                _("Choose a Pod above: its containers can crash, hang, or fail their probes."),
                pods.rows(pod, broken) if pod else [])
    yield Group("images", _("Images"), _("A new image that nobody can pull: the rollout stops half-way, and the old Pods stay."), images.rows(objects, broken))
    yield Group("volumes", _("Volumes"), _("Volumes come before the sandbox: a Pod whose volume is missing has no address."), volume_rows(broken))
    yield Group("components", _("Components"),
                _("A stopped component does nothing; the others go on, and it catches up when it is started again."),
                component_rows(broken))
    yield Group("etcd", _("etcd and time"), _("Without etcd nothing can be changed, and what runs goes on."), [etcd_row(broken), time_row()])
