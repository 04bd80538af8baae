"""The API server's own controllers for CustomResourceDefinitions: names are accepted, then served; a deleted definition takes its objects with it
(apiextensions-apiserver/pkg/controller/{status,establish,finalizer})."""
from ....component import Component, itself
from ....objects import condition, is_deleting, removed, set_condition
from ....timings import API_CALL
from .definitions import DEFINITIONS

CLEANUP = "customresourcecleanup.apiextensions.k8s.io"
ACCEPTED = ("NamesAccepted", "True", "NoConflicts", "no conflicts found")
INSTALLING = ("Established", "False", "Installing", "the initial names have been accepted")
ESTABLISHED = ("Established", "True", "InitialNamesAccepted", "the initial names have been accepted")
CLEANING = ("Terminating", "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress")
CLEANED = ("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")


class CustomResourceDefinitions(Component):
    """Keys are names of definitions. Part of the API server's process: it speaks to its own API."""

    name = "customresourcedefinitions"
    actor = "apiserver"
    user = "system:apiserver"
    manager = "kube-apiserver"

    def watched(self):
        return {DEFINITIONS: lambda change: () if change.type == "DELETED" else itself(change)}

    def reconcile(self, key):
        definition = self.api.get(DEFINITIONS, "", key)
        if definition is None:
            return None
        if is_deleting(definition):
            return self._clean(definition)
        established = condition(definition, "Established")
        if not condition(definition, "NamesAccepted"):
            return self._write(definition, ACCEPTED, INSTALLING)
        return self._write(definition, ESTABLISHED) if established["status"] != "True" else None

    def _write(self, definition, *conditions):
        """Write the status, and come back for the rest."""
        status = {**(definition.get("status") or {}), "acceptedNames": definition["spec"]["names"]}
        for kind, value, reason, message in conditions:
            changed = {"type": kind, "status": value, "lastTransitionTime": self.clock.timestamp(), "reason": reason, "message": message}
            status["conditions"] = set_condition(status.get("conditions"), changed)
        self.api.update_status(DEFINITIONS, {**definition, "status": status})
        return API_CALL

    def _clean(self, definition):
        """Delete the objects of the kind, then let the definition go."""
        if CLEANUP not in (definition["metadata"].get("finalizers") or ()):
            return None
        terminating = condition(definition, "Terminating")
        if terminating is None or terminating["reason"] == "InstanceDeletionPending":
            return self._write(definition, CLEANING)
        left = self.etcd.range(f"/registry/{definition['spec']['group']}/{definition['spec']['names']['plural']}")
        going = next((thing for thing in left if not is_deleting(thing)), None)
        if going is not None:
            self.cluster.api.remove_instance(definition["metadata"]["name"], going)
            return API_CALL
        if left:
            return None                     # their finalizers are somebody's; the last one to go calls again
        finalizers = [name for name in definition["metadata"]["finalizers"] if name != CLEANUP]
        gone = {**definition, "metadata": {**removed(definition["metadata"], "finalizers"), **({"finalizers": finalizers} if finalizers else {})}}
        self._write(gone, CLEANED)
        return None
