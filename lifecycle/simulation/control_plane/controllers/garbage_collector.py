"""Garbage collector: what an owner leaves behind goes, or is let go (pkg/controller/garbagecollector).

It never sees a propagation policy: the API server has turned that into a finalizer of the owner, or into the owner's absence.
"""
from ...component import Component
from ...objects import is_deleting, split_key
from ...resources import resource_of_key
from ...timings import API_CALL
from .adoption import release
from .every_kind import EveryKind
from .ownership import FOREGROUND, ORPHAN, Owners, blocks, finalizers_of, is_waiting, owner_references
from .retries import retry_after

BETWEEN = 1                    # ms between two patches that are sent at the same time
UNSUPPORTED_MEDIA_TYPE = 415


class GarbageCollector(Component):
    """Work keys are store keys of objects to look at; "KEY UID" is an owner that somebody names and nobody has seen. On disk: failures in a row by key."""

    name = "garbage-collector"
    user = "system:serviceaccount:kube-system:generic-garbage-collector"
    event_source = {"component": "garbage-collector-controller"}

    def __init__(self, cluster):
        super().__init__(cluster)
        self.owners = Owners(self.etcd, cluster.api)

    # -- wakes ---------------------------------------------------------------------------------------------------------------
    def watched(self):
        return EveryKind(self._of_anything)

    def resync(self):
        return [key for key in sorted(self.etcd.created) if owner_references(self.etcd.get(key)) or is_deleting(self.etcd.get(key))]

    def _of_anything(self, change):
        """What to look at after a change; nothing unless owners, finalizers or the deletion changed."""
        meta, before = change.object["metadata"], change.previous
        if change.type == "DELETED":
            return [*sorted(self.indexes.find("dependents", meta["uid"])), *self.owners.waiting(change.object)]
        if before is None:
            return self._of_references(change) if "ownerReferences" in meta else ()
        old = before["metadata"]
        if old.get("ownerReferences") == meta.get("ownerReferences"):
            same = old.get("finalizers") == meta.get("finalizers") and ("deletionTimestamp" in old) == ("deletionTimestamp" in meta)
            return () if same else self._of_deletion(change)
        return [*self._of_deletion(change), *self._of_references(change), *self.owners.waiting(before)]

    def _of_deletion(self, change):
        """Whoever begins to wait, with its dependents."""
        if not is_deleting(change.object):
            return ()
        if ORPHAN in finalizers_of(change.object):
            return (change.key,)
        begins = is_waiting(change.object) and not is_waiting(change.previous)
        return (*sorted(self.indexes.find("dependents", change.object["metadata"]["uid"])), change.key) if begins else ()

    def _of_references(self, change):
        """Owners that are not there; the object itself if an owner waits for its dependents, or can be in no place."""
        thing = change.object
        keys = [change.key] if self.owners.waiting(thing) or self.owners.misplaced(thing) else []
        for reference in owner_references(thing):
            key = self.owners.key_of(thing, reference)
            if key is not None and self.owners.find(thing, reference) is None:
                keys.append(f"{key} {reference['uid']}")
        return keys

    # -- one object ------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        key, _, uid = key.partition(" ")
        if uid:
            return self._look_for_owner(key, uid)
        item = self.etcd.get(key)
        if item is None:
            self.write(key, None)
            return None
        if is_deleting(item):
            if ORPHAN in finalizers_of(item):
                return self._orphan(key, item)
            return self._wait_for_dependents(key, item) if FOREGROUND in finalizers_of(item) else None
        return self._collect(key, item)

    def _place(self, key):
        """(qualified resource, namespace, name) of a store key."""
        row = resource_of_key(key)
        namespace, name = split_key(key.removeprefix(f"/registry/{row.storage}/"))
        return row.qualified, namespace, name

    def _look_for_owner(self, key, uid):
        """Ask for an owner that was named; if it is not there, its dependents are next."""
        dependents = self.indexes.find("dependents", uid)
        if not dependents:
            return None
        found = self.api.fetch(*self._place(key))
        if not found.ok or found.body["metadata"]["uid"] != uid:
            for dependent in sorted(dependents):
                self._report_wrong_namespace(dependents[dependent], [one for one in owner_references(dependents[dependent]) if one["uid"] == uid])
                self.again(dependent, API_CALL)
        return None

    def _report_wrong_namespace(self, dependent, references):
        """Owners have to live in the namespace of their dependents; one that lives elsewhere counts as missing."""
        namespace = dependent["metadata"].get("namespace", "")
        for reference in references:
            if self.owners.is_elsewhere(reference["uid"], self.owners.key_of(dependent, reference)):
                named = f"{reference['apiVersion']}/{reference['kind']}, namespace: {namespace}, name: {reference['name']}, uid: {reference['uid']}"
                about = {**dependent, "metadata": {**dependent["metadata"], "resourceVersion": None}}
                self.event(about, "Warning", "OwnerRefInvalidNamespace", f'ownerRef [{named}] does not exist in namespace "{namespace}"')

    def _collect(self, key, item):
        """Delete what has no owner left, or whose owner waits; forget owners that are gone if another one is there."""
        self._report_wrong_namespace(item, self.owners.misplaced(item))
        solid, dangling, waiting = self.owners.classified(item)
        if not dangling and not waiting:
            return None
        place = self._place(key)
        self.api.fetch(*place)
        for owner in filter(None, [self.owners.key_of(item, reference) for reference in (*solid, *waiting)]):
            self.api.fetch(*self._place(owner))
        if solid:
            return self._tried(key, self._drop_owners(place, item, [reference["uid"] for reference in (*dangling, *waiting)]))
        dependents = self.indexes.find("dependents", item["metadata"]["uid"])
        if waiting and any(is_waiting(each) for each in dependents.values()) and any(blocks(item, owner["uid"]) for owner in waiting):
            return self._unblock(key, place, item)
        policy = "Foreground" if waiting and dependents else self._policy(item)
        owner = (waiting or dangling)[0]
        self._say_owner(key, owner["kind"], owner["name"], FOREGROUND if waiting else "absent", policy)
        return self._tried(key, self.api.delete(*place, policy=policy, uid=item["metadata"]["uid"], version=item["metadata"]["resourceVersion"]))

    def _say_owner(self, key, kind, name, why, policy):
        self.say(self.actor, "CheckOwner", None, key, {"owner": f"{kind} {name}", "why": why, "policy": policy})

    @staticmethod
    def _policy(item):
        """The policy that an earlier request left on the object as a finalizer."""
        finalizers = finalizers_of(item)
        return "Orphan" if ORPHAN in finalizers else "Foreground" if FOREGROUND in finalizers else "Background"

    def _drop_owners(self, place, item, uids):
        """Take owner references from an object; custom resources know no strategic merge and get the list of what is left."""
        response = self.api.patch(*place, release(item, *uids))
        if response.code != UNSUPPORTED_MEDIA_TYPE:
            return response
        left = [reference for reference in owner_references(item) if reference["uid"] not in uids]
        meta = {"resourceVersion": item["metadata"]["resourceVersion"], "ownerReferences": left or None}
        return self.api.patch(*place, {"metadata": meta}, patch_type="merge")

    def _unblock(self, key, place, item):
        """Owners that wait for each other in a circle would wait for ever: this object no longer blocks its owners."""
        references = [{"uid": reference["uid"], "blockOwnerDeletion": False} for reference in owner_references(item)]
        response = self.api.patch(*place, {"metadata": {"uid": item["metadata"]["uid"], "ownerReferences": references}})
        return API_CALL if response.ok else self._tried(key, response)

    def _wait_for_dependents(self, key, item):
        """Foreground deletion: dependents that block are deleted first; without any, the object may go."""
        uid = item["metadata"]["uid"]
        dependents = self.indexes.find("dependents", uid)
        if any(blocks(each, uid) for each in dependents.values()):
            return None
        self.say(self.actor, "CheckDependents", None, key, {"left": len(dependents), "blocking": 0})
        return self._remove_finalizer(key, item, FOREGROUND)

    def _orphan(self, key, item):
        """Take the owner from one dependent after the other, then let the object go."""
        uid = item["metadata"]["uid"]
        dependents = self.indexes.find("dependents", uid)
        if not dependents:
            self.say(self.actor, "CheckDependents", None, key, {"left": 0, "blocking": 0})
            return self._remove_finalizer(key, item, ORPHAN)
        dependent = min(dependents)
        self._say_owner(dependent, item["kind"], item["metadata"]["name"], ORPHAN, "Orphan")
        response = self._drop_owners(self._place(dependent), dependents[dependent], [uid])
        if not response.ok:
            return self._tried(key, response)
        return BETWEEN if dependents else API_CALL

    def _remove_finalizer(self, key, item, finalizer):
        place = self._place(key)
        self.api.fetch(*place)
        left = [each for each in finalizers_of(item) if each != finalizer]
        body = {"metadata": {"resourceVersion": item["metadata"]["resourceVersion"], "finalizers": left or None}}
        return self._tried(key, self.api.about(finalizer=finalizer).patch(*place, body, patch_type="merge"))

    def _tried(self, key, response):
        """None after a success; after a refusal the ms until the next try."""
        failures = 0 if response.ok or response.reason == "NotFound" else self.read(key, 0) + 1
        self.write(key, failures or None)
        return retry_after(failures) if failures else None
