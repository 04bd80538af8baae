"""Node-pressure eviction: when memory, disk or process ids run short, Pods go one by one (pkg/kubelet/eviction/eviction_manager.go, synchronize).

The real manager looks every 10 s. Here it is woken for the looks at which something can be different.
"""
from typing import NamedTuple

from ...objects import is_deleting, is_terminal
from ...quantities import BINARY_SI, format_quantity, value
from ...timings import MINUTE, SECOND
from .. import usage
from ..disk import BALLAST, PodKey, is_down, node_space
from ..images import PAUSE
from . import signals
from .eviction import PERIOD, evict, is_stopping
from .part import KubeletPart
from .resources import requests
from .worker import Worker

TRANSITION = 5 * MINUTE                   # evictionPressureTransitionPeriod
CLEANUP = 30 * SECOND                     # so long an evicted Pod is waited for (podCleanupTimeout)
LEFT = {"memory": 50 << 20, "ephemeral-storage": 8 << 30, "pids": 1000}     # what is left when something else takes all it can of a node


class Load(NamedTuple):
    """A Pod and what it uses: {container name: Usage} and the bytes in its emptyDirs."""

    pod: dict
    key: PodKey
    containers: dict
    volumes: int

    def used(self, resource):
        if resource == "memory":
            return sum(one.memory for one in self.containers.values())
        if resource == "pids":
            return len(self.containers) + 1          # the pause container has a process too
        return self.volumes + sum(one.storage for one in self.containers.values())


