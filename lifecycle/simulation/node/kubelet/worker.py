"""One Pod as its kubelet's worker sees it during one work item: the Pod, the runtime's state, and what the kubelet remembers.

What it remembers lies on the node's disk under "pod UID":
`key` (as in the queue), `work` (sync, terminating, unmounting, terminated, done), `since` (ms at which the kubelet took the Pod), `generation` (last one acted
upon), `stage` (of the running sync: status, act, or None between syncs), `step` (what takes time now: {"do", "until", ...}), `again` (a sync was asked for),
`ending` (the Pod is to be terminated), `sync_at` (ms of the next sync by itself), `synced` (end of the last one), `listed` (ms of the last listing of the
runtime), `relist_at` (ms of the next one on demand), `seen` ({container id: state} at the last listing), `mounted` (volume names),
`reasons` ({container: [reason, message]} why it did not start), `backoff`, `results` (of probes), `unsent` ([terminal, final] of a status that could not be
sent), and more that the modules beside this one say.
The Pod as the kubelet alone knows it, while it cannot send its status or hears nothing of the API server, lies under "own UID".
"""
from ...broken import is_cut_off, skew
from ...objects import at
from ..cri import EMPTY
from ..disk import node_space

NEW = {"work": "sync", "generation": None, "stage": None, "step": None, "again": True, "ending": False, "sync_at": None, "synced": None, "listed": 0,
       "relist_at": None, "seen": {}, "mounted": [], "reasons": {}, "backoff": {}, "results": {}, "kills": {}}


FIELDS = ("initContainers", "containers", "ephemeralContainers")


class Worker:
    """Fields of `record` may be assigned; `keep()` writes them back.

    `pod` is None if nothing is known of it any more; `phase` is what the last report found; `gone`: the worker is to be forgotten.
    """

    def __init__(self, kubelet, key):
        self.kubelet, self.key = kubelet, key
        self.now = kubelet.clock.now
        self.space = node_space(key.node)
        self.record = dict(kubelet.etcd.read(self.space, f"pod {key.uid}") or {**NEW, "key": key.key, "since": self.now})
        self.stored = None                      # the Pod as the API server has it
        self.exists, self.pod = self._known()
        self.gone, self.phase = False, None

    def _known(self):
        """(whether the Pod exists, the Pod or None), as far as this kubelet knows."""
        etcd, own = self.kubelet.etcd, self.kubelet.etcd.read(self.space, f"own {self.key.uid}")
        if is_cut_off(etcd, self.key.node):
            return own is not None, own
        found = self.kubelet.api.get("pods", self.key.namespace, self.key.name)
        if found is None or found["metadata"]["uid"] != self.key.uid:
            return False, etcd.read(self.space, f"removed {self.key.uid}")
        self.stored = found
        return True, {**found, "status": own["status"]} if own else found

    # -- memory ------------------------------------------------------------------------------------------------------------
    def keep(self):
        self.kubelet.etcd.write(self.space, f"pod {self.key.uid}", self.record)

    def forget(self):
        """The Pod is gone for good."""
        for what in ("pod", "removed", "own"):
            self.kubelet.etcd.write(self.space, f"{what} {self.key.uid}", None)

    # -- the runtime -------------------------------------------------------------------------------------------------------
    @property
    def runtime(self):
        """The runtime's record of the Pod."""
        return self.kubelet.etcd.read(self.space, f"runtime {self.key.uid}", EMPTY)

    @property
    def sandbox(self):
        """The Pod's ready sandbox, or None."""
        sandbox = self.runtime["sandbox"]
        return sandbox if sandbox and sandbox["state"] == "ready" else None

    @property
    def standing(self):
        """The Pod's sandbox if it was not stopped yet, or None: it may be no more than a record after a restart of the machine."""
        sandbox = self.runtime["sandbox"]
        return sandbox if sandbox and sandbox["state"] != "notready" else None

    def container(self, name):
        """The newest container of that name, or None."""
        newest = None
        for container in self.runtime["containers"].values():
            if container["name"] == name:
                newest = container
        return newest

    def running(self):
        """The running containers, oldest first."""
        return [container for container in self.runtime["containers"].values() if container["state"] == "running"]

    # -- the Pod -----------------------------------------------------------------------------------------------------------
    @property
    def spec(self):
        return self.pod["spec"]

    @property
    def node(self):
        """The worker's Node object as its kubelet knows it, or None."""
        return self.kubelet.node(self.key.node)

    def specs(self):
        """Init and main containers of the spec, in order."""
        return [*self.spec.get("initContainers", ()), *self.spec["containers"]]

    def spec_of(self, container):
        """(spec, list it is in) of a runtime container."""
        for field in FIELDS:
            for spec in self.spec.get(field, ()):
                if spec["name"] == container["name"]:
                    return spec, field
        return {}, "containers"

    def grace(self):
        """Seconds that a stop may take if nothing says otherwise."""
        return at(self.spec, "terminationGracePeriodSeconds", default=30)

    # -- time --------------------------------------------------------------------------------------------------------------
    def begin(self, do, duration, **more):
        """Note that something takes time; the worker does nothing else meanwhile."""
        self.record["step"] = {"do": do, "until": self.now + duration, **more}

    def timestamp(self, at=None):
        """A time (ms, by default now) as the node's own clock shows it."""
        return self.kubelet.clock.timestamp((self.now if at is None else at) + self.skew)

    @property
    def skew(self):
        """By how many ms the node's own clock is ahead of the cluster's."""
        return skew(self.kubelet.etcd, self.key.node)

    def sync_in(self, delay):
        """Ask for a sync by itself in `delay` ms, unless one comes earlier."""
        due = self.now + delay
        known = self.record["sync_at"]
        self.record["sync_at"] = due if known is None else min(known, due)

    # -- telling -----------------------------------------------------------------------------------------------------------
    def say(self, target, reason, request=None, /, **facts):
        """A message of the kubelet about this Pod."""
        self.kubelet.say(target, reason, request, self.key.object, {**self.key.facts, **facts})

    def event(self, kind, reason, message, container=None, field="containers"):
        """Record an Event on the Pod, or on one of its containers; `field` is the list of the spec that has it."""
        path = container and f"spec.{field}{{{container}}}"
        self.kubelet.event(self.pod, kind, reason, message, {"component": "kubelet", "host": self.key.node}, path)

    def client(self):
        """The API as this node's kubelet."""
        return self.kubelet.client(self.key)
