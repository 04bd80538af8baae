"""Heartbeats and the Node's status. A healthy node's heartbeats are not followed one by one: what matters is when they stop, and when they come again.

Sources: pkg/kubelet/nodelease, pkg/kubelet/nodestatus; a Lease is renewed every 10 s.
"""
from ...client import Client
from ...component import Component
from ...objects import condition, replaced
from ..disk import POWER, is_down
from ..registration import HEALTHY, LEASE_NAMESPACE

RENEWAL = 10_000
EVENTS = {"MemoryPressure": "NodeHasSufficientMemory", "DiskPressure": "NodeHasNoDiskPressure", "PIDPressure": "NodeHasSufficientPID", "Ready": "NodeReady"}
LEASES = "leases.coordination.k8s.io"


class NodeStatus(Component):
    """Work keys: nodes that came back."""

    name = "node-status"
    actor = "kubelet"
    user = "system:nodes"
    manager = "kubelet"
    event_source = {"component": "kubelet"}

    def facts_for(self, node):
        return {"node": node}

    def facts_of_event(self, about):
        return {"node": about["metadata"]["name"]}

    def _client(self, node):
        return Client(self.cluster.api, self.etcd, self.actor, f"system:node:{node}", self.manager, {"node": node})

    def down(self, node):
        """The node falls silent: its last heartbeat is what the Lease tells from now on."""
        renewed = self.clock.now - self.clock.now % RENEWAL
        self._renew(node, renewed)
        self.etcd.write(POWER, node, {"down_since": self.clock.now, "last_renewal": renewed})

    def up(self, node):
        """The node is reachable again."""
        self.etcd.write(POWER, node, None)
        self.again(node)

    def _renew(self, node, at):
        lease = self.api.get(LEASES, LEASE_NAMESPACE, node)
        if lease:
            self._client(node).update(LEASES, replaced(lease, self.clock.microtime(at), "spec", "renewTime"))

    def reconcile(self, name):
        """Report the Node's true conditions if the API server has others, before anything is said about its Pods; then renew the Lease."""
        node = self.api.get("nodes", "", name)
        if node is None or is_down(self.etcd, name):
            return None
        changed = [self._condition(node, *row) for row in HEALTHY if condition(node, row[0])["status"] != row[1]]
        if changed:
            self._client(name).patch("nodes", "", name, {"status": {"conditions": changed}}, "status")
            for new in changed:
                self.event(node, "Normal", EVENTS[new["type"]], f"Node {name} status is now: {EVENTS[new['type']]}", {"component": "kubelet", "host": name})
            return 20
        self._renew(name, self.clock.now)
        return None

    def _condition(self, node, kind, status, reason, message):
        stamp = self.clock.timestamp()
        return {"type": kind, "status": status, "lastHeartbeatTime": stamp, "lastTransitionTime": stamp, "reason": reason, "message": message}
