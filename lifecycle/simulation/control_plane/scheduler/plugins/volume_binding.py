"""PersistentVolumeClaims and the nodes that can have their volumes (plugins/volumebinding)."""
from typing import NamedTuple

from lifecycle.simulation.objects import at, is_deleting, replaced
from lifecycle.simulation.quantities import value
from lifecycle.simulation.selectors import match_node_selector_terms, matches
from lifecycle.simulation.storage import BIND_COMPLETED, SELECTED_NODE

from ..rejection import Rejection

NAME = "VolumeBinding"
UNBOUND = Rejection(NAME, ("pod has unbound immediate PersistentVolumeClaims",))
NONE_FITS = Rejection(NAME, ("node(s) didn't find available persistent volumes to bind",))
ELSEWHERE = Rejection(NAME, ("node(s) didn't match PersistentVolume's node affinity",))
VANISHED = Rejection(NAME, ("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",))
NO_PROVISIONER = "kubernetes.io/no-provisioner"


class Claims(NamedTuple):
    """A Pod's claims: `bound` are their PersistentVolumes (None where one is missing), `waiting` the claims that the scheduler is to find a volume for,
    `available` the volumes that may do: [PersistentVolume], smallest first."""

    bound: list
    waiting: list
    available: list


def prepare(info, view):
    """Claims, None if the Pod has none, or a Rejection of the whole Pod."""
    if not info.claims:
        return None
    claims = []
    for name in info.claims:
        claim = view.api.get("persistentvolumeclaims", info.namespace, name)
        rejection = _unusable(claim, name, info)
        if rejection:
            return rejection
        claims.append(_assumed(claim, view.api))
    bound = [claim for claim in claims if is_bound(claim)]
    waiting = [claim for claim in claims if not is_bound(claim)]
    if any(not is_delayed(claim, view.api) and not claim["spec"].get("volumeName") for claim in waiting):
        return UNBOUND
    available = sorted(view.api.list("persistentvolumes"), key=capacity_of) if waiting else []
    return Claims([view.api.get("persistentvolumes", "", claim["spec"]["volumeName"]) for claim in bound], waiting, available)


def _assumed(claim, api):
    """The claim as the bindings under way will leave it: given to the node of the first Pod that asked for its volume to be made."""
    if is_bound(claim) or SELECTED_NODE in (claim["metadata"].get("annotations") or {}):
        return claim
    prefix, name = f"binding {claim['metadata']['namespace']}/", claim["metadata"]["name"]
    for what, state in api.etcd.disk("scheduler").items():
        if what.startswith(prefix) and state["claims"].get(name, "") is None:
            return replaced(claim, state["node"], "metadata", "annotations", SELECTED_NODE)
    return claim


def _unusable(claim, name, info):
    if claim is None:
        prefix, volumes = info.pod["metadata"]["name"] + "-", info.pod["spec"].get("volumes") or ()
        ephemeral = any("ephemeral" in volume and name == prefix + volume["name"] for volume in volumes)
        return Rejection(NAME, (f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"' if ephemeral
                                else f'persistentvolumeclaim "{name}" not found',))
    if at(claim, "status", "phase") == "Lost":
        return Rejection(NAME, (f'persistentvolumeclaim "{name}" bound to non-existent persistentvolume "{claim["spec"].get("volumeName", "")}"',))
    if is_deleting(claim):
        return Rejection(NAME, (f'persistentvolumeclaim "{name}" is being deleted',))
    return None


def is_bound(claim):
    """Whether the claim and its volume know each other for good."""
    return bool(claim["spec"].get("volumeName")) and BIND_COMPLETED in (claim["metadata"].get("annotations") or {})


def is_delayed(claim, api):
    """Whether the claim's class waits for the first consumer."""
    found = class_of(claim, api)
    return found is not None and found.get("volumeBindingMode") == "WaitForFirstConsumer"


def class_of(claim, api):
    """The claim's StorageClass, or None."""
    name = claim["spec"].get("storageClassName")
    return api.get("storageclasses.storage.k8s.io", "", name) if name else None


def capacity_of(volume):
    """Bytes of a PersistentVolume."""
    return value(str(volume["spec"]["capacity"]["storage"])), volume["metadata"]["name"]


def filter(state, info, node, view):
    """Bound volumes must be reachable from the node; the others must be there for the taking, or to be made."""
    if any(volume is None for volume in state.bound):
        return VANISHED
    if not all(_reachable(volume, node) for volume in state.bound):
        return ELSEWHERE
    return NONE_FITS if state.waiting and decide(state, node, view.api) is None else None


def _reachable(volume, node):
    required = at(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms")
    return required is None or match_node_selector_terms(required, node.node)


def decide(state, node, api):
    """{claim name: PersistentVolume, or None if one is to be made} for the waiting claims on a node; None if it cannot be done."""
    chosen, taken = {}, set()
    for claim in sorted(state.waiting, key=lambda claim: (value(str(_wanted(claim))), claim["metadata"]["name"])):
        given = (claim["metadata"].get("annotations") or {}).get(SELECTED_NODE)
        if given not in (None, node.name):
            return None
        found = None if given else next((volume for volume in state.available if volume["metadata"]["name"] not in taken and _fits(volume, claim, node)), None)
        if found is None and not _can_be_made(claim, node, api):
            return None
        if found is not None:
            taken.add(found["metadata"]["name"])
        chosen[claim["metadata"]["name"]] = found
    return chosen


def _wanted(claim):
    return claim["spec"]["resources"]["requests"]["storage"]


def _fits(volume, claim, node):
    spec, wanted = volume["spec"], claim["spec"]
    reserved = spec.get("claimRef")
    if reserved and (reserved.get("namespace"), reserved.get("name")) != (claim["metadata"]["namespace"], claim["metadata"]["name"]):
        return False
    return (not is_deleting(volume) and (bool(reserved) or at(volume, "status", "phase") == "Available")
            and (spec.get("storageClassName") or "") == (wanted.get("storageClassName") or "")
            and (spec.get("volumeMode") or "Filesystem") == (wanted.get("volumeMode") or "Filesystem")
            and set(wanted["accessModes"]) <= set(spec["accessModes"]) and capacity_of(volume)[0] >= value(str(_wanted(claim)))
            and (wanted.get("selector") is None or matches(wanted["selector"], volume["metadata"].get("labels"))) and _reachable(volume, node))


def _can_be_made(claim, node, api):
    found = class_of(claim, api)
    if found is None or found["provisioner"] == NO_PROVISIONER or wanted_by_name(claim):
        return False
    topologies = found.get("allowedTopologies")
    return not topologies or any(all(node.labels.get(one["key"]) in one["values"] for one in term.get("matchLabelExpressions") or ()) for term in topologies)


def wanted_by_name(claim):
    """Whether the claim asks for one volume by name, which nobody will make."""
    return bool(claim["spec"].get("volumeName"))


def claimed(info, old, new, api):
    """Hint: one of the Pod's claims appeared or changed."""
    return new["metadata"]["namespace"] == info.namespace and new["metadata"]["name"] in info.claims
