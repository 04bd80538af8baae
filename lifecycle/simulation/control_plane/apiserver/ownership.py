"""Who owns which field of a stored object: reckoned from the store's history whenever it is asked for."""
from ...apimachinery.schema import schema_for
from .managed_fields import managed_fields


def owned(etcd, key, type=None):
    """`metadata.managedFields` of what is stored at a key; what was compacted away is owned by nobody."""
    changes = etcd.changes_of(key)
    start = (changes[0].previous, []) if changes and changes[0].previous is not None else None
    return managed_fields([(change.object, change.manager) for change in changes], type, start)


def shown(etcd, resource, body):
    """An object, or the items of a list, with metadata.managedFields."""
    if "items" in body:
        return {**body, "items": [_one(etcd, resource, thing) for thing in body["items"]]}
    return _one(etcd, resource, body)


def _one(etcd, resource, thing):
    meta = thing["metadata"]
    found = owned(etcd, resource.key(meta.get("namespace", ""), meta["name"]), schema_for(resource.group, resource.version, resource.kind))
    return {**thing, "metadata": {**meta, "managedFields": found}} if found else thing
