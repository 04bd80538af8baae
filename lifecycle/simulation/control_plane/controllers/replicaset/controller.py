"""The ReplicaSet controller's loop: claim Pods, create or delete what is missing or too many, write the status."""
from ....component import Component
from ....objects import controller_of, is_deleting, name_of, owner_reference, split_key
from ....pod_standing import ACTIVE, labels_key, standing
from ....resources import resource
from ....selectors import matches
from ....timings import API_CALL, MINUTE
from ..adoption import adoptable, adoption, concerns, release, would_adopt
from ..retries import is_hopeless, retry_after
from .status import count_pods, new_status, next_available
from .victims import victims

BURST = 500                    # Pods created or deleted in one sync
BETWEEN = 1                    # ms between two requests that are sent at the same time
QUIET = 5 * MINUTE             # without a new try after a Pod was not created for good: the expectation of it runs out only then
ANSWER = API_CALL - BETWEEN    # ms until the last of them is answered: just before the watch tells of it


class ReplicaSet(Component):
    """A sync goes over several work items; what is left of it is kept on disk under the ReplicaSet's name:

    `counts`: the Pods as they were when it began; `create`: Pods still to create, of which `together` in the present batch of `batch`; `delete`: names still
    to delete; `stopped`: something was refused; `error`: the refusal and its reason; `failures`: syncs that failed in a row; `quiet`: until when none is begun.
    """

    name = "replicaset"
    kind, sets, decision = "ReplicaSet", "replicasets.apps", "ReconcileReplicaSet"

    def watched(self):
        return {self.sets: self._of_replica_set, "pods": self._of_pod}

    def _of_replica_set(self, change):
        manager = change.manager
        if manager is not None and manager.subresource == "status" and manager.name == self.manager:
            return ()
        return (name_of(change.object),)

    def _of_pod(self, change):
        """The owner, if the Pod counts in another way than before; whoever could adopt a Pod without one."""
        if not concerns(change, self.kind):
            return ()
        pod, before = change.object, change.previous
        now = standing(pod) if change.type != "DELETED" else ()
        if before is not None and now == standing(before) and (now or before["metadata"].get("labels") == pod["metadata"].get("labels")):
            return ()
        owners = [controller_of(each) for each in (pod, before) if each is not None]
        keys = dict.fromkeys(f"{pod['metadata']['namespace']}/{owner['name']}" for owner in owners if owner is not None and owner["kind"] == self.kind)
        keys = {key: None for key in keys if not self._is_busy(key)}
        if owners[0] is None and change.type != "DELETED":
            keys.update(dict.fromkeys(name_of(each) for each in self._would_adopt(pod)))
        return keys

    def _would_adopt(self, pod):
        return would_adopt(self.api, self.sets, pod)

    def _is_busy(self, key):
        """Whether a sync has more to send: at its end it looks at all Pods anyway, so it need not hear of each (client-go calls this expectations)."""
        sync = self.read(key)
        return sync is not None and (sync.get("create", 0) > 1 or len(sync.get("delete", ())) > 1)

    def _get(self, key):
        """The ReplicaSet of a work key, or None."""
        return self.api.get(self.sets, *split_key(key))

    def reconcile(self, key):
        replica_set = self._get(key)
        if replica_set is None:
            self.write(key, None)
            return None
        sync = self.read(key) or {}
        if sync.get("create"):
            return self._create(key, replica_set, sync)
        if sync.get("delete"):
            return self._delete(key, replica_set, sync)
        if "counts" in sync:
            return self._finish(key, replica_set, sync)
        return self._begin(key, replica_set, sync)

    def _begin(self, key, replica_set, sync):
        """Claim one Pod, or see how many are missing."""
        if not is_deleting(replica_set) and self._claim(replica_set):
            return API_CALL
        counts = count_pods(self.indexes, replica_set, self.clock)
        missing = replica_set["spec"]["replicas"] - counts["replicas"]
        if is_deleting(replica_set) or not missing or sync.get("quiet", 0) > self.clock.now:
            return self._report(key, replica_set, counts, sync)
        self.say(self.actor, self.decision, None, resource(self.sets).key(*split_key(key)),
                 {"wanted": replica_set["spec"]["replicas"], "have": counts["replicas"], "create": max(missing, 0), "delete": max(-missing, 0)})
        sync = {**sync, "counts": counts}
        if missing > 0:
            sync = {**sync, "create": min(missing, BURST), "together": 1, "batch": 1}
        else:
            sync = {**sync, "delete": self._victims(replica_set, min(-missing, BURST))}
        self.write(key, sync)
        return self._create(key, replica_set, sync) if missing > 0 else self._delete(key, replica_set, sync)

    # -- claiming ------------------------------------------------------------------------------------------------------------
    def _claim(self, replica_set):
        """Adopt or release one Pod; whether there was one."""
        meta = replica_set["metadata"]
        pods = self.indexes.find("pods by standing", (meta["uid"], ACTIVE))
        alike = self.indexes.find("pods by standing", (meta["uid"], ACTIVE, labels_key(replica_set["spec"]["template"]["metadata"].get("labels"))))
        if len(alike) < len(pods):
            for pod in pods.values():
                if not matches(replica_set["spec"]["selector"], pod["metadata"].get("labels")):
                    self.api.patch("pods", meta["namespace"], pod["metadata"]["name"], release(pod, meta["uid"]))
                    return True
        for pod in adoptable(self.indexes, "pods without controller", replica_set):
            if pod.get("status", {}).get("phase") not in ("Succeeded", "Failed"):
                self.api.fetch(self.sets, meta["namespace"], meta["name"])
                return self.api.patch("pods", meta["namespace"], pod["metadata"]["name"], adoption(pod, replica_set)).ok
        return False

    # -- creating ------------------------------------------------------------------------------------------------------------
    def _create(self, key, replica_set, sync):
        """Create one Pod of a batch; batches double as long as nothing fails, so that a refusal is met a few times only."""
        meta = replica_set["metadata"]
        response = self.api.create("pods", meta["namespace"], self._pod(replica_set))
        sync = {**sync, "create": sync["create"] - 1, "together": sync["together"] - 1}
        if response.ok:
            self.event(replica_set, "Normal", "SuccessfulCreate", f"Created pod: {response.body['metadata']['name']}")
        else:
            sync = self._refused(replica_set, sync, response, "FailedCreate", "Error creating")
        if sync["together"]:
            self.write(key, sync)
            return BETWEEN
        batch = 0 if "stopped" in sync else min(2 * sync["batch"], sync["create"])
        self.write(key, {**sync, "create": sync["create"] if batch else 0, "batch": batch, "together": batch})
        return API_CALL if batch else ANSWER

    @staticmethod
    def _pod(replica_set):
        template, name = replica_set["spec"]["template"], replica_set["metadata"]["name"]
        given = {field: template["metadata"][field] for field in ("labels", "annotations", "finalizers") if template["metadata"].get(field)}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": f"{name}-", "namespace": replica_set["metadata"]["namespace"], **given,
                                                               "ownerReferences": [owner_reference(replica_set)]}, "spec": template["spec"]}

    def _refused(self, replica_set, sync, response, reason, words):
        """Say what the API server refused; in a namespace that is going away nothing is said and nothing repeated."""
        if is_hopeless(response):
            return {**sync, "stopped": True}
        self.event(replica_set, "Warning", reason, f"{words}: {response.body['message']}")
        return {**sync, "stopped": True, "error": sync.get("error") or {"reason": reason, "message": response.body["message"]}}

    # -- deleting ------------------------------------------------------------------------------------------------------------
    def _victims(self, replica_set, count):
        pods = list(self.indexes.find("pods by standing", (replica_set["metadata"]["uid"], ACTIVE)).values())
        owner = controller_of(replica_set)
        family = self.indexes.find("replicasets by owner", owner["uid"]).values() if owner else (replica_set,)
        related = [pod for each in family for pod in self.indexes.find("pods by standing", (each["metadata"]["uid"], ACTIVE)).values()]
        pods.sort(key=lambda pod: pod["metadata"]["name"])
        return [pod["metadata"]["name"] for pod in victims(pods, count, related, self.clock)]

    def _delete(self, key, replica_set, sync):
        name, *rest = sync["delete"]
        response = self.api.delete("pods", replica_set["metadata"]["namespace"], name)
        if response.ok:
            self.event(replica_set, "Normal", "SuccessfulDelete", f"Deleted pod: {name}")
        elif response.reason != "NotFound":
            sync = self._refused(replica_set, sync, response, "FailedDelete", "Error deleting")
        self.write(key, {**sync, "delete": rest})
        return BETWEEN if rest else ANSWER

    # -- reporting -----------------------------------------------------------------------------------------------------------
    def _finish(self, key, replica_set, sync):
        """The end of a sync that created or deleted: the status speaks of the Pods as they were before it."""
        error, failures = sync.get("error"), sync.get("failures", 0) + 1
        quiet = {"quiet": self.clock.now + QUIET} if "stopped" in sync else None
        self.write(key, {"failures": failures} if error else quiet)
        failure = error and {"type": "ReplicaFailure", "status": "True", "lastTransitionTime": self.clock.timestamp(), **error}
        self._write_status(replica_set, sync["counts"], failure)
        if error or "stopped" not in sync:
            self.again(key, retry_after(failures) if error else API_CALL)
        return None

    def _report(self, key, replica_set, counts, sync):
        if sync and sync.get("quiet", 0) <= self.clock.now:
            self.write(key, None)
        self._write_status(replica_set, counts, None)
        later = next_available(self.indexes, replica_set, self.clock)
        if later is not None:
            self.again(key, later)
        return None

    def _write_status(self, replica_set, counts, failure):
        status = self._status(replica_set, counts, failure)
        if status != replica_set.get("status"):
            self.api.update_status(self.sets, {**replica_set, "status": status})

    @staticmethod
    def _status(replica_set, counts, failure):
        return new_status(replica_set, counts, failure)
