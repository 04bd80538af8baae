"""Nodes that fall silent, or say that they are not ready (pkg/controller/nodelifecycle/node_lifecycle_controller.go).

The real controller looks at every node each five seconds. Here it is woken only for the rounds in which it would do something.
"""
from math import inf

from lifecycle.simulation.broken import POWER, silences
from lifecycle.simulation.component import Component
from lifecycle.simulation.objects import condition, is_ready, name_of, replaced, set_condition, split_key
from lifecycle.simulation.timings import API_CALL, SECOND

from .node_taints import CONDITION_TAINTS, NO_EXECUTE, NOT_READY, UNREACHABLE, added, patch_of, taint, wanted, without
from .node_zones import interval_of, zone_of

PERIOD, GRACE = 5 * SECOND, 50 * SECOND         # --node-monitor-period, --node-monitor-grace-period
EVICTION_PASS = SECOND // 10                    # how often it is looked whether a node may get its NoExecute taint
WATCHED = ("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")
STOPPED = ("NodeStatusUnknown", "Kubelet stopped posting node status.")
NEVER = ("NodeStatusNeverUpdated", "Kubelet never posted node status.")


class NodeLifecycle(Component):
    """Work keys: "monitor" (a round over all nodes), "taints NODE" (taints that follow conditions), "evict ZONE" (NoExecute taints, as fast as the zone
    allows), "pods NODE" and "pod KEY" (Pods that are not ready any more because their node is not), "registered NODE", "removed NODE UID"."""

    name = "node-lifecycle"
    user = "system:serviceaccount:kube-system:node-controller"
    event_source = {"component": "node-controller"}

    def watched(self):
        return {"nodes": self._node_changed, "pods": self._pod_changed, "leases.coordination.k8s.io": self._renewed}

    def resync(self):
        yield "monitor"
        for node in self.api.list("nodes"):
            yield f"taints {node['metadata']['name']}"

    def _node_changed(self, change):
        name, old, new = change.object["metadata"]["name"], change.previous, change.object
        if change.type == "DELETED":
            self.again(f"removed {name} {new['metadata']['uid']}", self._next_round())
            self.again("monitor", self._next_round())          # the nodes that are left may all be lost
            return ()
        if old is None:
            self.again(f"registered {name}", self._next_round())
        if old is None or _readiness(old) != _readiness(new):
            self.again("monitor", self._next_round())
        same = old is not None and old["spec"] is new["spec"] and old.get("status") is new.get("status")
        return () if same or wanted(new) == _current(new) else (f"taints {name}",)

    def _pod_changed(self, change):
        """A Pod that says it is ready, on a node that is not."""
        pod = change.object
        if change.type == "DELETED" or not is_ready(pod) or (change.previous is not None and is_ready(change.previous)):
            return ()
        node = self.api.get("nodes", "", pod["spec"].get("nodeName", ""))
        return () if node is None or _readiness(node) == "True" else (f"pod {name_of(pod)}",)

    def _renewed(self, change):
        """The last renewal before a silence."""
        if self.etcd.disk(POWER):
            self.expect_silence()
        return ()

    def expect_silence(self):
        """A node has just failed: look again in the round in which its silence is too long."""
        rounds = self._rounds()
        if rounds:
            self.again("monitor", max(min(rounds.values()) - self.clock.now, 0))

    def _next_round(self):
        return PERIOD - self.clock.now % PERIOD

    def _silences(self):
        """{node: ms of its last heartbeat} of those that are silent."""
        return silences(self.etcd, [node["metadata"]["name"] for node in self.api.list("nodes")])

    def _rounds(self):
        """{node: ms of the round in which its last heartbeat is too old}; that one was seen in the first round after it."""
        return {node: -(-renewed // PERIOD) * PERIOD + GRACE for node, renewed in self._silences().items()}

    # -- work --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        kind, _, name = key.partition(" ")
        return {"monitor": self._monitor, "taints": self._taint_by_conditions, "evict": self._evict, "pods": self._mark_pods, "pod": self._mark_pod,
                "registered": self._registered, "removed": self._removed}[kind](name)

    def _registered(self, name):
        node = self.api.get("nodes", "", name)
        if node is not None:
            self.event(node, "Normal", "RegisteredNode", f"Node {name} event: Registered Node {name} in Controller")

    def _removed(self, name):
        node, _, uid = name.partition(" ")
        about = {"kind": "Node", "apiVersion": "v1", "metadata": {"name": node, "uid": uid}}
        self.event(about, "Normal", "RemovingNode", f"Node {node} event: Removing Node {node} from Controller")

    def _monitor(self, _):
        """One round, one write at a time: silent nodes become Unknown, nodes that are not ready get in line for their NoExecute taint, others lose it."""
        nodes, rounds = self.api.list("nodes"), self._rounds()
        for node in nodes:
            if _readiness(node) != "Unknown" and self.clock.now >= rounds.get(node["metadata"]["name"], inf):
                return self._silent(node)
        hopeless = all(_readiness(node) != "True" for node in nodes)
        for node in nodes:
            evicting, ready = _evicting(node), _readiness(node)
            if evicting and (ready == "True" or hopeless or evicting[0] != _key_for(ready)):
                return self._stop_evicting(node, evicting[0])
            if not evicting and ready != "True" and not hopeless:
                self._line_up(node)
        later = [at for at in rounds.values() if at > self.clock.now]
        return min(later) - self.clock.now if later else None

    def _silent(self, node):
        """PUT the conditions that nobody vouches for any more."""
        name, now = node["metadata"]["name"], self.clock.timestamp()
        was_ready = _readiness(node) == "True"
        conditions = node["status"].get("conditions") or []
        for kind in WATCHED:
            conditions = set_condition(conditions, _unknown(condition(node, kind), kind, node, now))
        self.say("controller-manager", "NodeSilent", None, f"/registry/minions/{name}", {
            "node": name, "last_renewal": self._silences()[name], "grace": GRACE})
        self.api.about(node=name).update_status("nodes", replaced(node, conditions, "status", "conditions"))
        if was_ready:
            self.event(node, "Normal", "NodeNotReady", f"Node {name} status is now: NodeNotReady")
            self.again(f"pods {name}", 2 * API_CALL)
        return API_CALL

    # -- taints ------------------------------------------------------------------------------------------------------------
    def _taint_by_conditions(self, name):
        """Bring the NoSchedule taints in line with the conditions and `spec.unschedulable`."""
        node = self.api.get("nodes", "", name)
        if node is None:
            return None
        want, have = wanted(node), _current(node)
        missing = [key for key in want if key not in have]
        surplus = [key for key in have if key not in want]
        if missing:
            new = [taint(key, "NoSchedule", self.clock.timestamp()) for key in missing]
            self._patch(node, added(node["spec"].get("taints"), new))
        elif surplus:
            self._patch(node, without(node["spec"].get("taints"), [(key, "NoSchedule") for key in surplus]))
        return API_CALL if missing and surplus else None

    def _patch(self, node, taints):
        return self.api.about(node=node["metadata"]["name"]).patch("nodes", "", node["metadata"]["name"], patch_of(node, taints))

    def _line_up(self, node):
        """Queue a node for its NoExecute taint."""
        zone, name = zone_of(node), node["metadata"]["name"]
        line = self.read(f"line {zone}", [])
        if name not in line:
            self.write(f"line {zone}", [*line, name])
        self.again(f"evict {zone}", EVICTION_PASS)

    def _evict(self, zone):
        """Put the NoExecute taint on the next node in line, if the zone's rate allows one now."""
        line = [name for name in self.read(f"line {zone}", []) if self._should_evict(name)]
        self.write(f"line {zone}", line or None)
        interval = interval_of(zone, self.api.list("nodes"), _readiness)
        if not line or interval is None:
            return None
        wait = self.read(f"next {zone}", 0) - self.clock.now
        if wait > 0:
            return -(-wait // EVICTION_PASS) * EVICTION_PASS
        node = self.api.get("nodes", "", line[0])
        key = _key_for(_readiness(node))
        self.write(f"line {zone}", line[1:] or None)
        self.write(f"next {zone}", self.clock.now + interval)
        self._patch(node, added(node["spec"].get("taints"), [taint(key, NO_EXECUTE, self.clock.timestamp())]))
        return EVICTION_PASS if line[1:] else None

    def _should_evict(self, name):
        node = self.api.get("nodes", "", name)
        return node is not None and _readiness(node) != "True" and not _evicting(node)

    def _stop_evicting(self, node, key):
        self._patch(node, without(node["spec"].get("taints"), [(key, NO_EXECUTE)]))
        return API_CALL

    # -- pods --------------------------------------------------------------------------------------------------------------
    def _mark_pods(self, name):
        """The Pods of a silent node are not ready: one after another."""
        ready = [pod for pod in self.indexes.find("pods by node", name).values() if is_ready(pod)]
        if not ready or _readiness(self.api.get("nodes", "", name)) == "True":
            return None
        self._not_ready(ready[0])
        return API_CALL if len(ready) > 1 else None

    def _mark_pod(self, key):
        pod = self.api.get("pods", *split_key(key))
        node = pod and self.api.get("nodes", "", pod["spec"].get("nodeName", ""))
        if node and is_ready(pod) and _readiness(node) != "True":
            self._not_ready(pod)

    def _not_ready(self, pod):
        new = {**condition(pod, "Ready"), "status": "False", "lastTransitionTime": self.clock.timestamp()}
        body = replaced(pod, set_condition(pod["status"]["conditions"], new), "status", "conditions")
        if self.api.about(pod=pod["metadata"]["name"], node=pod["spec"]["nodeName"]).update_status("pods", body).ok:
            self.event(pod, "Warning", "NodeNotReady", "Node is not ready")


def _readiness(node):
    """The status of the Ready condition; "Unknown" if there is none or no node."""
    ready = condition(node, "Ready") if node else None
    return ready["status"] if ready else "Unknown"


def _key_for(ready):
    return NOT_READY if ready == "False" else UNREACHABLE


def _evicting(node):
    """The keys of this controller's NoExecute taints on a node."""
    return [one["key"] for one in node["spec"].get("taints") or () if one["effect"] == NO_EXECUTE and one["key"] in (NOT_READY, UNREACHABLE)]


def _current(node):
    """The keys of the NoSchedule taints that follow conditions."""
    return [one["key"] for one in node["spec"].get("taints") or () if one["effect"] == "NoSchedule" and one["key"] in CONDITION_TAINTS]


def _unknown(old, kind, node, now):
    if old is None:
        reason, message = NEVER
        return {"type": kind, "status": "Unknown", "lastHeartbeatTime": node["metadata"]["creationTimestamp"], "lastTransitionTime": now,
                "reason": reason, "message": message}
    reason, message = STOPPED
    since = old["lastTransitionTime"] if old["status"] == "Unknown" else now
    return {**old, "status": "Unknown", "lastTransitionTime": since, "reason": reason, "message": message}
