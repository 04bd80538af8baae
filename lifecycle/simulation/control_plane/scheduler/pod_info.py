"""What the scheduler needs to know of a Pod, taken out of its manifest once.

Pods made from one template differ in name only, so everything that a template decides lies in a Shape that they share:
answers about a shape and a node can be remembered and used for the next Pod of the same shape.
"""
from lifecycle.simulation.host_ports import host_ports
from lifecycle.simulation.objects import is_deleting
from lifecycle.simulation.storage import claims_of

from .plugins.image_locality import tagged
from .requests import containers_of, requests_of

CHANGEABLE = ("containers", "initContainers", "tolerations", "nodeSelector", "affinity")      # the fields of a Pod's spec that can change and matter here
REMEMBERED = 4096              # shapes known by the identity of their parts; beyond that they are found again by value


class Shape:
    """The part of a Pod's spec that decides where it can go. `requests` and `scored` are requests.Requests; `ports` are (address, protocol, port)."""

    __slots__ = ("affinity", "anti_affinity", "has_affinity", "images", "node_selector", "node_terms", "ports", "preferred_affinity", "preferred_anti_affinity",
                 "preferred_nodes", "requests", "scored", "spread", "tolerations", "verdicts")

    def __init__(self, spec):
        affinity = spec.get("affinity") or {}
        node, near, far = (affinity.get(part) or {} for part in ("nodeAffinity", "podAffinity", "podAntiAffinity"))
        self.requests, self.scored = requests_of(spec)
        self.ports = host_ports(spec)
        self.images = tuple(tagged(container["image"]) for container in containers_of(spec))
        self.tolerations = tuple(spec.get("tolerations") or ())
        self.node_selector = spec.get("nodeSelector") or {}
        self.node_terms = (node.get("requiredDuringSchedulingIgnoredDuringExecution") or {}).get("nodeSelectorTerms")
        self.preferred_nodes = tuple(node.get("preferredDuringSchedulingIgnoredDuringExecution") or ())
        self.affinity = tuple(near.get("requiredDuringSchedulingIgnoredDuringExecution") or ())
        self.anti_affinity = tuple(far.get("requiredDuringSchedulingIgnoredDuringExecution") or ())
        self.preferred_affinity = tuple(near.get("preferredDuringSchedulingIgnoredDuringExecution") or ())
        self.preferred_anti_affinity = tuple(far.get("preferredDuringSchedulingIgnoredDuringExecution") or ())
        self.has_affinity = bool(self.affinity or self.anti_affinity or self.preferred_affinity or self.preferred_anti_affinity)
        self.spread = tuple(spec.get("topologySpreadConstraints") or ())
        self.verdicts = {}              # node name -> verdict.Verdict


class PodInfo:
    """One Pod in the scheduler's cache. `key` is "namespace/name"; `claims` are names of PersistentVolumeClaims."""

    __slots__ = ("claims", "key", "labels", "namespace", "pod", "priority", "shape", "terminating", "uid")

    def __init__(self, key, pod, shape):
        meta, spec = pod["metadata"], pod["spec"]
        self.key = key
        self.pod = pod
        self.shape = shape
        self.uid = meta["uid"]
        self.namespace = meta["namespace"]
        self.labels = meta.get("labels") or {}
        self.priority = spec.get("priority") or 0
        self.claims = tuple(claims_of(pod))
        self.terminating = is_deleting(pod)

    def is_still(self, pod):
        """Whether a later version of the Pod is the same to the scheduler: all it may have is another status."""
        meta, spec, old = pod["metadata"], pod["spec"], self.pod["spec"]
        same = spec is old or all(spec.get(field) is old.get(field) for field in CHANGEABLE)
        return (same and meta["uid"] == self.uid and ("deletionTimestamp" in meta) == self.terminating
                and (meta.get("labels") or {}) == self.labels)


class Shapes:
    """Finds the Shape of a spec: by the identity of its parts if it can, else by their value."""

    def __init__(self):
        self._by_parts = {}             # ids of the parts -> (the parts, which stay alive so that the ids do; Shape)
        self._by_value = {}

    def of(self, spec):
        """The Shape that a Pod's spec has."""
        parts = self._parts(spec)
        ids = tuple(map(id, parts))
        known = self._by_parts.get(ids)
        if known is None:
            if len(self._by_parts) > REMEMBERED:
                self._by_parts.clear()
            value = repr(parts)
            shape = self._by_value.get(value)
            if shape is None:
                if len(self._by_value) > REMEMBERED:
                    self._by_value.clear()
                shape = self._by_value[value] = Shape(spec)
            known = self._by_parts[ids] = (parts, shape)
        return known[1]

    @staticmethod
    def _parts(spec):
        get = spec.get
        parts = [get(field) for field in ("tolerations", "affinity", "nodeSelector", "topologySpreadConstraints", "overhead", "resources")]
        for field in ("containers", "initContainers"):
            for container in get(field) or ():
                parts += (field, container["image"], container.get("resources"), container.get("ports"), container.get("restartPolicy"))
        return parts

    def forget_verdicts(self, images):
        """Nodes came or went, or pulled or lost images: what was remembered about shapes with one of these images is not true any more."""
        for shape in self._by_value.values():
            if any(image in images for image in shape.images):
                shape.verdicts.clear()
