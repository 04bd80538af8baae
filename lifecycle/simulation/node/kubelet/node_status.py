"""Heartbeats and the Node's status. A healthy node's heartbeats are not followed one by one: what matters is when they stop, and when they come again.

Sources: pkg/kubelet/nodelease, pkg/kubelet/nodestatus; a Lease is renewed every 10 s.
"""
from contextlib import suppress

from ... import broken
from ...client import Client
from ...objects import condition, replaced
from ...timings import API_CALL
from ..disk import POWER, is_away
from ..registration import LEASE_NAMESPACE
from . import reboot, signals
from .part import KubeletPart

STATUS_DELAY = 500          # ms from a look of the eviction manager to the next of the loop that writes the status; both come every 10 s
EVENTS = {("MemoryPressure", "False"): "NodeHasSufficientMemory", ("MemoryPressure", "True"): "NodeHasInsufficientMemory",
          ("DiskPressure", "False"): "NodeHasNoDiskPressure", ("DiskPressure", "True"): "NodeHasDiskPressure",
          ("PIDPressure", "False"): "NodeHasSufficientPID", ("PIDPressure", "True"): "NodeHasInsufficientPID",
          ("Ready", "True"): "NodeReady", ("Ready", "False"): "NodeNotReady"}
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
        before = broken.silences(self.etcd, ()).get(node)
        power = {"down_since": self.clock.now, "last_renewal": broken.last_renewal(self.clock.now) if before is None else before}
        self.etcd.write(POWER, node, power)
        if before is None:
            self._last_words(node, power["last_renewal"])

    def cut_off(self, node):
        """The node's words do not reach the API server any more."""
        before = broken.silences(self.etcd, ()).get(node)
        renewed = broken.last_renewal(self.clock.now) if before is None else before
        if before is None:
            self._last_words(node, renewed)
        broken.write(self.etcd, f"partition {node}", {"since": self.clock.now, "last_renewal": renewed})

    def _last_words(self, node, renewed):
        """The Lease tells when (ms) the node's last heartbeat was, if it can be written."""
        with suppress(broken.Unavailable):
            self._renew(node, renewed)

    def rejoin(self, node):
        """They do again."""
        broken.write(self.etcd, f"partition {node}", None)
        self.again(node)

    def resync(self):
        return [node["metadata"]["name"] for node in self.api.list("nodes")]

    def up(self, node):
        """The node is reachable again, or its machine has started."""
        power = self.etcd.read(POWER, node)
        off_since = power.get("off_since", power.get("halted"))
        self.etcd.write(POWER, node, None)
        if off_since is not None:
            reboot.recover(self.kubelet, node, off_since)
            self.write(f"started {node}", self.clock.now)
        self.again(node)

    def look(self, node):
        """A condition of the node has changed: it is written the next time that its status is computed."""
        self.again(node, STATUS_DELAY)

    def halted(self, node):
        """The machine of a silent node is off until somebody switches it on."""
        self.etcd.write(POWER, node, {"halted": self.clock.now, **self.etcd.read(POWER, node)})

    def boot(self, node):
        """The machine of a silent node starts anew."""
        self.etcd.write(POWER, node, {"off_since": self.clock.now, **self.etcd.read(POWER, node)})
        self.again(node, reboot.BOOT)

    def _renew(self, node, at):
        lease = self.api.get(LEASES, LEASE_NAMESPACE, node)
        if lease:
            self._client(node).update(LEASES, replaced(lease, self.clock.microtime(at + broken.skew(self.etcd, node)), "spec", "renewTime"))

    def reconcile(self, name):
        """Report the Node's true conditions if the API server has others, before anything is said about its Pods; then renew the Lease."""
        node, power = self.api.get("nodes", "", name), self.etcd.read(POWER, name)
        if power and "off_since" in power:
            left = power["off_since"] + reboot.BOOT - self.clock.now
            return left if left > 0 else self.kubelet.power(name, True)
        if node is None or is_away(self.etcd, name):
            return None
        if self._tell_start(name, node):
            return API_CALL
        changed = [self._condition(node, *row) for row in signals.rows(self.etcd, name) if condition(node, row[0])["status"] != row[1]]
        if changed:
            self._client(name).patch("nodes", "", name, {"status": {"conditions": changed}}, "status")
            for new in changed:
                said = EVENTS[new["type"], new["status"]]
                self.event(node, "Normal", said, f"Node {name} status is now: {said}", {"component": "kubelet", "host": name})
            return 20 if any(new["type"] == "Ready" for new in changed) else None
        self._renew(name, self.clock.now)
        return None

    def _tell_start(self, name, node):
        """The kubelet of a machine that has started says so; the new start has a new id. Returns whether there was something to say."""
        started = self.read(f"started {name}")
        if started is None:
            return False
        boot = reboot.boot_id(name, started)
        self.write(f"started {name}", None)
        self._client(name).patch("nodes", "", name, {"status": {"nodeInfo": {"bootID": boot}}}, "status")
        for kind, reason, message in reboot.events(name, boot):
            self.event(node, kind, reason, message, {"component": "kubelet", "host": name})
        return True

    def _condition(self, node, kind, status, reason, message):
        stamp = self.clock.timestamp(self.clock.now + broken.skew(self.etcd, node["metadata"]["name"]))
        return {"type": kind, "status": status, "lastHeartbeatTime": stamp, "lastTransitionTime": stamp, "reason": reason, "message": message}
