"""The kubelets of all nodes: one component, each node's work under keys that begin with its name."""
from ...client import Client
from ...objects import at, removed
from .. import usage
from ..disk import POD_CIDR, POWER, PodKey, is_away, is_cut_off, is_down, node_space
from . import loop, serving
from .part import KubeletPart
from .worker import Worker


class Kubelet(KubeletPart):
    """Work keys: "NODE/namespace/name/uid"."""

    name = "kubelet"

    def __init__(self, cluster):
        super().__init__(cluster)
        self.runtime, self.prober, self.garbage = (cluster.components[name] for name in ("cri", "prober", "sandbox-gc"))
        self.streaming = cluster.components["streaming"]
        self.eviction, self.pressure = (cluster.components[name] for name in ("eviction-manager", "node-pressure"))

    # -- what wakes it -----------------------------------------------------------------------------------------------------
    def watched(self):
        return {"pods": self._pods, "volumeattachments.storage.k8s.io": self._attached, "nodes": self._node}

    def _pods(self, change):
        pod = change.object
        if not pod["spec"].get("nodeName"):
            return ()
        key = PodKey.of(pod)
        if change.type == "DELETED":
            if self.etcd.read(node_space(key.node), f"pod {key.uid}") is None:
                return ()          # it never came to this kubelet's notice
            # A kubelet that is away learns only that the Pod is gone, not that it was to go at once.
            seen = removed(pod, "metadata", "deletionGracePeriodSeconds") if is_away(self.etcd, key.node) else pod
            self.etcd.write(node_space(key.node), f"removed {key.uid}", seen)
        elif change.previous and not self._matters(change.previous, pod):
            return ()
        return () if is_cut_off(self.etcd, key.node) else (key.key,)

    def _node(self, change):
        """A Node that is gone is remembered as it was: its kubelet goes on with the Pods that it has."""
        if change.type == "DELETED":
            name = change.object["metadata"]["name"]
            self.etcd.write(node_space(name), "node", change.object)
        return ()

    def _attached(self, change):
        """A volume was attached: Pods on that node may wait for it."""
        spec, volume = change.object["spec"], self.api.get("persistentvolumes", "", change.object["spec"]["source"].get("persistentVolumeName") or "")
        claim = volume and volume["spec"].get("claimRef")
        if not claim or not at(change.object, "status", "attached") or change.previous and at(change.previous, "status", "attached"):
            return
        for pod in self.indexes.find("pods by claim", f"{claim['namespace']}/{claim['name']}").values():
            if pod["spec"].get("nodeName") == spec["nodeName"]:
                yield PodKey.of(pod).key

    @staticmethod
    def _matters(old, new):
        """Whether a kubelet acts on a change of a Pod: not on its status, which is the kubelet's own."""
        before, after = old["metadata"], new["metadata"]
        return (old["spec"] is not new["spec"] and old["spec"] != new["spec"] or before.get("generation") != after.get("generation")
                or before.get("deletionGracePeriodSeconds") != after.get("deletionGracePeriodSeconds")
                or before.get("labels") != after.get("labels") or before.get("annotations") != after.get("annotations"))

    def seen_as(self, change):
        """A kubelet's watch is filtered by nodeName: the binding makes the Pod appear."""
        return "ADDED" if change.type == "MODIFIED" and not change.previous["spec"].get("nodeName") else change.type

    def container_ended(self, pod):
        """The runtime says that a process of the Pod has ended."""
        self.again(pod.key)

    def facts_for(self, key):
        return PodKey.parse(key).facts

    def facts_of_event(self, about):
        return {"node": about["spec"]["nodeName"], "pod": about["metadata"]["name"]}

    def resync(self):
        for node in self.nodes():
            yield from self._all_to_sync(node)

    def worker(self, key):
        """A Pod (a PodKey) as its kubelet's worker sees it now."""
        return Worker(self, key)

    def nodes(self):
        """The names of all nodes that have a kubelet."""
        return [space.removeprefix("node ") for space in self.etcd.spaces() if space.startswith("node ") and self.etcd.read(space, POD_CIDR)]

    # -- services for the modules beside this one --------------------------------------------------------------------------
    def client(self, key):
        """The API as the kubelet of a node, speaking about a Pod."""
        facts = {"node": key.node, "pod": key.name}
        return Client(self.cluster.api, self.etcd, self.actor, f"system:node:{key.node}", self.manager, facts)

    def node(self, name):
        """A Node as its kubelet knows it: as it was last, once the object is gone."""
        return self.api.get("nodes", "", name) or self.etcd.read(node_space(name), "node")

    def address(self, node):
        """A node's InternalIP."""
        found = self.node(node)
        return next((address["address"] for address in found["status"]["addresses"] if address["type"] == "InternalIP"), "") if found else ""

    # -- what others ask of a node -----------------------------------------------------------------------------------------
    def logs(self, namespace, name, container, options):
        """(text, None) of a container's log, or (None, error text)."""
        return serving.logs(self, namespace, name, container, options)

    def connect(self, namespace, name, container, kind, connection, **what):
        """(id of an open stream, None) to a container, or (None, (reason, error text)); see serving.connect."""
        return serving.connect(self, namespace, name, container, kind, connection, **what)

    def followed_log(self, namespace, name, container, options, connection):
        """(id of the stream of a container's log, None), or (None, error text)."""
        return serving.followed_log(self, namespace, name, container, options, connection)

    def used(self, pod):
        """Somebody has done something in a Pod's containers: it may use more now."""
        worker = Worker(self, pod)
        if worker.pod is not None:
            self.eviction.look(worker)
            self.pressure.look(pod.node)

    def usage(self, node):
        """The usage.Usage of a whole node; None if it does not answer."""
        return None if is_away(self.etcd, node) else self.pressure.usage(node)

    def pod_usage(self, pod, since):
        """{container name: usage.Usage} of a Pod whose containers run since `since` (ms), else None."""
        key = PodKey.of(pod)
        running = [container for container in self.runtime.of(key)["containers"].values() if container["state"] == "running"]
        if is_away(self.etcd, key.node) or not running or any(container["started"] > since for container in running):
            return None
        return usage.of_pod(self.runtime, key, self.clock.now)[0]

    def power(self, node, on):
        """Take a node off the network, or bring it back: then everything that waits there goes on."""
        status = self.cluster.components["node-status"]
        if on == (node not in self.etcd.disk(POWER)):
            return
        if not on:
            status.down(node)
            return
        status.up(node)
        self.resume(node)

    def resume(self, node):
        """Everything that waits on a node goes on; Pods are synced, and their statuses told if they are not what the API server has."""
        for key in self._all_to_sync(node):
            self.again(key)
            self.prober.look(PodKey.parse(key))
            self.runtime.look(PodKey.parse(key))
        self.garbage.again(node)
        self.pressure.look(node)

    def _all_to_sync(self, node):
        """The keys of all Pods of a node, each of which is to be synced."""
        space = node_space(node)
        known = {what: record for what, record in self.etcd.disk(space).items() if what.startswith("pod ")}
        for what, record in known.items():
            self.etcd.write(space, what, {**record, "again": True})
        bound = [PodKey.of(pod).key for pod in self.indexes.find("pods by node", node).values()]
        return dict.fromkeys((*(record["key"] for record in known.values()), *bound))

    def cut_off(self, node):
        """Nothing passes between a node and the API server any more: the kubelet goes on with the Pods as it knows them."""
        if is_cut_off(self.etcd, node):
            return
        self.cluster.components["node-status"].cut_off(node)
        for pod in self.indexes.find("pods by node", node).values():
            space, uid = node_space(node), pod["metadata"]["uid"]
            if self.etcd.read(space, f"pod {uid}") and not self.etcd.read(space, f"own {uid}"):
                self.etcd.write(space, f"own {uid}", pod)

    def rejoin(self, node):
        """The API server can be reached again: the kubelet learns what has changed, and tells what has happened."""
        if not is_cut_off(self.etcd, node):
            return
        self.cluster.components["node-status"].rejoin(node)
        space = node_space(node)
        for what in [what for what in self.etcd.disk(space) if what.startswith("own ")]:
            if not self.etcd.read(space, f"pod {what.removeprefix('own ')}", {}).get("unsent"):
                self.etcd.write(space, what, None)
        self.resume(node)
        self.cluster.recorder.reached(node)

    def clock_jumped(self, node):
        """The node's clock shows another time: its next heartbeat says so, and probes may be due."""
        self.cluster.components["node-status"].again(node)
        self.resume(node)

    def halt(self, node):
        """The machine of a node has shut down: what ran on it has ended when it is switched on again."""
        self.etcd.write(node_space(node), "shutdown", None)
        self.power(node, False)
        self.cluster.components["node-status"].halted(node)

    def reboot(self, node):
        """Switch a node's machine off and on again: whatever ran on it has ended, what is on its disk stays."""
        self.power(node, False)
        self.cluster.components["node-status"].boot(node)

    # -- work --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        """Do the next thing for a Pod on its node."""
        key = PodKey.parse(key)
        if is_down(self.etcd, key.node):
            return None
        worker = Worker(self, key)
        if worker.pod is None:
            return None
        again = loop.turn(worker)
        worker.forget() if worker.gone else worker.keep()
        return again
