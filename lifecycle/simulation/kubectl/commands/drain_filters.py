"""Which pods of a node a drain removes, and which it minds (kubectl/pkg/drain/filters.go)."""
from typing import NamedTuple

from lifecycle.simulation.objects import controller_of, is_terminal
from lifecycle.simulation.resources import resource

MIRROR = "kubernetes.io/config.mirror"
DAEMONS = "DaemonSet-managed Pods"
LOCAL = "Pods with local storage"
BARE = "Pods that declare no controller"


class Standing(NamedTuple):
    """What a drain makes of a pod: whether it is deleted, and the warning or the problem that goes with it."""

    pod: dict
    deleted: bool = True
    warning: str = ""
    problem: str = ""


def standing(invocation, pod):
    """The Standing of one pod; a generator, since DaemonSets are asked for."""
    warning = ""
    for check in (_of_daemon_set, _mirror, _local_storage, _bare):
        found = check(invocation.flags, pod)
        if check is _of_daemon_set and found is not None:
            yield from _daemon_set(invocation, pod)
        if found is None:
            continue
        if not found.deleted:
            return found
        warning = found.warning or warning
    return Standing(pod, True, warning)


def _daemon_set(invocation, pod):
    """kubectl looks whether the DaemonSet still exists."""
    owner, namespace = controller_of(pod), pod["metadata"]["namespace"]
    yield from invocation.ask("GET", resource("daemonsets.apps").path(namespace, owner["name"]))


def _of_daemon_set(flags, pod):
    owner = controller_of(pod)
    if owner is None or owner["kind"] != "DaemonSet" or is_terminal(pod):
        return None
    if flags["ignore-daemonsets"]:
        return Standing(pod, False, f"ignoring {DAEMONS}")
    return Standing(pod, False, problem=f"{DAEMONS} (use --ignore-daemonsets to ignore)")


def _mirror(flags, pod):
    return Standing(pod, False) if MIRROR in (pod["metadata"].get("annotations") or {}) else None


def _local_storage(flags, pod):
    if is_terminal(pod) or not any("emptyDir" in volume for volume in pod["spec"].get("volumes") or ()):
        return None
    if flags["delete-emptydir-data"]:
        return Standing(pod, True, f"deleting {LOCAL}")
    return Standing(pod, False, problem=f"{LOCAL} (use --delete-emptydir-data to override)")


def _bare(flags, pod):
    if is_terminal(pod) or controller_of(pod) is not None:
        return None
    if flags["force"]:
        return Standing(pod, True, f"deleting {BARE}")
    return Standing(pod, False, problem=f"{BARE} (use --force to override)")


def grouped(standings, part):
    """["ignoring DaemonSet-managed Pods: a/b, a/c"]: pods by their warning or problem."""
    groups = {}
    for one in standings:
        text = getattr(one, part)
        if text:
            groups.setdefault(text, []).append(f"{one.pod['metadata']['namespace']}/{one.pod['metadata']['name']}")
    return [f"{text}: {', '.join(names)}" for text, names in groups.items()]
