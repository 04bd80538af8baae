"""Local storage limits: a Pod that fills more than it may is evicted (pkg/kubelet/eviction: localStorageEviction).

The eviction manager looks every 10 s, at figures that are older than that; it evicts one Pod at a time and waits until that one has stopped.
"""
from ...objects import at, is_deleting, is_terminal
from ...quantities import value
from ..disk import PodKey, is_down, node_space
from .part import KubeletPart
from .resources import aggregated
from .worker import Worker

PERIOD = 10_000
LAG = 12_000                        # ms that the kubelet's figures are behind
GRACE = 1                           # seconds that an evicted Pod gets
STORAGE = "ephemeral-storage"


class EvictionManager(KubeletPart):
    """Work keys: Pods' keys. On the node's disk: "passed UID" (ms at which the kubelet may know), "evicting" (a Pod's key)."""

    name = "eviction-manager"

    def facts_for(self, key):
        return PodKey.parse(key).facts

    def look(self, worker):
        """A container of the Pod was started or touched: its usage may grow."""
        if has_limits(worker.spec):
            self.again(worker.key.key, PERIOD - self.clock.now % PERIOD)

    def reconcile(self, key):
        """Measure one Pod; evict it if its limit was passed long enough ago."""
        pod = PodKey.parse(key)
        worker = Worker(self.kubelet, pod)
        if is_down(self.etcd, pod.node) or not worker.exists or is_deleting(worker.pod) or is_terminal(worker.pod) or worker.record["work"] != "sync":
            return None
        message = exceeded(worker)
        if message is None:
            return self._later(worker)
        passed = self.etcd.read(node_space(pod.node), f"passed {pod.uid}")
        if passed is None:
            self.etcd.write(node_space(pod.node), f"passed {pod.uid}", self.clock.now)
            return PERIOD
        if self.clock.now - passed < LAG - PERIOD or self._busy(pod):
            return PERIOD
        self.etcd.write(node_space(pod.node), f"passed {pod.uid}", None)
        evict(worker, message)
        return None

    def _later(self, worker):
        """ms until the first look after something can have changed."""
        change = self.kubelet.runtime.inside.stable_until(worker.key, worker.runtime, self.clock.now)
        if change is None:
            return None
        return -(-max(change, self.clock.now + 1) // PERIOD) * PERIOD - self.clock.now

    def _busy(self, pod):
        """Whether the node still stops the Pod that it evicted before."""
        return is_stopping(self.etcd, pod.node) and self.etcd.read(node_space(pod.node), "evicting") != pod.key


def evict(worker, message, disruption=None):
    """Stop a Pod for good; `disruption` is the reason of its condition DisruptionTarget, if it gets one."""
    key = worker.key
    worker.say("kubelet", "EvictPod", None, message=message)
    worker.kubelet.etcd.write(node_space(key.node), "evicting", key.key)
    worker.event("Warning", "Evicted", message)
    worker.record.update(failed=["Evicted", message], disruption=disruption, grace_override=GRACE, again=True)
    worker.keep()
    worker.kubelet.again(key.key)


def is_stopping(etcd, node):
    """Whether the Pod that was evicted last has not ended yet."""
    before = etcd.read(node_space(node), "evicting")
    record = before and etcd.read(node_space(node), f"pod {PodKey.parse(before).uid}")
    return bool(record) and record["work"] != "done"


def has_limits(spec):
    """Whether local storage of a Pod is limited at all."""
    return (any(at(volume, "emptyDir", "sizeLimit") for volume in spec.get("volumes", ()))
            or any(at(container, "resources", "limits", STORAGE) for container in spec["containers"]))


def exceeded(worker):
    """The message of the first limit that is exceeded, or None: emptyDirs, then the Pod as a whole, then its containers."""
    usage = worker.kubelet.runtime.inside.usage(worker.key, worker.runtime, worker.now)
    for volume in worker.spec.get("volumes", ()):
        limit = at(volume, "emptyDir", "sizeLimit")
        if limit and usage["volumes"].get(volume["name"], 0) > value(limit):
            return f'Usage of EmptyDir volume "{volume["name"]}" exceeds the limit "{limit}". '
    whole = aggregated(worker.spec, "limits").get(STORAGE)
    if whole and sum(usage["volumes"].values()) + sum(usage["containers"].values()) > value(whole):
        return f"Pod ephemeral local storage usage exceeds the total limit of containers {whole}. "
    for container in worker.spec["containers"]:
        limit = at(container, "resources", "limits", STORAGE)
        if limit and usage["containers"].get(container["name"], 0) > value(limit):
            return f'Container {container["name"]} exceeded its local ephemeral storage limit "{limit}". '
    return None
