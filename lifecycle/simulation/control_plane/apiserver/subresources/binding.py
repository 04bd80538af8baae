"""POST pods/binding: the one way in which a Pod comes to a node (pkg/registry/core/pod/storage/storage.go)."""
from ....objects import set_condition
from .. import bodies
from ..errors import Refused, conflict, invalid, not_found, success
from ..validation import validate_create


def bind(call):
    """spec.nodeName and PodScheduled=True in one write."""
    body = call.request.body if call.request.trusted else bodies.decoded(call, call.request.body)
    errors = () if call.request.trusted else validate_create("pods/binding", body)
    if errors:
        raise invalid(call.resource, call.name, errors)
    pod = call.etcd.get(call.key)
    if pod is None:
        raise not_found(call.resource, call.name)
    _check(call, pod, body["metadata"])
    status = {key: value for key, value in pod["status"].items() if key != "nominatedNodeName"}
    status["conditions"] = set_condition(status.get("conditions"), _scheduled(call, status))
    call.tell(call.key)
    call.put(call.key, {**pod, "metadata": _metadata(pod, body["metadata"]), "spec": {**pod["spec"], "nodeName": body["target"]["name"]}, "status": status})
    return 201, success(code=201)


def _check(call, pod, meta):
    """409 if the Pod cannot be placed, or is not the one that was meant."""
    why, before = None, pod["metadata"]
    if meta.get("uid") and meta["uid"] != before["uid"]:
        why = f"Precondition failed: UID in precondition: {meta['uid']}, UID in object meta: {before['uid']}"
    elif "deletionTimestamp" in before:
        why = f"pod {call.name} is being deleted, cannot be assigned to a host"
    elif pod["spec"].get("nodeName"):
        why = f"pod {call.name} is already assigned to node \"{pod['spec']['nodeName']}\""
    elif pod["spec"].get("schedulingGates"):
        why = f"pod {call.name} has non-empty .spec.schedulingGates"
    if why:
        raise Refused(409, f'Operation cannot be fulfilled on pods/binding "{call.name}": {why}', "Conflict", {"name": call.name, "kind": "pods/binding"})
    if meta.get("resourceVersion") and meta["resourceVersion"] != before["resourceVersion"]:
        raise conflict(call.resource, call.name)


def _metadata(pod, meta):
    """Labels and annotations of the Binding go to the Pod."""
    before = pod["metadata"]
    added = {key: {**(before.get(key) or {}), **meta[key]} for key in ("labels", "annotations") if meta.get(key)}
    return {**before, **added} if added else before


def _scheduled(call, status):
    return {"type": "PodScheduled", "status": "True", "lastProbeTime": None, "lastTransitionTime": call.clock.timestamp()}
