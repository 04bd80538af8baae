"""Status conditions of Pods as Kubernetes' components write them, and the patches with which they do."""
from .objects import condition


def pod_condition(pod, kind, status, reason, message, now):
    """A new condition; its transition time is that of the old one if the status has not changed (pkg/api/v1/pod UpdatePodCondition)."""
    old = condition(pod, kind)
    since = old["lastTransitionTime"] if old and old["status"] == status else now
    return {"lastProbeTime": None, "lastTransitionTime": since, "message": message, "observedGeneration": pod["metadata"].get("generation", 1),
            "reason": reason, "status": status, "type": kind}


def condition_patch(pod, new):
    """The `status` part of the strategic merge patch that makes `new` the Pod's condition of its type; {} if it is so already."""
    known = pod.get("status", {}).get("conditions") or []
    old = condition(pod, new["type"])
    changed = {field: value for field, value in new.items() if old is None or old.get(field) != value}
    if old is not None:
        changed.update({field: None for field in old if field not in new})
    if not changed:
        return {}
    order = [{"type": one["type"]} for one in known]
    if old is None:
        order.append({"type": new["type"]})
    patch = {"conditions": [{**changed, "type": new["type"]}]}
    return {"$setElementOrder/conditions": order, **patch} if known else patch
