"""The scheduler's cache: nodes with the Pods on them, following every change of the store (pkg/scheduler/backend/cache).

It is made from the store and can be thrown away at any time.
"""
from itertools import zip_longest

from lifecycle.simulation.objects import is_terminal, name_of

from .counters import Counters
from .node_info import NodeInfo
from .pod_info import PodInfo, Shapes

ZONE = ("topology.kubernetes.io/region", "topology.kubernetes.io/zone")


class Cache:
    """`nodes` is {name: NodeInfo}; `waiting` {key: PodInfo} of Pods without a node; `assumed` {key: node name} are Pods that have a node but no binding
    yet; `nominated` {node name: {key: PodInfo}} are Pods that preempted others there."""

    def __init__(self):
        self.shapes = Shapes()
        self.counters = Counters()
        self.nodes = {}
        self._order = None
        self.placed = {}                # key -> node name
        self.waiting = {}
        self.assumed = {}
        self.nominated = {}
        self.with_image = {}            # image name -> number of nodes that have it
        self.with_label = {}            # label key -> number of nodes that have it
        self.with_soft_taint = {}       # names of nodes with a PreferNoSchedule taint
        self.claims = {}                # "namespace/claim" -> {key of a Pod on some node: True}
        self.default_selectors = {}     # what plugins/topology_spread.py found out about Services and owners

    # -- nodes -------------------------------------------------------------------------------------------------------------
    def set_node(self, name, node):
        """Follow a Node object; None if it was deleted."""
        known = self.nodes.get(name) or self.nodes.setdefault(name, NodeInfo(name))
        member, zone, images = known.node is not None, self._zone(known), known.images
        if member:
            self._count(known, -1)
        known.set_node(node)
        if node is not None:
            self._count(known, 1)
        elif not known.pods:
            del self.nodes[name]
        if node is not None and not member:
            self.nodes[name] = self.nodes.pop(name)         # in order of creation, wherever it was before
        if member != (node is not None) or zone != self._zone(known):
            self._order = None
        if member != (node is not None) or known.images != images:
            self.shapes.forget_verdicts(self.with_image)

    def _count(self, known, number):
        for image in known.images:
            self.with_image[image] = self.with_image.get(image, 0) + number
        for label in known.labels:
            self.with_label[label] = self.with_label.get(label, 0) + number
        self.with_soft_taint.pop(known.name, None)
        if number > 0 and any(taint["effect"] == "PreferNoSchedule" for taint in known.taints):
            self.with_soft_taint[known.name] = True

    @staticmethod
    def _zone(known):
        return tuple([known.labels.get(label, "") for label in ZONE])

    @property
    def order(self):
        """The nodes in turn from every zone, so that sampling spreads over zones (backend/cache/node_tree.go)."""
        if self._order is None:
            zones = {}
            for known in self.nodes.values():
                if known.node is not None:
                    zones.setdefault(self._zone(known), []).append(known)
            self._order = [known for turn in zip_longest(*zones.values()) for known in turn if known is not None]
        return self._order

    # -- pods --------------------------------------------------------------------------------------------------------------
    def info(self, key, pod):
        """The PodInfo of a Pod: the one that is known already, if nothing that matters has changed."""
        known = self.waiting.get(key)
        if known is not None and known.is_still(pod):
            known.pod = pod
            return known
        return PodInfo(key, pod, self.shapes.of(pod["spec"]))

    def on_node(self, key):
        """The PodInfo of a Pod that is on a node, or None."""
        node = self.placed.get(key)
        return None if node is None else self.nodes[node].pods[key]

    def set_pod(self, pod):
        """Follow a Pod object. Returns (PodInfo before, PodInfo after) if what others may wait for changed, else None."""
        key, node = name_of(pod), pod["spec"].get("nodeName")
        known = self.on_node(key)
        if node and not is_terminal(pod):
            return self._follow(key, pod, node, known)
        if known is not None and key not in self.assumed:
            return self.forget_pod(key), None
        return None

    def _follow(self, key, pod, node, known):
        if known is not None and self.placed[key] == node and known.is_still(pod):
            known.pod = pod
            self.assumed.pop(key, None)
            return None
        before = self.forget_pod(key)
        after = self.info(key, pod)
        self.waiting.pop(key, None)
        self.place(after, node)
        return before, after

    def place(self, info, node):
        """A Pod is on a node from now on."""
        known = self.nodes.get(node) or self.nodes.setdefault(node, NodeInfo(node))
        known.add(info)
        self.placed[info.key] = node
        self.counters.count(info, node, 1)
        for claim in info.claims:
            self.claims.setdefault(f"{info.namespace}/{claim}", {})[info.key] = True

    def assume(self, info, node):
        """Count a Pod on a node before it is bound."""
        self.nominate(info.key, None)
        self.place(info, node)
        self.assumed[info.key] = node

    def forget_pod(self, key):
        """A Pod is gone, or has ended. Returns its PodInfo if it was on a node, or None."""
        node = self.placed.pop(key, None)
        self.assumed.pop(key, None)
        if node is None:
            return None
        known = self.nodes[node]
        info = known.pods[key]
        known.remove(key)
        self.counters.count(info, node, -1)
        for claim in info.claims:
            users = self.claims[f"{info.namespace}/{claim}"]
            users.pop(key, None)
        if known.node is None and not known.pods:
            del self.nodes[node]
        return info

    def nominate(self, key, node):
        """Remember (or, with node None, forget) on which node a waiting Pod has made room."""
        for name in [name for name, pods in self.nominated.items() if key in pods]:
            del self.nominated[name][key]
            if not self.nominated[name]:
                del self.nominated[name]
        if node and key not in self.assumed:
            self.nominated.setdefault(node, {})[key] = self.waiting[key]

    def image_spread(self, image):
        """The share of the nodes that have an image."""
        return self.with_image.get(image, 0) / len(self.order)
