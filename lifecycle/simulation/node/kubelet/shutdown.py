"""Graceful shutdown of a node: before the machine switches off, its Pods are stopped, critical ones last (pkg/kubelet/nodeshutdown).

Our kubelets are configured with shutdownGracePeriod 30s and shutdownGracePeriodCriticalPods 10s; by default both are 0, and nothing is waited for.
"""
from ...objects import is_terminal
from ...timings import SECOND
from ..disk import PodKey, is_down, node_space
from . import signals
from .part import KubeletPart
from .worker import Worker

ORDINARY, CRITICAL = 20 * SECOND, 10 * SECOND          # what the two kinds of Pods get
MESSAGE = "Pod was terminated in response to imminent node shutdown."
POLL = SECOND


class NodeShutdown(KubeletPart):
    """Work keys: nodes that shut down. On a node's disk: "shutdown" {"phase": "ordinary" or "critical", "until": ms at which the phase is over}."""

    name = "node-shutdown"

    def facts_for(self, node):
        return {"node": node}

    def begin(self, node):
        """systemd says that the machine is about to switch off."""
        if is_down(self.etcd, node) or signals.is_shutting_down(self.etcd, node):
            return
        self._enter(node, "ordinary", ORDINARY)
        self.cluster.components["node-status"].again(node)
        self.again(node)

    def _enter(self, node, phase, limit):
        self.etcd.write(node_space(node), "shutdown", {"phase": phase, "until": self.clock.now + limit})
        for worker in self._workers(node, phase):
            grace = min(worker.grace(), limit // SECOND)
            worker.record.update(failed=["Terminated", MESSAGE], disruption="TerminationByKubelet", grace_override=grace, again=True)
            worker.keep()
            self.kubelet.again(worker.key.key)

    def _workers(self, node, phase):
        """The Pods of a phase that have not ended yet."""
        for pod in list(self.indexes.find("pods by node", node).values()):
            if signals.is_critical(pod) == (phase == "critical") and not is_terminal(pod):
                worker = Worker(self.kubelet, PodKey.of(pod))
                if worker.pod is not None and worker.record["work"] != "done":
                    yield worker

    def reconcile(self, node):
        """When the Pods of a phase have stopped, or its time is up, the next one begins; after the last the machine is off."""
        state = self.etcd.read(node_space(node), "shutdown")
        if state is None or is_down(self.etcd, node):
            return None
        if state["until"] > self.clock.now and any(self._workers(node, state["phase"])):
            return POLL
        if state["phase"] == "ordinary":
            self._enter(node, "critical", CRITICAL)
            return POLL
        self.kubelet.halt(node)
        return None
