"""Claims and volumes: a default class, and finalizers that keep what is in use.

Sources: plugin/pkg/admission/storage/{storageclass/setdefault,storageobjectinuseprotection,persistentvolume/resize}, network/defaultingressclass.
"""
from ....objects import at
from ....quantities import value
from ....resources import resource
from ..errors import forbidden

DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"
BETA_CLASS = "volume.beta.kubernetes.io/storage-class"
DEFAULT_INGRESS_CLASS = "ingressclass.kubernetes.io/is-default-class"
CLAIM_FINALIZER = "kubernetes.io/pvc-protection"
VOLUME_FINALIZER = "kubernetes.io/pv-protection"


def default_class(call, claim, old):
    """A claim that names no class gets the default one, the newest if there are several."""
    if claim["spec"].get("storageClassName") is not None or BETA_CLASS in (claim["metadata"].get("annotations") or ()):
        return claim
    name = _default(call, "storageclasses.storage.k8s.io", DEFAULT_CLASS)
    return {**claim, "spec": {**claim["spec"], "storageClassName": name}} if name else claim


def default_ingress_class(call, ingress, old):
    if ingress["spec"].get("ingressClassName") is not None or "kubernetes.io/ingress.class" in (ingress["metadata"].get("annotations") or ()):
        return ingress
    name = _default(call, "ingressclasses.networking.k8s.io", DEFAULT_INGRESS_CLASS)
    return {**ingress, "spec": {**ingress["spec"], "ingressClassName": name}} if name else ingress


def _default(call, qualified, annotation):
    classes = [one for one in call.etcd.range(resource(qualified).prefix()) if at(one, "metadata", "annotations", annotation) == "true"]
    classes.sort(key=lambda one: one["metadata"]["creationTimestamp"], reverse=True)
    return classes[0]["metadata"]["name"] if classes else None


def protect_claim(call, claim, old):
    return _protected(claim, CLAIM_FINALIZER)


def protect_volume(call, volume, old):
    return _protected(volume, VOLUME_FINALIZER)


def _protected(thing, finalizer):
    finalizers = thing["metadata"].get("finalizers") or []
    return thing if finalizer in finalizers else {**thing, "metadata": {**thing["metadata"], "finalizers": [*finalizers, finalizer]}}


def check_resize(call, claim, old):
    """A claim grows only if it was provisioned by a class that allows it."""
    if value(at(claim, "spec", "resources", "requests", "storage", default="0")) <= value(at(old, "spec", "resources", "requests", "storage", default="0")):
        return
    found = call.stored(resource("storageclasses.storage.k8s.io"), "", old["spec"].get("storageClassName") or "")
    if found is None or not found.get("allowVolumeExpansion"):
        raise forbidden(call.resource, claim["metadata"]["name"],
                        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize")
