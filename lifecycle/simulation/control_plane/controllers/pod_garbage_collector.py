"""Pods that nobody else will ever remove (pkg/controller/podgc/gc_controller.go)."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.conditions import condition_patch, pod_condition
from lifecycle.simulation.objects import condition, is_deleting, is_terminal
from lifecycle.simulation.timings import API_CALL, SECOND

PERIOD, QUARANTINE = 20 * SECOND, 40 * SECOND
THRESHOLD = 12_500                              # --terminated-pod-gc-threshold
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"
ORPHANED = ("DeletionByPodGC", "PodGC: node no longer exists")


class PodGarbageCollector(Component):
    """Looks every twenty seconds; here, in the rounds in which it would find something. The work key is always "".

    On its disk: {name of a missing node: ms of the round in which it was first missed}."""

    name = "pod-garbage-collector"
    user = "system:serviceaccount:kube-system:pod-garbage-collector"

    def __init__(self, cluster):
        super().__init__(cluster)
        self._ended = None                      # {store key: creation} of Pods that have ended, once there were any to count

    def watched(self):
        return {"nodes": self._node_changed, "pods": self._pod_changed}

    def resync(self):
        return [""]

    def _node_changed(self, change):
        name = change.object["metadata"]["name"]
        if self.indexes.find("pods by node", name):
            if change.type == "DELETED":
                self._missing(name)
            elif is_out_of_service(change.object):
                self._wake()
        return ()

    def _pod_changed(self, change):
        pod, old = change.object, change.previous
        self._count(change)
        node = pod["spec"].get("nodeName")
        if not node and is_deleting(pod) and change.type != "DELETED":
            self._wake()
        if not node or change.type == "DELETED" or (old is not None and node == old["spec"].get("nodeName") and is_deleting(pod) == is_deleting(old)):
            return ()
        known = self.api.get("nodes", "", node)
        if known is None:
            self._missing(node)
        elif is_deleting(pod) and is_out_of_service(known):
            self._wake()
        return ()

    def _missing(self, node):
        """A node with Pods is not there: the next round will see it, and put it into quarantine."""
        if self.read(node) is None:
            self.write(node, self._next_round())
        self._wake()

    def _count(self, change):
        if is_terminal(change.object) or self._ended:
            ended = self._all_ended()
            if change.type == "DELETED" or not is_terminal(change.object) or is_given_up(change.object):
                ended.pop(change.key, None)
            else:
                ended[change.key] = change.object["metadata"]["creationTimestamp"]
            if len(ended) > THRESHOLD:
                self._wake()

    def _all_ended(self):
        if self._ended is None:
            self._ended = {f"/registry/pods/{pod['metadata']['namespace']}/{pod['metadata']['name']}": pod["metadata"]["creationTimestamp"]
                           for pod in self.api.list("pods") if is_terminal(pod) and not is_given_up(pod)}
        return self._ended

    def _next_round(self):
        return self.clock.now + PERIOD - self.clock.now % PERIOD

    def _wake(self):
        self.again("", self._next_round() - self.clock.now)

    # -- work --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        victim = self._victim()
        if victim is not None:
            return API_CALL if self._remove(*victim).ok else self._next_round() - self.clock.now
        later = [since + QUARANTINE for since in self.etcd.disk(self.name).values() if since + QUARANTINE > self.clock.now]
        return min(later) - self.clock.now if later else None

    def _victim(self):
        """(Pod, reason and message of a condition or None) of the next Pod to remove, or None."""
        ended = self._all_ended()
        if len(ended) > THRESHOLD:
            return self.etcd.get(min(ended, key=ended.get)), None
        for node in self.api.list("nodes"):
            if is_out_of_service(node):
                for pod in self.indexes.find("pods by node", node["metadata"]["name"]).values():
                    if is_deleting(pod) and not is_given_up(pod):
                        return pod, None
        return self._orphan() or self._unscheduled()

    def _unscheduled(self):
        """The next Pod that is being deleted and never had a node: finalizers hold it, and no kubelet will say how it ended."""
        left = next((pod for pod in self.indexes.find("unscheduled terminating pods", "").values() if not is_given_up(pod)), None)
        return left and (left, None)

    def _orphan(self):
        """The next Pod of a node that has been missing for long enough."""
        for node, since in list(self.etcd.disk(self.name).items()):
            pods = self.indexes.find("pods by node", node)
            if not pods or self.api.get("nodes", "", node) is not None:
                self.write(node, None)
            elif self.clock.now >= since + QUARANTINE:
                left = next((pod for pod in pods.values() if not is_given_up(pod)), None)
                if left is not None:
                    return left, ORPHANED
        return None

    def _remove(self, pod, why):
        """Say in the status that the Pod has failed, if it has not ended; then delete it for good. Returns the Response."""
        meta, now = pod["metadata"], self.clock.timestamp()
        api = self.api.about(pod=meta["name"])
        if not is_terminal(pod):
            new = pod_condition(pod, "DisruptionTarget", "True", *why, now) if why else None
            patch = {**(condition_patch(pod, new) if new else {}), "phase": "Failed"}
            return api.patch("pods", meta["namespace"], meta["name"], {"metadata": {"uid": meta["uid"]}, "status": patch}, "status")
        return api.delete("pods", meta["namespace"], meta["name"], grace=0)


def is_given_up(pod):
    """Whether all that can be done about a Pod was done: it is Failed or Succeeded, was deleted without grace, and waits for its finalizers only."""
    return is_terminal(pod) and is_deleting(pod) and not pod["metadata"].get("deletionGracePeriodSeconds")


def is_out_of_service(node):
    """Whether an administrator has said that a node that is not ready will not come back."""
    ready = condition(node, "Ready")
    return (ready is None or ready["status"] != "True") and any(taint["key"] == OUT_OF_SERVICE for taint in node["spec"].get("taints") or ())