class NodePressure(KubeletPart):
    """Work keys: nodes. On a node's disk: "pressure" (signals.conditions), "evicting" (as EvictionManager has it), "evicted at" (ms), and "room": {resource:
    bytes above the threshold at the last look, less what has started since}."""

    name = "node-pressure"

    def facts_for(self, node):
        return {"node": node}

    def facts_of_event(self, about):
        return {"node": about["metadata"]["name"]}

    def resync(self):
        return [node["metadata"]["name"] for node in self.api.list("nodes")]

    def look(self, node, at=None):
        """What is used on the node may be different from `at` (ms) on, by default from now on."""
        now = self.clock.now
        self.again(node, -(-max(now + 1, at or 0) // PERIOD) * PERIOD - now)

    def started(self, pod, container):
        """A container runs: nothing is to be looked at as long as all that have started since the last look cannot use what was left then."""
        room = self.etcd.read(node_space(pod.node), "room") or self._empty_room(pod.node)
        if room is None:
            return
        needed = usage.at_most(container)
        room = {resource: left - needed[resource] for resource, left in room.items()}
        self.etcd.write(node_space(pod.node), "room", room)
        grows = usage.grows_at(self.kubelet.runtime, pod, self.clock.now) if needed["grows"] else None
        if min(room.values()) < 0 or grows is not None:
            self.look(pod.node, grows if min(room.values()) >= 0 else None)

    def _empty_room(self, name):
        node = self.api.get("nodes", "", name)
        return signals.room(node, {"memory": 0, "ephemeral-storage": 0, "pids": 0}) if node else None

    # -- faults ------------------------------------------------------------------------------------------------------------
    def press(self, node, resource):
        """Something outside of all Pods takes memory, disk or process ids until less than the threshold is left."""
        found = self.api.get("nodes", "", node)
        left = signals.capacity_of(found, resource) - self._used(node, self._loads(node))[resource]
        self.etcd.write(BALLAST, f"{node} {resource}", self._taken(node, resource) + max(left - LEFT[resource], 0))
        self.look(node)

    def release(self, node, resource):
        """It is gone again."""
        self.etcd.write(BALLAST, f"{node} {resource}", None)
        self.look(node)

    def _taken(self, node, resource):
        return self.etcd.read(BALLAST, f"{node} {resource}", 0)

    # -- what is used ------------------------------------------------------------------------------------------------------
    def _loads(self, node):
        """The Loads of all Pods on a node."""
        runtime, now = self.kubelet.runtime, self.clock.now
        keys = ((pod, PodKey.of(pod)) for pod in self.indexes.find("pods by node", node).values())
        return [Load(pod, key, *usage.of_pod(runtime, key, now)) for pod, key in keys if runtime.of(key)["containers"]]

    def _used(self, node, loads):
        """{resource: bytes}; images lie on the same disk as everything else."""
        images = {image["digest"]: image["size"] for image in self.kubelet.runtime.images(node).values()}
        base = {"memory": 0, "ephemeral-storage": sum(images.values()), "pids": 0}
        return {resource: amount + self._taken(node, resource) + sum(load.used(resource) for load in loads) for resource, amount in base.items()}

    def usage(self, node):
        """The usage.Usage of a whole node."""
        loads = self._loads(node)
        used = self._used(node, loads)
        return usage.Usage(used["memory"], used["ephemeral-storage"], sum(one.cpu for load in loads for one in load.containers.values()))

    # -- work --------------------------------------------------------------------------------------------------------------
    def reconcile(self, name):
        """Look at the node once. Returns ms until the next look that may be different."""
        node = self.api.get("nodes", "", name)
        if node is None or is_down(self.etcd, name):
            return None
        if self._waits_for_cleanup(name):
            return SECOND
        loads = self._loads(name)
        used = self._used(name, loads)
        met = signals.short(node, used)
        self.etcd.write(node_space(name), "room", signals.room(node, used))
        self._keep_conditions(name, met)
        if met and self._relieve(node, met, loads):
            return SECOND
        return self._next_look(name, met, loads)

    def _waits_for_cleanup(self, name):
        space = node_space(name)
        since = self.etcd.read(space, "evicted at")
        if since is None:
            return False
        if is_stopping(self.etcd, name) and self.clock.now < since + CLEANUP:
            return True
        self.etcd.write(space, "evicted at", None)
        return False

    def _keep_conditions(self, name, met):
        """Remember which conditions hold; a condition that is not observed any more goes after a while."""
        old, now = signals.conditions(self.etcd, name), self.clock.now
        seen = {**old, **{one.signal.condition: now for one in met}}
        kept = {condition: at for condition, at in seen.items() if at + TRANSITION > now}
        self.etcd.write(node_space(name), "pressure", kept or None)
        if kept.keys() != old.keys():
            self.cluster.components["node-status"].look(name)

    def _next_look(self, name, met, loads):
        """Under pressure in any case 10 s later; else when a condition may go, or when a Pod may use more."""
        if met:
            return PERIOD
        now = self.clock.now
        times = [at + TRANSITION for at in signals.conditions(self.etcd, name).values()]
        times += [usage.grows_at(self.kubelet.runtime, load.key, now) for load in loads]
        first = min((at for at in times if at is not None), default=None)
        return None if first is None else -(-first // PERIOD) * PERIOD - now

    # -- relief ------------------------------------------------------------------------------------------------------------
    def _relieve(self, node, met, loads):
        """Reclaim what is short: first what no Pod needs, then a Pod. Returns whether one was evicted."""
        worst, name = met[0], node["metadata"]["name"]
        resource = worst.signal.resource
        self.event(node, "Warning", "EvictionThresholdMet", f"Attempting to reclaim {resource}", {"component": "kubelet", "host": name})
        if resource == "ephemeral-storage" and self._remove_images(name, loads) + worst.available >= worst.threshold:
            return False
        for load in ranked([load for load in loads if _is_active(load.pod)], resource):
            worker = Worker(self.kubelet, load.key)
            if not signals.is_critical(load.pod) and worker.record["work"] == "sync" and not worker.record.get("failed"):
                evict(worker, message(load, worst), "TerminationByKubelet")
                self.etcd.write(node_space(name), "evicted at", self.clock.now)
                return True
        return False

    def _remove_images(self, name, loads):
        """Remove the images that no container uses; returns the bytes that this gives back."""
        runtime, space = self.kubelet.runtime, node_space(name)
        images = runtime.images(name)
        in_use = {PAUSE, *(container["image"] for load in loads for container in runtime.of(load.key)["containers"].values())}
        kept = {reference: image for reference, image in images.items() if reference in in_use}
        for reference in images:
            if reference not in kept:
                self.say("cri", "RemoveImage", f"RemoveImage {reference}", None, {"node": name, "image": reference})
        self.etcd.write(space, "images", kept)
        known = {image["digest"] for image in kept.values()}
        return sum({image["digest"]: image["size"] for image in images.values() if image["digest"] not in known}.values())


def _is_active(pod):
    return not is_terminal(pod) and not is_deleting(pod)


def ranked(loads, resource):
    """Who goes first: Pods that use more than they asked for, then those of lower priority, then those that are furthest above their request."""
    def rank(load):
        if resource == "pids":
            return 0, load.pod["spec"].get("priority") or 0, -load.used(resource)
        over = load.used(resource) - requests(load.pod["spec"]).get(resource, 0)
        return over <= 0, load.pod["spec"].get("priority") or 0, -over
    return sorted(loads, key=rank)


def message(load, observed):
    """What the Pod's status and its event say."""
    resource = observed.signal.resource
    text = (f"The node was low on resource: {resource}. Threshold quantity: {format_quantity(observed.threshold, BINARY_SI)}, "
            f"available: {format_quantity(observed.available, BINARY_SI)}. ")
    for container in load.pod["spec"]["containers"]:
        asked = ((container.get("resources") or {}).get("requests") or {}).get(resource, "0")
        used = load.containers.get(container["name"])
        amount = used and resource != "pids" and (used.memory if resource == "memory" else used.storage)
        if amount and amount > value(asked):
            text += (f"Container {container['name']} was using {format_quantity(amount, BINARY_SI)}, request is {asked}, "
                     f"has larger consumption of {resource}. ")
    return text
