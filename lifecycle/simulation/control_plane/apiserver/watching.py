"""Watches, without state: the frames between a revision and now (apiserver/pkg/storage/cacher, watch_cache.go)."""
from ..etcd import Compacted
from . import conversion, event_ttl, listing
from .authorization import authorize
from .call import Call
from .errors import Refused, expired

INITIAL_EVENTS_END = {"k8s.io/initial-events-end": "true"}


def frames(server, request, since):
    """[{"type": "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR", "object"}] for the request's resource, namespace, name and selectors.

    `since` is the revision after which to begin: `server.etcd.revision` at the last call. None opens the watch as the query says: with resourceVersion
    unset or "0", or with sendInitialEvents, what exists comes first as ADDED. A revision that was compacted gives one ERROR frame.
    """
    call = Call(server, request)
    try:
        authorize(call)
        chosen = _selection(call)
        if since is None:
            return _opening(call, chosen)
        return _changes(call, chosen, since)
    except Refused as refusal:
        return [{"type": "ERROR", "object": refusal.status}]


def _selection(call):
    """object -> bool; a watch on one name is a selection too."""
    chosen, name = listing.selection(call), call.name
    if not name:
        return chosen or (lambda thing: True)
    return lambda thing: thing["metadata"]["name"] == name and (not chosen or chosen(thing))


def _opening(call, chosen):
    options = call.request.options
    version = options.get("resourceVersion") or ""
    initial = str(options.get("sendInitialEvents", "")).lower() in ("1", "true")
    if version not in ("", "0") and not initial:
        return _changes(call, chosen, listing.number(version))
    stored = event_ttl.served(call, call.etcd.range(call.resource.prefix(call.namespace or None)))
    found = [_frame(call, "ADDED", thing) for thing in stored if chosen(thing)]
    if initial:
        metadata = {"resourceVersion": str(call.etcd.revision), "annotations": INITIAL_EVENTS_END}
        found.append({"type": "BOOKMARK", "object": bookmark(call.resource, metadata)})
    return found


def bookmark(resource, metadata):
    """The object of a BOOKMARK frame."""
    return {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata}


def _changes(call, chosen, since):
    prefix = call.resource.prefix(call.namespace or None) + "/"
    try:
        changes = call.etcd.since(since, prefix)
    except Compacted as error:
        raise expired(str(error)) from None
    return [frame for change in changes if (frame := _seen(call, chosen, change))]


def _seen(call, chosen, change):
    """A change as someone with this selection sees it: what stops matching is deleted for him, what begins to match is added."""
    before = change.previous is not None and chosen(change.previous)
    after = change.type != "DELETED" and chosen(change.object)
    if after:
        return _frame(call, "MODIFIED" if before else "ADDED", change.object)
    if before:
        return _frame(call, "DELETED", change.object if change.type == "DELETED" else _last_seen(change))
    return None


def _last_seen(change):
    """What was selected last, at the revision at which that ended."""
    previous = change.previous
    return {**previous, "metadata": {**previous["metadata"], "resourceVersion": str(change.revision)}}


def _frame(call, type, thing):
    return {"type": type, "object": conversion.to_served(call.resource, thing)}
