"""In-place resize: the resources of running containers follow the Pod's spec (pkg/kubelet/allocation, kuberuntime doPodResizeAction).

`resize` in the worker's record: {"condition": type, "reason", "message"} while a resize is under way or must wait, else None.
"""
from json import dumps

from ... import quantities
from ..durations import CREATE
from .resources import UNITS, requests

PENDING, IN_PROGRESS = "PodResizePending", "PodResizeInProgress"


def differing(worker):
    """[(container spec, runtime container)] whose resources are not those of the spec; such that need a restart are not here."""
    found = []
    for spec in worker.spec["containers"]:
        if spec.get("resources"):
            container = worker.container(spec["name"])
            if container and container["state"] == "running" and container.get("asked") != spec["resources"] and not needs_restart(spec, container):
                found.append((spec, container))
    return found


def needs_restart(spec, container):
    """Whether a changed resource has the policy RestartContainer."""
    before, after = container.get("asked") or {}, spec.get("resources") or {}
    restarting = [policy["resourceName"] for policy in spec.get("resizePolicy", ()) if policy["restartPolicy"] == "RestartContainer"]
    return any((before.get(which) or {}).get(name) != (after.get(which) or {}).get(name) for name in restarting for which in ("limits", "requests"))


def look(worker):
    """Notice a change of resources when a sync begins."""
    waiting = differing(worker)
    if not waiting:
        worker.record["resize"] = None
        return
    problem = _infeasible(worker)
    if problem:
        worker.record["resize"] = {"condition": PENDING, "reason": problem[0], "message": problem[1]}
    elif not worker.record.get("resize") or worker.record["resize"]["condition"] != IN_PROGRESS:
        worker.record["resize"] = {"condition": IN_PROGRESS, "reason": None, "message": None}
        worker.event("Normal", "ResizeStarted", f"Pod resize started: {_told(worker)}")


def _infeasible(worker):
    """(reason, message) if the node cannot give so much now, or ever."""
    allocatable, wanted = worker.node["status"]["allocatable"], requests(worker.spec)
    others = [pod for pod in worker.kubelet.indexes.find("pods by node", worker.key.node).values() if pod["metadata"]["uid"] != worker.key.uid]
    for name, asked in wanted.items():
        capacity, used = UNITS[name](allocatable.get(name, "0")), sum(requests(pod["spec"]).get(name, 0) for pod in others)
        if asked > capacity:
            return "Infeasible", f"Node didn't have enough capacity: {name}, requested: {asked}, capacity: {capacity}"
        if asked + used > capacity:
            return "Deferred", f"Node didn't have enough resource: {name}, requested: {asked}, used: {used}, capacity: {capacity}"
    return None


def apply(worker):
    """UpdateContainerResources for what differs; the next status tells of it."""
    for spec, container in differing(worker):
        worker.say("cri", "UpdateContainerResources", f"UpdateContainerResources {container['id'][:12]}", container=spec["name"])
        limit = (spec["resources"].get("limits") or {}).get("memory")
        worker.kubelet.runtime.update_resources(worker.key, container, spec["resources"], limit and quantities.value(limit))
    worker.event("Normal", "ResizeCompleted", f"Pod resize completed: {_told(worker)}")
    worker.record.update(resize=None, again=True)
    worker.begin("resize", CREATE)
    return CREATE


def is_under_way(worker):
    """Whether `apply` is to be done."""
    resize = worker.record.get("resize")
    return bool(resize) and resize["condition"] == IN_PROGRESS


def _told(worker):
    containers = []
    for spec in worker.spec["containers"]:
        if spec.get("resources"):
            sorted_amounts = {name: dict(sorted(spec["resources"][name].items())) for name in ("limits", "requests") if spec["resources"].get(name)}
            containers.append({"name": spec["name"], "resources": sorted_amounts})
    return dumps({"containers": containers, "generation": worker.pod["metadata"].get("generation")}, separators=(",", ":"))
