"""Who owns which field of a stored object: reckoned from the store's history whenever it is asked for."""
from .managed_fields import managed_fields


def owned(etcd, key, type=None):
    """`metadata.managedFields` of what is stored at a key; what was compacted away is owned by nobody."""
    changes = etcd.changes_of(key)
    start = (changes[0].previous, []) if changes and changes[0].previous is not None else None
    return managed_fields([(change.object, change.manager) for change in changes], type, start)


def shown(etcd, resource, body, type):
    """An object, or the items of a list, with metadata.managedFields; `type` is the schema's Type of the kind."""
    if "items" in body:
        return {**body, "items": [_one(etcd, resource, thing, type) for thing in body["items"]]}
    return _one(etcd, resource, body, type)


def _one(etcd, resource, thing, type):
    meta = thing["metadata"]
    found = owned(etcd, resource.key(meta.get("namespace", ""), meta["name"]), type)
    return {**thing, "metadata": {**meta, "managedFields": found}} if found else thing
