"""The DaemonSet controller's loop: claim, keep revisions, bring each node the Pod that it should have, go on with an update, write the status."""
from ....component import Component
from ....objects import is_deleting, name_of, replaced, split_key
from ....resources import resource
from ....timings import API_CALL
from ..adoption import next_claim
from ..availability import next_available
from ..controller_revisions import REVISIONS, new_revision, next_number, patch_of, revisions_of
from ..pod_template import pod_template_hash
from ..retries import is_hopeless, retry_after
from ..slow_start import ANSWER, BETWEEN, created_one, first_batch
from . import wakes
from .daemons import HASH, controlled_pods, daemon_pod, daemons_of
from .managing import backed_off, managed
from .status import new_status
from .updating import rolled
from .wakes import SETS

BURST = 250                    # Pods created or deleted in one sync


class DaemonSet(Component):
    """A sync goes over several work items; what is left of it is kept on disk under the DaemonSet's name:

    what slow_start.py keeps of the nodes to create Pods on; `delete`: names still to delete; `ending`: only the status is left to write; `error`: something was
    refused; `failures`: syncs that failed in a row; `backoff`: {"GENERATION NODE": [delay, ms of the last time]} of Pods that failed.
    """

    name = "daemonset"
    user = "system:serviceaccount:kube-system:daemon-set-controller"

    def watched(self):
        return {SETS: lambda change: wakes.of_set(self, change), "pods": lambda change: wakes.of_pod(self, change),
                "nodes": lambda change: wakes.of_node(self, change), REVISIONS: lambda change: wakes.of_revision(self, change)}

    def is_busy(self, key):
        """Whether a sync has more to send: it looks at all Pods when it is over."""
        sync = self.read(key) or {}
        return len(sync.get("create", ())) > 1 or len(sync.get("delete", ())) > 1

    # -- one sync --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        daemon_set = self.api.get(SETS, *split_key(key))
        if daemon_set is None or is_deleting(daemon_set):
            self.write(key, None)
            return None
        sync = self.read(key) or {}
        if sync.get("create"):
            return self._create(key, daemon_set, sync)
        if sync.get("delete"):
            return self._delete(key, daemon_set, sync)
        if not sync.get("ending") and (self._claim(daemon_set) or self._keep_revision(daemon_set)):
            return API_CALL
        daemons = self._daemons(daemon_set)
        if sync.get("ending"):
            return self._finish(key, daemons, sync)
        return self._begin(key, daemons, sync)

    def _daemons(self, daemon_set):
        nodes, pods = self.etcd.unsorted(resource("nodes").prefix()).values(), controlled_pods(self.indexes, daemon_set)
        return daemons_of(daemon_set, self._hash(daemon_set), nodes, pods, self.clock)

    def _hash(self, daemon_set):
        """The hash of the present template, as its revision has it."""
        data = patch_of(daemon_set)
        return next((each["metadata"]["labels"].get(HASH) for each in revisions_of(self.indexes, daemon_set)[::-1] if each["data"] == data), "")

    def _claim(self, daemon_set):
        """Adopt or release one revision or one Pod; whether there was one."""
        return (next_claim(self, REVISIONS, revisions_of(self.indexes, daemon_set), SETS, daemon_set)
                or next_claim(self, "pods", controlled_pods(self.indexes, daemon_set), SETS, daemon_set))

    def _keep_revision(self, daemon_set):
        """Make a revision of a new template; one of a template that was there before gets the highest number. Whether something was written."""
        revisions, data = revisions_of(self.indexes, daemon_set), patch_of(daemon_set)
        alike = [each for each in revisions if each["data"] == data]
        if alike:
            number = next_number([each for each in revisions if each not in alike])
            return alike[-1]["revision"] < number and self.api.update(REVISIONS, {**alike[-1], "revision": number}).ok
        collisions = (daemon_set.get("status") or {}).get("collisionCount", 0)
        new = new_revision(daemon_set, next_number(revisions), pod_template_hash(daemon_set["spec"]["template"], collisions), HASH)
        response = self.api.create(REVISIONS, new["metadata"]["namespace"], new)
        if response.reason == "AlreadyExists":
            return self.api.update_status(SETS, replaced(daemon_set, collisions + 1, "status", "collisionCount")).ok
        return response.ok

    def _begin(self, key, daemons, sync):
        """See what each node lacks or has too much; if nothing, go on with an update; if there is none, write the status."""
        backoff, waits = dict(sync.get("backoff", {})), []
        nodes, victims = managed(daemons, lambda node, pod: self._may_delete(daemons, node, pod, backoff, waits))
        if not nodes and not victims and daemons.daemon_set["spec"]["updateStrategy"]["type"] == "RollingUpdate":
            nodes, victims = rolled(daemons)
        sync = {**sync, **({"backoff": backoff} if backoff else {})}
        if not nodes and not victims:
            return self._rest(key, daemons, sync, waits)
        self.say(self.actor, "ReconcileDaemonSet", None, resource(SETS).key(*split_key(key)), {
            "nodes": daemons.wanted, "create": len(nodes), "delete": len(victims)})
        sync = {**sync, **first_batch(nodes[:BURST]), "delete": [pod["metadata"]["name"] for pod in victims[:BURST]], "ending": True}
        return self._create(key, daemons.daemon_set, sync) if nodes else self._delete(key, daemons.daemon_set, sync)

    def _may_delete(self, daemons, node, pod, backoff, waits):
        """Whether a Pod that has ended is deleted now; on a node where Pods keep failing only after a while."""
        daemon_set, phase = daemons.daemon_set, pod["status"]["phase"]
        where = f"daemon pod {name_of(pod)} on node {node}, will try to"
        if phase == "Succeeded":
            self.event(daemon_set, "Normal", "SucceededDaemonPod", f"Found succeeded {where} delete it")
            return True
        name = f"{(daemon_set.get('status') or {}).get('observedGeneration', 0)} {node}"
        now, backoff_record, wait = backed_off(backoff.get(name), self.clock.now)
        backoff[name] = backoff_record
        if now:
            self.event(daemon_set, "Warning", "FailedDaemonPod", f"Found failed {where} kill it")
        else:
            waits.append(wait)
        return now

    # -- Pods ------------------------------------------------------------------------------------------------------------------
    def _create(self, key, daemon_set, sync):
        """Create the next Pod of a batch."""
        response = self.api.create("pods", daemon_set["metadata"]["namespace"], daemon_pod(daemon_set, self._hash(daemon_set), sync["create"][0]))
        if response.ok:
            self.event(daemon_set, "Normal", "SuccessfulCreate", f"Created pod: {response.body['metadata']['name']}")
        elif not is_hopeless(response):
            self.event(daemon_set, "Warning", "FailedCreate", f"Error creating: {response.body['message']}")
            sync = {**sync, "error": True}
        sync, delay = created_one(sync, not response.ok)
        self.write(key, sync)
        return delay

    def _delete(self, key, daemon_set, sync):
        name, *rest = sync["delete"]
        response = self.api.delete("pods", daemon_set["metadata"]["namespace"], name)
        if response.ok:
            self.event(daemon_set, "Normal", "SuccessfulDelete", f"Deleted pod: {name}")
        elif response.reason != "NotFound":
            self.event(daemon_set, "Warning", "FailedDelete", f"Error deleting: {response.body['message']}")
            sync = {**sync, "error": True}
        self.write(key, {**sync, "delete": rest})
        return BETWEEN if rest else ANSWER

    # -- the end of a sync -----------------------------------------------------------------------------------------------------
    def _finish(self, key, daemons, sync):
        """Pods were created or deleted: write the status, and look again at once, or later if something was refused."""
        failures = sync.get("failures", 0) + 1 if sync.get("error") else 0
        self._keep(key, {**({"failures": failures} if failures else {}), **({"backoff": sync["backoff"]} if "backoff" in sync else {})})
        self._report(daemons)
        self.again(key, retry_after(failures) if failures else API_CALL)

    def _rest(self, key, daemons, sync, waits):
        """No Pod to create or delete: forget old revisions, write the status, look again when it may say something else."""
        self._keep(key, {"backoff": sync["backoff"]} if "backoff" in sync else {})
        if self._truncate(daemons.daemon_set):
            return API_CALL
        self._report(daemons)
        pods = [pod for pods in daemons.pods.values() for pod in pods]
        waits += [later for later in [next_available(pods, daemons.least, self.clock)] if later is not None]
        if waits:
            self.again(key, min(waits))
        return None

    def _keep(self, key, sync):
        if sync or self.read(key):
            self.write(key, sync or None)

    def _truncate(self, daemon_set):
        """Delete the oldest revision beyond the limit that no Pod has; whether there was one."""
        data, live = patch_of(daemon_set), {pod["metadata"].get("labels", {}).get(HASH) for pod in controlled_pods(self.indexes, daemon_set)}
        old = [each for each in revisions_of(self.indexes, daemon_set) if each["data"] != data and not is_deleting(each)]
        if len(old) <= daemon_set["spec"].get("revisionHistoryLimit", 10):
            return False
        gone = next((each for each in old if each["metadata"]["labels"].get(HASH) not in live), None)
        return gone is not None and self.api.delete(REVISIONS, gone["metadata"]["namespace"], gone["metadata"]["name"]).ok

    def _report(self, daemons):
        status = new_status(daemons)
        if status != daemons.daemon_set.get("status"):
            self.api.update_status(SETS, {**daemons.daemon_set, "status": status})
