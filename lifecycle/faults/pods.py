"""The containers of the Pod that was chosen: what their programs and their probes may do."""
from django.utils.translation import gettext as _

from ..simulation.node.kubelet.prober import KINDS
from .rows import Row

FIELDS = (("initContainers", "initContainerStatuses"), ("containers", "containerStatuses"))


def called(pod):
    """How a fault names a Pod: its namespace is left out if it is "default"."""
    meta = pod["metadata"]
    return meta["name"] if meta["namespace"] == "default" else f"{meta['namespace']}/{meta['name']}"


def rows(pod, broken):
    """A Row for each container that runs, and one for each of its probes."""
    meta = pod["metadata"]
    failing = broken.faults.get(f"probes {meta['uid']}", {}).get("failing", ())
    found = []
    for field, listed in FIELDS:
        statuses = {status["name"]: status for status in pod.get("status", {}).get(listed) or ()}
        for spec in pod["spec"].get(field) or ():
            place = f"{meta['namespace']}/{meta['name']}/{spec['name']}"
            found.append(_container(spec["name"], place, statuses.get(spec["name"], {}), broken))
            found += [_probe(spec["name"], place, kind, f"{spec['name']}/{kind}" in failing) for kind, asked in KINDS.items() if asked in spec]
    return found


def _container(name, place, status, broken):
    running = "running" in status.get("state", {})
    hung = f"hung {status.get('containerID', '').removeprefix('containerd://')}" in broken.faults
    if not running:
        return Row(name, _("does not run"), [])
    hang = (f"container {place} resume", _("Let it go on")) if hung else (f"container {place} hang", _("Hang"))
    return Row(name, _("hangs") if hung else "", [(f"container {place} crash", _("Crash")), hang, (f"container {place} oom", _("Out of memory"))])


def _probe(name, place, kind, failing):
    titles = {"liveness": _("%(name)s: liveness probe"), "readiness": _("%(name)s: readiness probe"), "startup": _("%(name)s: startup probe")}
    button = (f"container {place} {kind} mend", _("Mend")) if failing else (f"container {place} {kind} fail", _("Let it fail"))
    return Row(titles[kind] % {"name": name}, _("fails") if failing else "", [button])
