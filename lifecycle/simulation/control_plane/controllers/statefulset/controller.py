"""The StatefulSet controller's loop: claim, keep revisions, take the next step about a Pod, write the status, forget old revisions."""
from ....component import Component
from ....objects import condition, controller_of, is_deleting, name_of, replaced, split_key
from ....resources import resource
from ....timings import API_CALL
from ..adoption import concerns, is_controlled_by, next_claim, would_adopt
from ..availability import next_available
from ..controller_revisions import REVISIONS, content_hash, new_revision, next_number, patch_of, revisions_of
from ..retries import retry_after
from ..slow_start import BETWEEN
from . import acts
from .identity import ordinal_of, revision_name
from .row import members, phase, row_of
from .status import differs, new_status

SETS = "statefulsets.apps"
HASH = "controller.kubernetes.io/hash"


class StatefulSet(Component):
    """A sync goes over several work items; each looks at the store anew. On disk under the StatefulSet's name:

    `failures`: syncs that failed in a row; `stopped`: this one did, so that only the status is left to write; `collisions`: how often the name of a new
    revision was taken.
    """

    name = "statefulset"

    def watched(self):
        return {SETS: self._of_set, "pods": self._of_pod}

    def _of_set(self, change):
        manager = change.manager
        own = manager is not None and manager.subresource == "status" and manager.name == self.manager
        return () if own else (name_of(change.object),)

    def _of_pod(self, change):
        """The owner, if the Pod stands in another way than before; whoever could adopt a Pod without one."""
        pod, before = change.object, change.previous
        if not concerns(change, "StatefulSet") or change.type == "MODIFIED" and _standing(pod) == _standing(before):
            return ()
        owners = [controller_of(each) for each in (pod, before) if each is not None]
        keys = [f"{pod['metadata']['namespace']}/{owner['name']}" for owner in owners if owner is not None and owner["kind"] == "StatefulSet"]
        if owners[0] is None and change.type != "DELETED":
            keys += [name_of(each) for each in would_adopt(self.api, SETS, pod) if ordinal_of(pod, each) >= 0]
        return dict.fromkeys(keys)

    def reconcile(self, key):
        stateful_set = self.api.get(SETS, *split_key(key))
        if stateful_set is None:
            self.write(key, None)
            return None
        if is_deleting(stateful_set):
            status = stateful_set.get("status") or {}
            self._report(stateful_set, members(self.indexes, stateful_set), status.get("currentRevision", ""), status.get("updateRevision", ""), {})
            return None
        if self._claim(stateful_set) or self._keep_revision(key, stateful_set):
            return API_CALL
        return self._sync(key, stateful_set, self.read(key) or {})

    def _claim(self, stateful_set):
        """Adopt or release one revision or one Pod; whether there was one."""
        pods = [pod for pod in self.indexes.find("pods by owner", stateful_set["metadata"]["uid"]).values() if is_controlled_by(pod, stateful_set)]
        return (next_claim(self, REVISIONS, (), SETS, stateful_set)
                or next_claim(self, "pods", pods, SETS, stateful_set, lambda pod: ordinal_of(pod, stateful_set) >= 0))

    # -- revisions -----------------------------------------------------------------------------------------------------------
    def _keep_revision(self, key, stateful_set):
        """Make a revision of a new template; one of a template that was there before gets the highest number. Whether something was written."""
        revisions, data = revisions_of(self.indexes, stateful_set), patch_of(stateful_set)
        if revisions and revisions[-1]["data"] == data:
            return False
        number = next_number(revisions)
        alike = [each for each in revisions if each["data"] == data]
        if alike:
            return self.api.update(REVISIONS, {**alike[-1], "revision": number}).ok
        left = self.read(key) or {}
        collisions = self._collisions(stateful_set, left)
        new = new_revision(stateful_set, number, content_hash(data, collisions), HASH)
        response = self.api.create(REVISIONS, new["metadata"]["namespace"], new)
        if response.reason == "AlreadyExists":
            self.write(key, {**left, "collisions": collisions + 1})
        return response.ok or response.reason == "AlreadyExists"

    @staticmethod
    def _collisions(stateful_set, left):
        return left.get("collisions", (stateful_set.get("status") or {}).get("collisionCount", 0))

    # -- Pods ------------------------------------------------------------------------------------------------------------------
    def _sync(self, key, stateful_set, left):
        """The next step about a Pod; if there is none, the status and the history."""
        revisions = revisions_of(self.indexes, stateful_set)
        if not revisions:
            return None
        known, pods = (stateful_set.get("status") or {}).get("currentRevision"), members(self.indexes, stateful_set)
        current = next((each for each in revisions if each["metadata"]["name"] == known), revisions[-1])
        row = row_of(stateful_set, current, revisions[-1], pods)
        if "stopped" not in left:
            namespace = stateful_set["metadata"]["namespace"]
            act = acts.next_act(acts.Look(row, lambda name: self.api.get("persistentvolumeclaims", namespace, name), self.clock))
            if act:
                return self._do(key, stateful_set, left, *act)
        names = current["metadata"]["name"], revisions[-1]["metadata"]["name"]
        if self._report(stateful_set, pods, *names, left) or self._truncate(stateful_set, revisions, {*names, *map(revision_name, pods)}):
            return API_CALL
        return self._rest(key, stateful_set, pods, left)

    def _do(self, key, stateful_set, left, kind, thing):
        """Do an act, and say in an Event how it went."""
        response, message = None, f"pvc {thing['metadata']['name']} is being deleted"
        if kind != "wait for claim":
            verb, _, what = kind.partition(" ")
            self.say(self.actor, "ReconcileStatefulSet", None, resource(SETS).key(*split_key(key)), {verb: thing["metadata"]["name"]})
            response = self._send(verb, "persistentvolumeclaims" if what else "pods", thing)
            message = response.body.get("message", "")
        gone = response is not None and kind == "delete" and response.reason == "NotFound"
        if gone or response is not None and response.ok:
            self._tell(stateful_set, kind, thing)
            return BETWEEN if kind == "create" else API_CALL
        if response is None or response.reason != "AlreadyExists":
            self._complain(stateful_set, kind, thing, message)
        self.write(key, {**left, "failures": left.get("failures", 0) + 1, "stopped": True})
        return API_CALL

    def _send(self, verb, kind, thing):
        if verb == "delete":
            return self.api.delete(kind, thing["metadata"]["namespace"], thing["metadata"]["name"])
        return self.api.create(kind, thing["metadata"]["namespace"], thing) if verb == "create" else self.api.update(kind, thing)

    def _tell(self, stateful_set, kind, thing):
        name, owner = thing["metadata"]["name"], stateful_set["metadata"]["name"]
        if kind == "create claim":
            place = name.rpartition("-")[2]
            self.event(stateful_set, "Normal", "SuccessfulCreate", f"Create Claim {name} Pod {owner}-{place} in StatefulSet {owner} success")
        elif " " not in kind:
            self.event(stateful_set, "Normal", f"Successful{kind.title()}", f"{kind.title()} Pod {name} in StatefulSet {owner} successful")

    def _complain(self, stateful_set, kind, thing, message):
        name, owner = thing["metadata"]["name"], stateful_set["metadata"]["name"]
        verb, _, what = kind.partition(" ")
        if what:
            pod = f"{owner}-{name.rpartition('-')[2]}"
            if verb == "create":
                self.event(stateful_set, "Warning", "FailedCreate", f"Create Claim {name} for Pod {pod} in StatefulSet {owner} failed error: {message}")
                message = f"failed to create PVC {name}: {message}"
            verb, name = "update" if verb == "update" else "create", pod
        self.event(stateful_set, "Warning", f"Failed{verb.title()}", f"{verb.title()} Pod {name} in StatefulSet {owner} failed error: {message}")

    # -- the end of a sync ---------------------------------------------------------------------------------------------------
    def _report(self, stateful_set, pods, current, update, left):
        """Write the status if it says something new; whether it did."""
        status = new_status(stateful_set, pods, current, update, self._collisions(stateful_set, left), self.clock)
        return differs(status, stateful_set.get("status")) and self.api.update_status(SETS, replaced(stateful_set, status, "status")).ok

    def _truncate(self, stateful_set, revisions, live):
        """Delete the oldest revision beyond the limit that no Pod has; whether there was one."""
        old = [each for each in revisions if each["metadata"]["name"] not in live and not is_deleting(each)]
        if len(old) <= stateful_set["spec"].get("revisionHistoryLimit", 10):
            return False
        return self.api.delete(REVISIONS, old[0]["metadata"]["namespace"], old[0]["metadata"]["name"]).ok

    def _rest(self, key, stateful_set, pods, left):
        """Nothing more to write: try again later what was refused, and look again when the next Pod becomes available."""
        if left:
            self.write(key, {"failures": left["failures"]} if "stopped" in left else None)
        later = retry_after(left["failures"]) if "stopped" in left else next_available(pods, stateful_set["spec"].get("minReadySeconds", 0), self.clock)
        if later is not None:
            self.again(key, later)


def _standing(pod):
    """What of a Pod matters to its StatefulSet."""
    ready = condition(pod, "Ready")
    return phase(pod), ready and (ready["status"], ready["lastTransitionTime"]), is_deleting(pod), pod["metadata"].get("labels"), controller_of(pod)
