"""Heartbeats and the Node's status. A healthy node's heartbeats are not followed one by one: what matters is when they stop, and when they come again.

Sources: pkg/kubelet/nodelease, pkg/kubelet/nodestatus; a Lease is renewed every 10 s.
"""
from ...client import Client
from ...objects import condition, replaced
from ..disk import POWER, is_down
from ..registration import LEASE_NAMESPACE
from . import reboot, signals
from .part import KubeletPart

RENEWAL = 10_000
STATUS_DELAY = 500          # ms from a look of the eviction manager to the next of the loop that writes the status; both come every 10 s
EVENTS = {("MemoryPressure", "False"): "NodeHasSufficientMemory", ("MemoryPressure", "True"): "NodeHasInsufficientMemory",
          ("DiskPressure", "False"): "NodeHasNoDiskPressure", ("DiskPressure", "True"): "NodeHasDiskPressure",
          ("PIDPressure", "False"): "NodeHasSufficientPID", ("Ready", "True"): "NodeReady"}
LEASES = "leases.coordination.k8s.io"


class NodeStatus(KubeletPart):
    """Work keys: nodes that came back, or are starting, or of which a condition has changed."""

    name = "node-status"

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
        """The node is reachable again, or its machine has started."""
        off_since = self.etcd.read(POWER, node).get("off_since")
        self.etcd.write(POWER, node, None)
        if off_since is not None:
            self._started(node, off_since)
        self.again(node)

    def look(self, node):
        """A condition of the node has changed: it is written the next time that its status is computed."""
        self.again(node, STATUS_DELAY)

    def boot(self, node):
        """The machine of a silent node starts anew."""
        self.etcd.write(POWER, node, {"off_since": self.clock.now, **self.etcd.read(POWER, node)})
        self.again(node, reboot.BOOT)

    def _renew(self, node, at):
        lease = self.api.get(LEASES, LEASE_NAMESPACE, node)
        if lease:
            self._client(node).update(LEASES, replaced(lease, self.clock.microtime(at), "spec", "renewTime"))

    def reconcile(self, name):
        """Report the Node's true conditions if the API server has others, before anything is said about its Pods; then renew the Lease."""
        node, power = self.api.get("nodes", "", name), self.etcd.read(POWER, name)
        if power and "off_since" in power:
            left = power["off_since"] + reboot.BOOT - self.clock.now
            return left if left > 0 else self.kubelet.power(name, True)
        if node is None or is_down(self.etcd, name):
            return None
        changed = [self._condition(node, *row) for row in signals.rows(self.etcd, name) if condition(node, row[0])["status"] != row[1]]
        if changed:
            self._client(name).patch("nodes", "", name, {"status": {"conditions": changed}}, "status")
            for new in changed:
                said = EVENTS[new["type"], new["status"]]
                self.event(node, "Normal", said, f"Node {name} status is now: {said}", {"component": "kubelet", "host": name})
            return 20 if any(new["type"] == "Ready" for new in changed) else None
        self._renew(name, self.clock.now)
        return None

    def _started(self, name, since):
        """A new kubelet begins with what is on the disk; the new start has a new id."""
        reboot.recover(self.kubelet, name, since)
        node, boot = self.api.get("nodes", "", name), reboot.boot_id(name, self.clock.now)
        if node:
            self._client(name).patch("nodes", "", name, {"status": {"nodeInfo": {"bootID": boot}}}, "status")
            for kind, reason, message in reboot.events(name, boot):
                self.event(node, kind, reason, message, {"component": "kubelet", "host": name})

    def _condition(self, node, kind, status, reason, message):
        stamp = self.clock.timestamp()
        return {"type": kind, "status": status, "lastHeartbeatTime": stamp, "lastTransitionTime": stamp, "reason": reason, "message": message}
