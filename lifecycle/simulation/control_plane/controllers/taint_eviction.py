"""Pods that may not stay on a node with a NoExecute taint (pkg/controller/tainteviction/taint_eviction.go)."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.conditions import condition_patch, pod_condition
from lifecycle.simulation.objects import name_of, split_key
from lifecycle.simulation.timings import API_CALL, SECOND
from lifecycle.simulation.tolerations import covering

from .node_taints import NO_EXECUTE

MESSAGE = "Taint manager: deleting due to NoExecute taint"


class TaintEviction(Component):
    """Work keys: "node NODE" (its taints changed: look at its Pods) and "NAMESPACE/NAME" of Pods.

    A Pod that is to go is remembered: {"uid", "created" (ms: from when its tolerationSeconds count), "due" (ms), "told": its condition says so}.
    """

    name = "taint-eviction"
    user = "system:serviceaccount:kube-system:node-controller"
    event_source = {"component": "taint-eviction-controller"}

    def watched(self):
        return {"nodes": self._node_changed, "pods": self._pod_changed}

    def resync(self):
        return [f"node {node['metadata']['name']}" for node in self.api.list("nodes") if no_execute(node)]

    @staticmethod
    def _node_changed(change):
        before = no_execute(change.previous) if change.previous else []
        after = [] if change.type == "DELETED" else no_execute(change.object)
        return () if before == after else (f"node {change.object['metadata']['name']}",)

    def _pod_changed(self, change):
        pod, key = change.object, name_of(change.object)
        if change.type == "DELETED":
            return (key,) if self.read(key) else ()
        old = change.previous
        same = old is not None and (old["spec"] is pod["spec"] or (
            old["spec"].get("nodeName") == pod["spec"].get("nodeName") and old["spec"].get("tolerations") == pod["spec"].get("tolerations")))
        if same or not pod["spec"].get("nodeName"):
            return ()
        node = self.api.get("nodes", "", pod["spec"]["nodeName"])
        return (key,) if node is not None and no_execute(node) else ()

    def reconcile(self, key):
        kind, _, node = key.partition(" ")
        return self._look_at(node) if kind == "node" else self._pod(key)

    def _look_at(self, name):
        """Every Pod of the node has its own work."""
        pods = self.indexes.find("pods by node", name)
        node = self.api.get("nodes", "", name)
        if pods and node is not None and no_execute(node):
            self.say("controller-manager", "FindPodsToEvict", None, f"/registry/minions/{name}", {"node": name, "pods": len(pods)})
        for pod in pods.values():
            self.again(name_of(pod))

    def _pod(self, key):
        pod, planned = self.api.get("pods", *split_key(key)), self.read(key)
        if planned and (pod is None or pod["metadata"]["uid"] != planned["uid"]):
            return self._cancel(key, planned, pod)
        if pod is None or "deletionTimestamp" in pod["metadata"] or not pod["spec"].get("nodeName"):
            return None
        node = self.api.get("nodes", "", pod["spec"]["nodeName"])
        stay = how_long(pod["spec"].get("tolerations") or (), no_execute(node) if node else [])
        if stay is None:
            return self._cancel(key, planned, pod) if planned else None
        created = planned["created"] if planned else self.clock.now
        due = created + stay
        if due > self.clock.now:
            return self._plan(key, pod, planned, created, due)
        return self._evict(key, pod, planned, {"uid": pod["metadata"]["uid"], "created": created, "due": due, "told": True})

    def _plan(self, key, pod, planned, created, due):
        plan = {"uid": pod["metadata"]["uid"], "created": created, "due": due}
        if plan != planned:
            self.write(key, plan)
            self.say("controller-manager", "PlanEviction", None, f"/registry/pods/{key}", {
                "pod": pod["metadata"]["name"], "node": pod["spec"]["nodeName"], "due": due})
        return due - self.clock.now

    def _evict(self, key, pod, planned, told):
        """First the condition that says why, then the deletion."""
        namespace, name = split_key(key)
        api = self.api.about(pod=name, node=pod["spec"]["nodeName"])
        if not (planned and planned.get("told")):
            self.event(pod, "Normal", "TaintManagerEviction", f"Marking for deletion Pod {key}")
            self.write(key, told)
            new = pod_condition(pod, "DisruptionTarget", "True", "DeletionByTaintManager", MESSAGE, self.clock.timestamp())
            api.patch("pods", namespace, name, {"metadata": {"uid": pod["metadata"]["uid"]}, "status": condition_patch(pod, new)}, "status")
            return API_CALL
        self.write(key, None)
        api.delete("pods", namespace, name)
        return None

    def _cancel(self, key, planned, pod):
        """The Pod may stay, or went by itself."""
        self.write(key, None)
        if not planned.get("told"):
            namespace, name = split_key(key)
            about = pod or {"kind": "Pod", "apiVersion": "v1", "metadata": {"namespace": namespace, "name": name, "uid": planned["uid"]}}
            self.event(about, "Normal", "TaintManagerEviction", f"Cancelling deletion of Pod {key}")


def no_execute(node):
    """The NoExecute taints of a node, without their times."""
    return [(one["key"], one.get("value") or "") for one in node["spec"].get("taints") or () if one["effect"] == NO_EXECUTE]


def how_long(tolerations, taints):
    """Virtual ms that a Pod may stay beside NoExecute taints; 0 if one of them is not tolerated, None for ever."""
    times = []
    for key, value in taints:
        found = covering(tolerations, {"key": key, "value": value, "effect": NO_EXECUTE})
        if found is None:
            return 0
        if found.get("tolerationSeconds") is not None:
            times.append(max(found["tolerationSeconds"], 0) * SECOND)
    return min(times) if times else None
