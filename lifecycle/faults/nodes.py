"""Nodes: power and drain for each, everything else for the one that was chosen."""
from django.utils.translation import gettext as _

from ..picture.nodes import NODES, natural
from .broken import PRESSURES, pressure_name
from .rows import Row


def rows(objects, broken):
    return [_row(objects[key], broken) for key in sorted(objects, key=natural) if key.startswith(NODES)]


def _row(node, broken):
    name = node["metadata"]["name"]
    power = (f"node {name} up", _("Power up")) if name in broken.power else (f"node {name} down", _("Power down"))
    if node["spec"].get("unschedulable"):
        work = (f"kubectl uncordon {name}", _("Uncordon"))
    else:
        work = (f"kubectl drain {name} --ignore-daemonsets --delete-emptydir-data --force", _("Drain"))
    return Row(name, ", ".join(broken.node_states(name)), [power, work])


def more(name, broken):
    """Rows of what can happen to a node besides."""
    cut_off, network, clock = (f"{what} {name}" in broken.faults for what in ("partition", "network", "clock"))
    return [
        Row(_("Machine"), "", [(f"node {name} reboot", _("Reboot")), (f"node {name} shutdown", _("Shut down"))]),
        Row(_("Connection to the API server"), _("cut off") if cut_off else "",
            [(f"node {name} heal", _("Mend"))] if cut_off else [(f"node {name} partition", _("Cut off"))]),
        *(_pressure(name, resource, fault, broken) for resource, fault in PRESSURES.items()),
        Row(_("Network plugin"), _("fails") if network else "", [(f"node {name} cni mend", _("Mend"))] if network else [
            (f"node {name} cni fail", _("Let it fail")), (f"node {name} cni exhausted", _("Use up the addresses"))]),
        Row(_("Clock"), _("wrong clock") if clock else "", [(f"node {name} clock mend", _("Mend"))] if clock else [
            (f"node {name} clock 5m", _("+5 min")), (f"node {name} clock -5m", _("−5 min"))]),
    ]


def _pressure(name, resource, fault, broken):
    taken = f"{name} {resource}" in broken.ballast
    labels = {"memory": (_("Memory"), _("Take memory"), _("Free memory")), "ephemeral-storage": (_("Disk"), _("Fill disk"), _("Free disk")),
              "pids": (_("Process ids"), _("Take process ids"), _("Free process ids"))}
    title, take, free = labels[resource]
    return Row(title, pressure_name(resource) if taken else "", [(f"node {name} {fault} off", free)] if taken else [(f"node {name} {fault} on", take)])
