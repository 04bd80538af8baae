"""What the API server checks before it stores an object: v1.36's rules, pure, with its words and in its order."""

from lifecycle.simulation.control_plane.apiserver.validation import names
from lifecycle.simulation.control_plane.apiserver.validation.errors import FieldError, joined
from lifecycle.simulation.control_plane.apiserver.validation.metadata import object_meta, object_meta_update

__all__ = ["FieldError", "joined", "validate_create", "validate_status_update", "validate_update", "warnings"]


def validate_create(kind_key, obj):
    """Errors in a new object, its defaults and its name already set, in the server's order; empty if it may be stored."""
    return list(object_meta(obj["metadata"], "namespace" in obj["metadata"], names.dns_subdomain))


def validate_update(kind_key, new, old):
    """Errors in an update of `old` to `new`."""
    return list(object_meta_update(new["metadata"], old["metadata"]))


def validate_status_update(kind_key, new, old):
    """Errors in an update of the status."""
    return list(object_meta_update(new["metadata"], old["metadata"]))


def warnings(kind_key, obj, old=None):
    """Texts for the Warning headers of an accepted request."""
    return []
