"""Components, volumes, etcd and time."""
from django.utils.translation import gettext as _

from ..picture.actors import actor_name
from .broken import attach_state, etcd_state
from .rows import Row

COMPONENTS = ("scheduler", "controller-manager", "kubelet", "kube-proxy")


def component_rows(broken):
    return [_component(name, broken) for name in COMPONENTS]


def _component(name, broken):
    stopped, slow = name in broken.stopped, f"slow {name}" in broken.faults
    states = [_("stopped")] * stopped + [_("slow")] * slow
    return Row(actor_name(name), ", ".join(states), [
        (f"component {name} start", _("Start")) if stopped else (f"component {name} stop", _("Stop")),
        (f"component {name} mend", _("As fast as before")) if slow else (f"component {name} slow", _("Slow down")),
        (f"component {name} watch drop", _("Drop watches")), (f"component {name} watch expire", _("410 Gone"))])


def volume_rows(broken):
    attach, mount = broken.faults.get("attach"), "mount" in broken.faults
    return [
        Row(_("Attaching volumes"), attach_state(attach), [("csi attach mend", _("Mend"))] if attach else [
            ("csi attach slow", _("Slow")), ("csi attach stuck", _("Stuck"))]),
        Row(_("Mounting volumes"), _("fails") if mount else "", [("csi mount mend", _("Mend"))] if mount else [("csi mount fail", _("Let it fail"))])]


def etcd_row(broken):
    state = broken.faults.get("etcd")
    buttons = [("etcd mend", _("Mend"))] if state else [("etcd read-only", _("Full: read only")), ("etcd down", _("Lose the quorum"))]
    return Row("etcd", etcd_state(state), buttons)


def time_row():
    return Row(_("Time of the cluster"), "", [("clock 10m", _("+10 min")), ("clock 1h", _("+1 h")), ("clock 24h", _("+1 day"))])
