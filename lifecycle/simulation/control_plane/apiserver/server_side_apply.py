"""Server-side apply: a configuration merged into the live object, as far as others do not own what it changes
(structured-merge-diff/merge/update.go, apimachinery/pkg/util/managedfields/internal)."""
import json
from typing import NamedTuple

from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.control_plane.apiserver import apply_schema
from lifecycle.simulation.control_plane.apiserver.apply_merge import merged, without_paths
from lifecycle.simulation.control_plane.apiserver.field_paths import difference, field_set
from lifecycle.simulation.control_plane.apiserver.field_sets import path_text, to_fields_v1
from lifecycle.simulation.control_plane.apiserver.managed_fields import decoded, tracked

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Applied(NamedTuple):
    """`object` still has to be decoded and defaulted; `fields` is the FieldsV1 dict of what the manager owns now."""

    object: dict
    fields: dict


class ApplyConflict(PatchError):
    """409: others own what the configuration changes. `conflicts` is a list of (managedFields Owner, path)."""

    def __init__(self, conflicts):
        causes = [{"reason": "FieldManagerConflict", "message": f"conflict with {_printed(owner)}", "field": path_text(path)} for owner, path in conflicts]
        super().__init__(_message(conflicts), 409, "Conflict", causes)
        self.conflicts = conflicts


def apply(live, config, type, manager, force=False, managed=(), subresource=""):
    """The Applied result of a configuration.

    `live` is the stored object or None, `managed` its managedFields list, `type` the schema's Type of the kind. Raises ApplyConflict,
    or PatchError for a configuration that does not fit the schema.
    """
    apply_schema.check(config, type)
    config = {**config, "metadata": {key: value for key, value in (config.get("metadata") or {}).items() if key != "managedFields"}}
    shares = decoded(managed)
    own = tracked(field_set(config, type), subresource)
    if live is None:
        return Applied(config, to_fields_v1(own))
    last = frozenset().union(*(share.paths for owner, share in shares.items() if _is_own(owner, manager, subresource)))
    others = {owner: share.paths for owner, share in shares.items() if not _is_own(owner, manager, subresource)}
    new = _pruned(merged(live, config, type), type, last, own.union(*others.values()))
    conflicts = [] if force else _conflicts(live, new, type, others)
    if manager == "kubectl" and conflicts:
        allowed = _last_applied_fields(live, type)
        conflicts = [(owner, path) for owner, path in conflicts if path not in allowed]
    if conflicts:
        raise ApplyConflict(conflicts)
    new = _with_last_applied(new, config) if manager == "kubectl" else new
    return Applied(live if new == live else new, to_fields_v1(own))


def _is_own(owner, manager, subresource):
    return (owner.manager, owner.operation, owner.subresource) == (manager, "Apply", subresource)


def _pruned(thing, type, last, owned):
    """Without what this manager applied before, unless somebody owns it (or something in it) now."""
    kept = {path[:length] for path in owned for length in range(1, len(path) + 1)}
    gone = last - kept
    return without_paths(thing, type, gone) if gone else thing


def _conflicts(live, new, type, others):
    changes = difference(live, new, type)
    changed = changes.added | changes.modified
    return [(owner, path) for owner in sorted(others) for path in sorted(others[owner] & changed)]


def _last_applied_fields(live, type):
    """What the annotation of client-side apply covers and nobody has changed since: kubectl may take these fields over from itself."""
    text = (live["metadata"].get("annotations") or {}).get(LAST_APPLIED)
    try:
        config = json.loads(text) if text else None
    except ValueError:
        config = None
    if not isinstance(config, dict):
        return frozenset()
    since = difference(config, live, type)
    return field_set(config, type) - since.added - since.modified - since.removed


def _with_last_applied(thing, config):
    """The annotation of client-side apply, if the object has it, follows what kubectl applies on the server."""
    annotations = thing["metadata"].get("annotations") or {}
    if LAST_APPLIED not in annotations:
        return thing
    text = json.dumps(config, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n"
    return {**thing, "metadata": {**thing["metadata"], "annotations": {**annotations, LAST_APPLIED: text}}}


def _printed(owner):
    text = json.dumps(owner.manager, ensure_ascii=False)
    if owner.subresource:
        text += f' with subresource "{owner.subresource}"'
    return f"{text} using {owner.api_version}" if owner.operation == "Update" else text


def _message(conflicts):
    if len(conflicts) == 1:
        owner, path = conflicts[0]
        return f"Apply failed with 1 conflict: conflict with {_printed(owner)}: {path_text(path)}"
    lines = []
    for owner in dict.fromkeys(owner for owner, _ in conflicts):
        lines.append(f"conflicts with {_printed(owner)}:")
        lines += [f"- {path_text(path)}" for one, path in conflicts if one == owner]
    return f"Apply failed with {len(conflicts)} conflicts: " + "\n".join(lines)
