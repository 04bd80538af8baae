"""Watches, without state: the frames between a revision and now (apiserver/pkg/storage/cacher, watch_cache.go)."""
from typing import NamedTuple

from ...resources import Resource
from ..etcd import Compacted
from . import conversion, custom, listing
from .authorization import authorize
from .call import Call
from .errors import Refused, expired
from .list_options import flag

INITIAL_EVENTS_END = {"k8s.io/initial-events-end": "true"}


class Watching(NamedTuple):
    """What a watch is about: the changes below `prefix` whose objects are `chosen`. It knows the request, but no store."""

    resource: Resource
    prefix: str
    chosen: object                  # function(stored object) -> bool
    schema: dict | None             # of a custom resource

    def frame(self, change):
        """A Change as who watches sees it, {"type", "object"}, or None: what stops matching is deleted for him, what begins to match is added."""
        before = change.previous is not None and self.chosen(change.previous)
        after = change.type != "DELETED" and self.chosen(change.object)
        if after:
            return self.told("MODIFIED" if before else "ADDED", change.object)
        if before:
            return self.told("DELETED", change.object if change.type == "DELETED" else _last_seen(change))
        return None

    def told(self, type, thing):
        return {"type": type, "object": conversion.to_served(self.resource, thing, self.schema)}

    def bookmark(self, revision, annotations=None):
        """The frame that says: you have seen everything up to a revision."""
        metadata = {"resourceVersion": str(revision), **({"annotations": annotations} if annotations else {})}
        return {"type": "BOOKMARK", "object": {"kind": self.resource.kind, "apiVersion": self.resource.api_version, "metadata": metadata}}


def frames(server, request, since):
    """[{"type": "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR", "object"}] for the request's resource, namespace, name and selectors.

    `since` is the revision after which to begin: `server.etcd.revision` at the last call. None opens the watch as the query says (`opening`).
    A refusal is one ERROR frame.
    """
    call = Call(server, request)
    try:
        authorize(call)
        return opening(call) if since is None else _changes(call, watching(call), since)
    except Refused as refusal:
        return [error(refusal)]


def watching(call):
    """The Watching of a request; a watch on one name is a selection too. Raises Refused (400)."""
    chosen, name, prefix = listing.selection(call) or _everything, call.name, call.resource.prefix(call.namespace or None) + "/"
    selected = (lambda thing: thing["metadata"]["name"] == name and chosen(thing)) if name else chosen
    return Watching(call.resource, prefix, selected, custom.schema_of(call.etcd, call.resource))


def _everything(thing):
    return True


def opening(call):
    """The frames with which a watch begins. With resourceVersion unset or "0", or with sendInitialEvents, what exists comes first as ADDED.

    Raises Refused (400) for selectors that are not understood; a revision that was compacted gives one ERROR frame.
    """
    options, watch = call.request.options, watching(call)
    version, initial = options.get("resourceVersion") or "", flag(options, "sendInitialEvents")
    if version not in ("", "0") and not initial:
        return _changes(call, watch, listing.number(version))
    if initial is False:
        return []
    found = [watch.told("ADDED", thing) for thing in listing.found(call) if watch.chosen(thing)]
    return [*found, watch.bookmark(call.etcd.revision, INITIAL_EVENTS_END)] if initial else found


def error(refusal):
    """The frame that ends a watch."""
    return {"type": "ERROR", "object": refusal.status}


def _changes(call, watch, since):
    try:
        changes = call.etcd.since(since, watch.prefix)
    except Compacted as compacted:
        return [error(expired(str(compacted)))]
    return [frame for change in changes if (frame := watch.frame(change))]


def _last_seen(change):
    """What was selected last, at the revision at which that ended."""
    previous = change.previous
    return {**previous, "metadata": {**previous["metadata"], "resourceVersion": str(change.revision)}}
