"""NamespaceLifecycle: nothing new in a namespace that is missing or going (apiserver/pkg/admission/plugin/namespace/lifecycle)."""
from ....resources import resource
from ..errors import forbidden, not_found

IMMORTAL = ("default", "kube-system", "kube-public")


def check_namespace(call, new):
    """404 without the namespace, 403 while it is being deleted."""
    if not call.resource.namespaced:
        return
    namespace = call.stored(resource("namespaces"), "", call.namespace)
    if namespace is None:
        raise not_found(resource("namespaces"), call.namespace)
    if "deletionTimestamp" in namespace["metadata"]:
        why = f"unable to create new content in namespace {call.namespace} because it is being terminated"
        cause = {"reason": "NamespaceTerminating", "message": f"namespace {call.namespace} is being terminated", "field": "metadata.namespace"}
        raise forbidden(call.resource, name_said(new), why, [cause])


def name_said(new):
    """What a refusal before the name is generated calls the object."""
    meta = new["metadata"]
    return meta.get("name") or meta.get("generateName") or ""


def refuse_immortal(call, new, old):
    name = old["metadata"]["name"]
    if name in IMMORTAL:
        raise forbidden(call.resource, name, "this namespace may not be deleted")
