"""Namespace controller: empties a namespace that is being deleted, Pods first, then gives it up (pkg/controller/namespace/deletion)."""
from ...component import Component
from ...objects import condition as condition_of
from ...objects import is_deleting, name_of, replaced, set_condition
from ...resources import registry
from ...timings import API_CALL, MINUTE, SECOND
from .retries import retry_after

GRACE = 5 * SECOND             # a namespace is left alone this long after its deletion was seen, so that caches can follow
RETRY = 5 * SECOND             # between two looks while something is left
LONGEST_RETRY = MINUTE         # between two looks while something goes wrong
FINALIZER = "kubernetes"
EVENTS = ("events", "events.events.k8s.io")          # written until the end, and no reason to wait

# condition type: (reason and message when nothing is wrong, reason otherwise)
CONDITIONS = {
    "NamespaceDeletionDiscoveryFailure": ("ResourcesDiscovered", "All resources successfully discovered", "DiscoveryFailed"),
    "NamespaceDeletionGroupVersionParsingFailure": ("ParsedGroupVersions", "All legacy kube types successfully parsed", ""),
    "NamespaceDeletionContentFailure": ("ContentDeleted", "All content successfully deleted, may be waiting on finalization", ""),
    "NamespaceContentRemaining": ("ContentRemoved", "All content successfully removed", "SomeResourcesRemain"),
    "NamespaceFinalizersRemaining": ("ContentHasNoFinalizers", "All content-preserving finalizers finished", "SomeFinalizersRemain"),
}


class Namespace(Component):
    """One pass deletes one kind of content per work item.

    On disk under the namespace's name: {"done": what this pass has deleted, "at": ms before which nothing is done, "failures": passes in which
    something went wrong}; a change of the namespace is no reason to hurry.
    """

    name = "namespace"

    def watched(self):
        return {"namespaces": self._being_deleted}

    @staticmethod
    def _being_deleted(change):
        waits = change.type != "DELETED" and is_deleting(change.object) and change.object["spec"].get("finalizers")
        return (name_of(change.object),) if waits else ()

    def reconcile(self, key):
        namespace = self.api.get("namespaces", "", key)
        if namespace is None or not is_deleting(namespace) or FINALIZER not in namespace["spec"].get("finalizers", ()):
            self.write(key, None)
            return None
        state = self.read(key)
        if state is None:
            state = {"done": [], "at": self.clock.now + GRACE}
            self.write(key, state)
        if state["at"] > self.clock.now:
            return state["at"] - self.clock.now
        return self._pass(key, namespace, state["done"])

    def _pass(self, key, namespace, done):
        """The next collection of this pass, or its end. Pods go first, and everything else waits until they are gone."""
        pods_before = self._left("pods", key)
        following = [plural for plural in self._content() if plural not in done] if "pods" not in done or not pods_before else []
        if following:
            self.api.delete_collection(following[0], key)
            self.write(key, {**(self.read(key) or {}), "done": [*done, following[0]], "at": self.clock.now})
            return API_CALL
        return self._report(key, namespace)

    def _report(self, key, namespace):
        """Write what is left into the conditions; then finalize, or look again later."""
        waiting_for_pods = self._left("pods", key)
        left = {} if waiting_for_pods else {plural: things for plural in self._content() if (things := self._left(plural, key))}
        known = (namespace.get("status") or {}).get("conditions")
        conditions = known
        undiscovered = self._undiscovered()
        for condition in self._conditions(left, undiscovered):
            conditions = set_condition(conditions, self._since_before(conditions, condition))
        if conditions != known:
            self.api.update_status("namespaces", replaced(namespace, conditions, "status", "conditions"))
        if undiscovered:
            failures = (self.read(key) or {}).get("failures", 0) + 1
            wait = min(retry_after(failures), LONGEST_RETRY)
            self.write(key, {"done": [], "at": self.clock.now + wait, "failures": failures})
            return wait
        if left or waiting_for_pods:
            self.write(key, {"done": [], "at": self.clock.now + RETRY})
            return RETRY
        return API_CALL if conditions != known else self._finalize(key, namespace)

    def _finalize(self, key, namespace):
        self.write(key, None)
        kept = [each for each in namespace["spec"]["finalizers"] if each != FINALIZER]
        self.api.update("namespaces", replaced(namespace, kept, "spec", "finalizers"), "finalize")

    def _undiscovered(self):
        """The group versions of other API servers that do not answer: what they keep in the namespace cannot be known."""
        return sorted(f"{one['spec'].get('group')}/{one['spec'].get('version')}" for one in self.api.list("apiservices.apiregistration.k8s.io")
                      if one["spec"].get("service") and (condition_of(one, "Available") or {}).get("status") != "True")

    def _conditions(self, left, undiscovered):
        """The five conditions for what is left: {qualified resource: objects}."""
        finalizers = {}
        for things in left.values():
            for thing in things:
                for finalizer in thing["metadata"].get("finalizers") or ():
                    finalizers[finalizer] = finalizers.get(finalizer, 0) + 1
        resources = ", ".join(f"{plural if '.' in plural else plural + '.'} has {len(things)} resource instances" for plural, things in sorted(left.items()))
        stale = ", ".join(f"{place}: stale GroupVersion discovery: {place}" for place in undiscovered)
        holders = ", ".join(f"{name} in {count} resource instances" for name, count in sorted(finalizers.items()))
        told = {"NamespaceDeletionDiscoveryFailure": stale and f"Discovery failed for some groups, {len(undiscovered)} failing: "
                                                     f"unable to retrieve the complete list of server APIs: {stale}",
                "NamespaceContentRemaining": resources and f"Some resources are remaining: {resources}",
                "NamespaceFinalizersRemaining": holders and f"Some content in the namespace has finalizers remaining: {holders}"}
        for kind, (fine, message, wrong) in CONDITIONS.items():
            told_message = told.get(kind)
            yield {"type": kind, "status": "True" if told_message else "False", "lastTransitionTime": self.clock.timestamp(),
                   "reason": wrong if told_message else fine, "message": told_message or message}

    @staticmethod
    def _since_before(conditions, new):
        """The new condition, with the old one's transition time if its status is the same."""
        for old in conditions or ():
            if old["type"] == new["type"] and old["status"] == new["status"]:
                return {**new, "lastTransitionTime": old["lastTransitionTime"]}
        return new

    def _content(self):
        """What can lie in a namespace: Pods, then every other kind that can be deleted in bulk."""
        rows = (*registry().values(), *self.cluster.api.custom_resources())
        return list(dict.fromkeys(["pods", *(row.qualified for row in rows if row.namespaced and "deletecollection" in row.verbs)]))

    def _left(self, plural, namespace):
        return [] if plural in EVENTS else self.api.list(plural, namespace)
