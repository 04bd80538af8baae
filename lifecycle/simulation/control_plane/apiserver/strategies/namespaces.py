"""Namespaces: the finalizer in their spec (pkg/registry/core/namespace/strategy.go)."""
from ....objects import at

KUBERNETES = "kubernetes"


def creating(call, namespace):
    """A new Namespace always has the finalizer of the namespace controller."""
    finalizers = at(namespace, "spec", "finalizers", default=[])
    if KUBERNETES in finalizers:
        return namespace
    return {**namespace, "spec": {**(namespace.get("spec") or {}), "finalizers": [*finalizers, KUBERNETES]}}


def updating(call, new, old):
    """The spec changes through /finalize only."""
    return {**new, "spec": old["spec"]}
