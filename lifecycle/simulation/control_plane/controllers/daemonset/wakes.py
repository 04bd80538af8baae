"""Which DaemonSets a change of the store concerns (pkg/controller/daemon/daemon_controller.go)."""
from ....objects import condition, controller_of, is_deleting, name_of
from ..adoption import concerns, would_adopt
from .placement import standing_of

SETS = "daemonsets.apps"


def of_set(component, change):
    """The DaemonSet itself, unless its controller only wrote the status."""
    writer = change.manager
    return () if writer is not None and writer.subresource == "status" and writer.name == component.manager else (name_of(change.object),)


def of_pod(component, change):
    """The owner, if the Pod stands in another way than before; whoever could adopt a Pod without one."""
    pod, before = change.object, change.previous
    if not concerns(change, "DaemonSet") or change.type == "MODIFIED" and _standing(pod) == _standing(before):
        return ()
    owners = [controller_of(each) for each in (pod, before) if each is not None]
    keys = [f"{pod['metadata']['namespace']}/{owner['name']}" for owner in owners if owner is not None and owner["kind"] == "DaemonSet"]
    keys = [key for key in keys if not component.is_busy(key)]
    if owners[0] is None and change.type != "DELETED":
        keys += [name_of(each) for each in would_adopt(component.api, SETS, pod)]
    return dict.fromkeys(keys)


def of_node(component, change):
    """The DaemonSets that lack a Pod on the node, have one that may not stay, or have misplaced ones; others keep a status that is not quite right."""
    node, before = change.object, change.previous
    if change.type == "DELETED" or before is not None and _aspects(node) == _aspects(before):
        return ()
    pods = component.indexes.find("pods by node", node["metadata"]["name"]).values()
    present = {owner["uid"] for owner in map(controller_of, pods) if owner is not None}
    return [name_of(each) for each in component.api.list(SETS) if _is_touched(each, node, each["metadata"]["uid"] in present)]


def _is_touched(daemon_set, node, present):
    run, stay = standing_of(node, daemon_set)
    if not present:
        return run
    return not stay or (daemon_set.get("status") or {}).get("numberMisscheduled", 0) > 0


def of_revision(component, change):
    """The owner of a revision that goes or changes hands; whoever could adopt one without. The controller's own writes need no second look."""
    owners = [controller_of(each) for each in (change.object, change.previous) if each is not None]
    if change.type == "DELETED" or owners[0] != owners[-1]:
        return [f"{change.object['metadata']['namespace']}/{owner['name']}" for owner in owners[-1:] if owner is not None and owner["kind"] == "DaemonSet"]
    return [name_of(each) for each in would_adopt(component.api, SETS, change.object)] if owners[0] is None else ()


def _standing(pod):
    """What of a Pod matters to its DaemonSet."""
    ready = condition(pod, "Ready")
    return (pod["status"].get("phase"), ready and (ready["status"], ready["lastTransitionTime"]), is_deleting(pod), pod["metadata"].get("labels"),
            controller_of(pod))


def _aspects(node):
    """What of a Node matters to a DaemonSet."""
    return node["metadata"].get("labels"), node["spec"].get("taints")
