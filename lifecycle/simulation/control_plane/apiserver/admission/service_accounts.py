"""ServiceAccount: every Pod runs as one, and finds its token in a volume (plugin/pkg/admission/serviceaccount)."""
from functools import lru_cache

from ....resources import resource
from ..errors import forbidden
from .namespaces import name_said

PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
PREFIX = "kube-api-access-"
MIRROR = "kubernetes.io/config.mirror"
SOURCES = [{"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
           {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
           {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]}}]
PROJECTED = {"sources": SOURCES, "defaultMode": 420}


def mount_token(call, pod, old):
    """The Pod with its service account and, unless it or the account says no, the volume kube-api-access-xxxxx in every container."""
    if MIRROR in (pod["metadata"].get("annotations") or ()):
        return pod
    spec = pod["spec"]
    name = spec.get("serviceAccountName") or spec.get("serviceAccount") or "default"
    account = call.stored(resource("serviceaccounts"), call.namespace, name)
    if account is None:
        raise forbidden(call.resource, name_said(pod), f'error looking up service account {call.namespace}/{name}: serviceaccount "{name}" not found')
    spec = {**spec, "serviceAccountName": name, "serviceAccount": name}
    if not spec.get("imagePullSecrets") and account.get("imagePullSecrets"):
        spec["imagePullSecrets"] = account["imagePullSecrets"]
    if _wants_token(spec, account):
        _add_volume(spec, PREFIX + call.server.random.suffix(5))
    return {**pod, "spec": spec}


def _wants_token(spec, account):
    for said in (spec.get("automountServiceAccountToken"), account.get("automountServiceAccountToken")):
        if said is not None:
            return said
    return True


def _add_volume(spec, name):
    """Mount the token in every container that has nothing there; no volume if none needs it."""
    mount, used = _mount(name), False
    for part in ("initContainers", "containers"):
        changed = [_mounted(container, mount) for container in spec.get(part) or ()]
        if any(new is not old for new, old in zip(changed, spec.get(part) or ())):
            spec[part], used = changed, True
    if used:
        spec["volumes"] = [*(spec.get("volumes") or ()), {"name": name, "projected": PROJECTED}]


@lru_cache(16)
def _mount(name):
    return {"name": name, "readOnly": True, "mountPath": PATH}


def _mounted(container, mount):
    mounts = container.get("volumeMounts")
    if not mounts:
        return {**container, "volumeMounts": [mount]}
    if any(one.get("mountPath") == PATH for one in mounts):
        return container
    return {**container, "volumeMounts": [*mounts, mount]}


def check_secrets(call, pod, old):
    """A mirror Pod may not use a service account or secrets."""
    if MIRROR in (pod["metadata"].get("annotations") or ()) and pod["spec"].get("serviceAccountName"):
        raise forbidden(call.resource, name_said(pod), "a mirror pod may not reference service accounts")
