"""What the API server checks before it stores an object: v1.36's rules, pure, with its words and in its order.

Objects come decoded and with their defaults. A `kind_key` is the plural with its group ("pods", "deployments.apps"); the subresources
that have rules of their own are "pods/binding" (create), "pods/resize", "pods/ephemeralcontainers", "namespaces/finalize" and "scale" (update).
"""

from .errors import FieldError, joined
from .metadata import object_meta, object_meta_update
from .names import dns_subdomain
from .podspec import validate_pod_spec
from .rules import CREATE, STATUS, UPDATE
from .warnings import deprecation, warnings

__all__ = ["FieldError", "deprecation", "joined", "validate_create", "validate_pod_spec", "validate_status_update", "validate_update", "warnings"]


def validate_create(kind_key, obj):
    """Errors in a new object, its name already generated, in the server's order; empty if it may be stored."""
    rule = CREATE.get(kind_key)
    return list(rule(obj)) if rule else list(_unknown(obj))


def validate_update(kind_key, new, old):
    """Errors in the update of `old` to `new`, which has the resourceVersion that it is based on."""
    rule = UPDATE.get(kind_key)
    if rule:
        return list(rule(new, old))
    return [*object_meta_update(new["metadata"], old["metadata"], core=kind_key in CREATE), *validate_create(kind_key, new)]


def validate_status_update(kind_key, new, old):
    """Errors in an update of the status; what else differs was reset before."""
    rule = STATUS.get(kind_key)
    return list(rule(new, old) if rule else object_meta_update(new["metadata"], old["metadata"], core=kind_key in CREATE))


def _unknown(obj):
    """Custom resources, and kinds of which nothing but the metadata is checked."""
    return object_meta(obj["metadata"], bool(obj["metadata"].get("namespace")), dns_subdomain, core=False)
