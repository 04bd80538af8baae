"""ResourceQuota: the last word on whether there is room (apiserver/pkg/admission/plugin/resourcequota/controller.go).

What an object uses is added to the quota's status before the object is written, by the API server itself; the quota controller corrects it later.
"""
from ....client import Request
from ....quantities import add, parse, subtract
from ....quota_usage import REQUIRED, in_scope, usage
from ....resources import resource
from ..errors import forbidden

QUOTAS = "resourcequotas"
UPDATES = ("pods", "services", "persistentvolumeclaims")            # kinds whose updates can use more


def check(call, new, old):
    """403 if a quota of the namespace has no room; else the quotas to be charged are kept in `call.charges`."""
    quotas = call.etcd.unsorted(resource(QUOTAS).prefix(call.namespace))
    kind = call.resource.qualified
    if not quotas or old is not None and (kind not in UPDATES or call.request.subresource == "status"):
        return
    needs = _needs(kind, new, old, call.clock)
    for _, quota in sorted(quotas.items()):
        if in_scope(quota, kind, new):
            _ask(call, quota, needs, new)


def _needs(kind, new, old, clock):
    """What is asked for beyond what the object used before."""
    needs = usage(kind, new, clock)
    if old is not None:
        before = usage(kind, old, clock)
        needs = {name: subtract(amount, before.get(name, "0")) for name, amount in needs.items()}
    return needs


def _ask(call, quota, needs, new):
    name, hard = quota["metadata"]["name"], (quota.get("status") or {}).get("hard") or {}
    unknown = sorted(key for key in quota["spec"].get("hard") or {} if key in needs and key not in hard)
    if unknown:
        raise _refused(call, new, f"status unknown for quota: {name}, resources: {','.join(unknown)}")
    if call.resource.qualified == "pods":
        _check_said(call, name, hard, new)
    asked = {key: amount for key, amount in needs.items() if key in hard and parse(amount).nano}
    used = {key: add(quota["status"]["used"].get(key, "0"), amount) for key, amount in asked.items()}
    exceeded = sorted(key for key, amount in used.items() if parse(amount).nano > parse(hard[key]).nano and parse(asked[key]).nano > 0)
    if exceeded:
        raise _refused(call, new, f"exceeded quota: {name}, requested: {_listed(exceeded, asked)}, used: {_listed(exceeded, quota['status']['used'])}, "
                       f"limited: {_listed(exceeded, hard)}")
    if asked:
        call.charges.append({**quota, "status": {**quota["status"], "used": {**quota["status"]["used"], **used}}})


def _check_said(call, name, hard, pod):
    """Where compute is limited, every container has to say what it wants."""
    containers = [*pod["spec"]["containers"], *(pod["spec"].get("initContainers") or ())]
    missing = {}
    for key in sorted(set(REQUIRED) & set(hard)):
        silent = sorted(container["name"] for container in containers if not _says(container, key))
        if silent:
            missing[key] = silent
    if missing:
        said = "; ".join(f"{key} for: {','.join(silent)}" for key, silent in missing.items())
        raise _refused(call, pod, f"failed quota: {name}: must specify {said}")


def _says(container, key):
    field, _, plain = key.rpartition(".")
    return plain in ((container.get("resources") or {}).get(field or "requests") or {})


def _listed(keys, amounts):
    return ",".join(f"{key}={amounts.get(key, '0')}" for key in keys)


def _refused(call, new, why):
    return forbidden(call.resource, new["metadata"].get("name", ""), why)


def charge(call):
    """Write down what `check` found room for."""
    if call.dry_run:
        return
    for quota in call.charges:
        meta = quota["metadata"]
        call.server.handle(Request("update", resource(QUOTAS), meta["namespace"], meta["name"], "status", quota, {}, "", "apiserver", "system:apiserver",
                                   "kube-apiserver", call.request.facts, True))
