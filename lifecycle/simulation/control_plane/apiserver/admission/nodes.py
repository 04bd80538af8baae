"""TaintNodesByCondition: a new Node takes no Pods until the node lifecycle controller has seen it ready (plugin/pkg/admission/nodetaint)."""
NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


def taint_new(call, node, old):
    spec = node.get("spec") or {}
    taints = spec.get("taints") or []
    if any(taint.get("key") == NOT_READY["key"] and taint.get("effect") == NOT_READY["effect"] for taint in taints):
        return node
    return {**node, "spec": {**spec, "taints": [*taints, NOT_READY]}}
