"""What the scheduler knows of one node: its Node object, the Pods on it and the sums over them."""
from .requests import NATIVE, amount


class NodeInfo:
    """`generation` grows with every change that an answer about this node may depend on.

    `node` is None while only Pods say that there is such a node.
    """

    __slots__ = ("cpu", "ephemeral", "generation", "images", "labels", "max_pods", "memory", "name", "node", "others", "pods", "ports",
                 "scored_cpu", "scored_memory", "taints", "used_cpu", "used_ephemeral", "used_memory", "used_others")

    def __init__(self, name):
        self.name, self.node, self.generation = name, None, 0
        self.pods = {}                  # key -> PodInfo
        self.ports = {}                 # (address, protocol, port) -> how many Pods have it
        self.used_cpu = self.used_memory = self.used_ephemeral = self.scored_cpu = self.scored_memory = 0
        self.used_others = {}
        self.labels, self.taints, self.images, self.others = {}, (), {}, {}
        self.cpu = self.memory = self.ephemeral = self.max_pods = 0

    def set_node(self, node):
        """Take over a new version of the Node object (or None: it is gone)."""
        self.node = node
        self.generation += 1
        if node is None:
            return
        self.labels = node["metadata"].get("labels") or {}
        self.taints = tuple(node["spec"].get("taints") or ())
        status = node.get("status") or {}
        allocatable = {name: amount(name, str(text)) for name, text in (status.get("allocatable") or {}).items()}
        self.cpu, self.memory, self.ephemeral = (allocatable.pop(name, 0) for name in NATIVE)
        self.max_pods = allocatable.pop("pods", 0)
        self.others = allocatable
        self.images = {name: image.get("sizeBytes", 0) for image in status.get("images") or () for name in image.get("names") or ()}

    def add(self, info):
        """A Pod is (or is assumed to be) on this node."""
        self._count(info, 1)
        self.pods[info.key] = info

    def remove(self, key):
        """A Pod is gone, or has ended."""
        self._count(self.pods.pop(key), -1)

    def _count(self, info, sign):
        shape = info.shape
        asked, scored = shape.requests, shape.scored
        self.generation += 1
        self.used_cpu += sign * asked.cpu
        self.used_memory += sign * asked.memory
        self.used_ephemeral += sign * asked.ephemeral
        self.scored_cpu += sign * scored.cpu
        self.scored_memory += sign * scored.memory
        for name, number in asked.others.items():
            self.used_others[name] = self.used_others.get(name, 0) + sign * number
        for port in shape.ports:
            self.ports[port] = self.ports.get(port, 0) + sign
            if not self.ports[port]:
                del self.ports[port]

    def copy(self):
        """A NodeInfo to try things on."""
        other = NodeInfo(self.name)
        for field in self.__slots__:
            setattr(other, field, getattr(self, field))
        other.pods, other.ports, other.used_others = dict(self.pods), dict(self.ports), dict(self.used_others)
        return other
