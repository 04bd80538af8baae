"""What is broken in a cluster now, read from its disk as it was committed."""
from typing import NamedTuple

from django.utils.translation import gettext as _

from ..models import DiskEntry
from ..picture.actors import actor_name
from ..simulation.broken import FAULTS, POWER, STOPPED
from ..simulation.messages import ACTORS
from ..simulation.node.disk import BALLAST
from .rows import Row

PRESSURES = {"memory": "memory-pressure", "ephemeral-storage": "disk-pressure", "pids": "pid-pressure"}


class Broken(NamedTuple):
    """{key: value} of the disk spaces in which faults leave their traces."""

    faults: dict
    power: dict
    stopped: dict
    ballast: dict

    @classmethod
    def of(cls, pk):
        spaces = {FAULTS: {}, POWER: {}, STOPPED: {}, BALLAST: {}}
        for space, key, value in DiskEntry.objects.filter(cluster=pk, space__in=spaces).order_by("pk").values_list("space", "key", "value"):
            spaces[space][key] = value
        return cls(*spaces.values())

    def node_states(self, node):
        """What is the matter with a node, as short words."""
        yield from [_("down")] if node in self.power else ()
        yield from [_("cut off")] if f"partition {node}" in self.faults else ()
        yield from [_("no network for new Pods")] if f"network {node}" in self.faults else ()
        yield from [_("wrong clock")] if f"clock {node}" in self.faults else ()
        yield from (pressure_name(resource) for resource in PRESSURES if f"{node} {resource}" in self.ballast)

    def rows(self):
        """A Row with a button that mends it for everything that is broken."""
        found = [Row(node, _("down"), [(f"node {node} up", _("Power up"))]) for node in self.power]
        for name in self.stopped:
            found.append(Row(component_name(name), _("stopped"), [(f"component {name} start", _("Start"))]))
        for key in self.ballast:
            node, _space, resource = key.partition(" ")
            found.append(Row(node, pressure_name(resource), [(f"node {node} {PRESSURES[resource]} off", _("Mend"))]))
        for key, value in self.faults.items():
            found += _row(key, value)
        return found


def _row(key, value):
    """The Rows of a key of the space of faults; watches that break come back by themselves."""
    kind, _space, name = key.partition(" ")
    return [Row(*row) for row in ROWS[kind](name, value)] if kind in ROWS else []


def _probes(uid, value):
    for probe in value["failing"]:
        container, kind = probe.split("/")
        place = f"{value['pod']}/{container}"
        yield place, _("%(probe)s probe fails") % {"probe": kind}, [(f"container {place} {kind} mend", _("Mend"))]


def _hung(container, value):
    place = f"{value['pod']}/{value['container']}"
    yield place, _("hangs"), [(f"container {place} resume", _("Let it go on"))]


def _mended_by(words, state, title=lambda name: name):
    """A function of a key's name and value: one Row that says `state(value)`, and a button that says `words`."""
    return lambda name, value: [(title(name), state(value), [(words.format(name), _("Mend"))])]


def component_name(name):
    """A component as people call it: a process by its actor's name, a controller by its own."""
    return actor_name(name) if name in ACTORS else name


def pressure_name(resource):
    return {"memory": _("memory taken"), "ephemeral-storage": _("disk full"), "pids": _("process ids taken")}[resource]


def image_state(value):
    return {"missing": _("missing"), "denied": _("access denied"), "slow": _("slow")}[value["how"]] if value else ""


def attach_state(value):
    return "" if value is None else _("stuck") if value["seconds"] is None else _("slow")


def etcd_state(value):
    return {"read-only": _("full: read only"), "down": _("without a quorum")}.get(value, "")


ROWS = {
    "probes": _probes, "hung": _hung,
    "partition": _mended_by("node {} heal", lambda value: _("cut off")),
    "network": _mended_by("node {} cni mend", lambda value: _("no network for new Pods")),
    "clock": _mended_by("node {} clock mend", lambda value: _("wrong clock")),
    "slow": _mended_by("component {} mend", lambda value: _("slow"), component_name),
    "image": _mended_by("image {} mend", image_state),
    "registry": _mended_by("registry {} mend", lambda value: _("unreachable")),
    "attach": _mended_by("csi attach mend", attach_state, lambda name: _("Attaching volumes")),
    "mount": _mended_by("csi mount mend", lambda value: _("fails"), lambda name: _("Mounting volumes")),
    "etcd": _mended_by("etcd mend", etcd_state, lambda name: "etcd"),
}
