"""What an object uses of a ResourceQuota, and which objects a quota counts: for the API server's admission and the quota controller alike.

Sources: pkg/quota/v1/evaluator/core/{pods,services,persistent_volume_claims}.go, apiserver/pkg/quota/v1/generic. Amounts are quantities' texts.
"""
from .objects import at, is_terminal
from .quantities import add, parse
from .resources import resource

COMPUTE = ("cpu", "memory", "ephemeral-storage")
REQUIRED = ("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")
COUNTED = ("configmaps", "persistentvolumeclaims", "pods", "replicationcontrollers", "resourcequotas", "secrets", "services")
CLASS = "volume.beta.kubernetes.io/storage-class"


def usage(qualified, thing, clock):
    """{quota resource: amount} of one object: "pods": "1", "requests.cpu": "100m", "count/deployments.apps": "1"."""
    used = {f"count/{qualified}": "1"}
    if qualified == "pods":
        return {**used, **_pod(thing)} if counts(thing, clock) else used
    if qualified in COUNTED:
        used[qualified] = "1"
    if qualified == "services":
        used.update(_service(thing))
    if qualified == "persistentvolumeclaims":
        used.update(_claim(thing))
    return used


def counts(pod, clock):
    """Whether a Pod still uses anything: not when it has ended, nor when it should have been gone (evaluator/core/pods.go, QuotaV1Pod)."""
    meta = pod["metadata"]
    if is_terminal(pod):
        return False
    grace = meta.get("deletionGracePeriodSeconds")
    return "deletionTimestamp" not in meta or grace is None or clock.parse(meta["deletionTimestamp"]) + grace * 1000 >= clock.now


def _pod(pod):
    used = {"pods": "1"}
    for field, amounts in (("requests", totals(pod["spec"], "requests")), ("limits", totals(pod["spec"], "limits"))):
        for name, amount in amounts.items():
            used[f"{field}.{name}"] = amount
            if field == "requests" and (name in COMPUTE or name.startswith("hugepages-")):
                used[name] = amount
    return used


def totals(spec, field):
    """A Pod's requests or limits: the sum of its containers and sidecars, or what the greediest init container needs, plus overhead."""
    total, sidecars, peak = {}, {}, {}
    for container in spec.get("containers") or ():
        total = _sum(total, at(container, "resources", field, default={}))
    for container in spec.get("initContainers") or ():
        asked = _sum(sidecars, at(container, "resources", field, default={}))
        if container.get("restartPolicy") == "Always":
            sidecars = asked
        peak = _most(peak, asked)
    total = _most(_sum(total, sidecars), peak)
    total.update(at(spec, "resources", field, default={}))
    overhead = spec.get("overhead") or {}
    return _sum(total, overhead if field == "requests" else {name: amount for name, amount in overhead.items() if name in total})


def _sum(first, second):
    return {**first, **{name: add(first[name], amount) if name in first else amount for name, amount in second.items()}}


def _most(first, second):
    return {**first, **{name: amount for name, amount in second.items() if name not in first or parse(amount).nano > parse(first[name]).nano}}


def _service(service):
    spec = service["spec"]
    ports = len([port for port in spec.get("ports") or () if port.get("nodePort") or spec.get("allocateLoadBalancerNodePorts") is not False])
    kind = spec.get("type")
    return {"services.nodeports": str(ports) if kind in ("NodePort", "LoadBalancer") else "0", "services.loadbalancers": "1" if kind == "LoadBalancer" else "0"}


def _claim(claim):
    size = at(claim, "spec", "resources", "requests", "storage", default="0")
    used = {"requests.storage": size}
    name = at(claim, "metadata", "annotations", CLASS) or at(claim, "spec", "storageClassName")
    if name:
        used[f"{name}.storageclass.storage.k8s.io/requests.storage"] = size
        used[f"{name}.storageclass.storage.k8s.io/persistentvolumeclaims"] = "1"
    return used


# -- what a quota is about -------------------------------------------------------------------------------------------------
def in_scope(quota, qualified, thing):
    """Whether the object is within every scope of the quota; a scoped quota counts Pods (and, by volume class, claims) only."""
    spec = quota["spec"]
    scopes = [{"scopeName": name, "operator": "Exists"} for name in spec.get("scopes") or ()] + list(at(spec, "scopeSelector", "matchExpressions", default=()))
    if not scopes:
        return True
    return qualified == "pods" and all(_matches(scope, thing) for scope in scopes)


def _matches(scope, pod):
    spec, name = pod["spec"], scope["scopeName"]
    if name == "PriorityClass":
        return _in_class(scope, spec.get("priorityClassName"))
    best_effort = not totals(spec, "requests") and not totals(spec, "limits")
    answers = {"Terminating": spec.get("activeDeadlineSeconds") is not None, "NotTerminating": spec.get("activeDeadlineSeconds") is None,
               "BestEffort": best_effort, "NotBestEffort": not best_effort, "CrossNamespacePodAffinity": False}
    return answers.get(name, False)


def _in_class(scope, found):
    values, operator = scope.get("values") or (), scope.get("operator")
    return {"Exists": bool(found), "DoesNotExist": not found, "In": found in values, "NotIn": found not in values}[operator]


def kinds_of(quota):
    """The qualified resources of which objects are counted by a quota's hard limits."""
    found = []
    for name in at(quota, "spec", "hard", default={}):
        kind = _kind_of(name)
        if kind and kind not in found:
            found.append(kind)
    return found


def _kind_of(name):
    if name.startswith("count/"):
        return name[len("count/"):]
    if name in COUNTED:
        return name
    if name.startswith("services."):
        return "services"
    if name == "requests.storage" or ".storageclass.storage.k8s.io/" in name:
        return "persistentvolumeclaims"
    return "pods"


def total(etcd, quota, clock):
    """{quota resource: amount} of everything in the quota's namespace, for each of its hard limits."""
    hard = quota["spec"]["hard"]
    used = dict.fromkeys(hard, "0")
    for kind in kinds_of(quota):
        for thing in _things(etcd, kind, quota["metadata"]["namespace"]):
            if in_scope(quota, kind, thing):
                for name, amount in usage(kind, thing, clock).items():
                    if name in used:
                        used[name] = add(used[name], amount)
    return used


def _things(etcd, kind, namespace):
    try:
        return etcd.range(resource(kind).prefix(namespace))
    except KeyError:
        return []                       # a kind that nobody serves
