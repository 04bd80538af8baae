"""What can be broken or mended by a button: groups of things, each with its state and the words that do it."""
from django.utils.translation import gettext as _

from .models import DiskEntry
from .picture.actors import actor_name
from .picture.nodes import NODES, natural
from .simulation.node.disk import BALLAST, POWER

STOPPABLE = ("scheduler", "controller-manager", "kubelet", "kube-proxy")
DEPLOYMENTS = "/registry/deployments/"
UNPULLABLE = "nginx:missing"


def fault_groups(pk, objects):
    """[(title, hint, [(name, state, [(words, label)])])]: words for the fault view, either a fault of the simulation or a kubectl command."""
    down, pressed, stopped = kept(pk, POWER), kept(pk, BALLAST), kept(pk, "stopped")
    return [
        (_("Nodes"), _("A node without power says nothing any more: watch how long it takes until somebody notices."),
         [node_row(objects[key], down, pressed) for key in sorted(objects, key=natural) if key.startswith(NODES)]),
        (_("Components"), _("A stopped component does nothing; the others go on, and it catches up when it is started again."),
         [component_row(name, stopped) for name in STOPPABLE]),
        (_("Images"), _("A new image that nobody can pull: the roll-out stops half-way, and the old Pods stay."),
         [image_row(objects[key]) for key in sorted(objects) if key.startswith(DEPLOYMENTS)]),
    ]


def kept(pk, space):
    return set(DiskEntry.objects.filter(cluster=pk, space=space).values_list("key", flat=True))


def node_row(node, down, pressed):
    name = node["metadata"]["name"]
    power = (f"node {name} up", _("Power up")) if name in down else (f"node {name} down", _("Power down"))
    if node["spec"].get("unschedulable"):
        work = (f"kubectl uncordon {name}", _("Uncordon"))
    else:
        work = (f"kubectl drain {name} --ignore-daemonsets --delete-emptydir-data --force", _("Drain"))
    memory = (f"node {name} memory-pressure off", _("Free memory")) if f"{name} memory" in pressed else (f"node {name} memory-pressure on", _("Take memory"))
    disk = (f"node {name} disk-pressure off", _("Free disk")) if f"{name} ephemeral-storage" in pressed else (f"node {name} disk-pressure on", _("Fill disk"))
    return name, _("down") if name in down else "", [power, work, memory, disk]


def component_row(name, stopped):
    change = (f"component {name} start", _("Start")) if name in stopped else (f"component {name} stop", _("Stop"))
    return actor_name(name), _("stopped") if name in stopped else "", [change]


def image_row(deployment):
    meta = deployment["metadata"]
    scope = f" -n {meta['namespace']}" if meta["namespace"] != "default" else ""
    return meta["name"], "", [(f"kubectl set image deployment/{meta['name']} *={UNPULLABLE}{scope}", _("Unpullable image")),
                              (f"kubectl rollout undo deployment/{meta['name']}{scope}", _("Roll back"))]
