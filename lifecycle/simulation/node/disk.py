"""What lies on a node's own disk, and whether the node has power: the shared knowledge of the parts of a node."""
from typing import NamedTuple

from ..broken import POWER, is_cut_off

BALLAST = "ballast"                      # {"NODE RESOURCE": bytes of memory or ephemeral-storage that something outside of all Pods takes}
POD_CIDR = "podCIDR"                     # the range of Pod addresses in a node's CNI configuration; every node that ever joined has one


class PodKey(NamedTuple):
    """Which Pod on which node; `key` is how work for it is named in the queue."""

    node: str
    namespace: str
    name: str
    uid: str

    @classmethod
    def parse(cls, key):
        return cls(*key.split("/"))

    @classmethod
    def of(cls, pod):
        """The PodKey of a Pod object that is bound to a node."""
        meta = pod["metadata"]
        return cls(pod["spec"]["nodeName"], meta["namespace"], meta["name"], meta["uid"])

    @property
    def key(self):
        return "/".join(self)

    @property
    def object(self):
        """The store key of the Pod."""
        return f"/registry/pods/{self.namespace}/{self.name}"

    @property
    def facts(self):
        """The facts on every message about the Pod."""
        return {"node": self.node, "pod": self.name, "namespace": self.namespace}


def node_space(node):
    """The disk space of a node."""
    return f"node {node}"


def is_down(etcd, node):
    """Whether a node is without power or network, or no more than a name, so that nothing on it acts."""
    return node in etcd.disk(POWER) or etcd.read(node_space(node), POD_CIDR) is None


def is_away(etcd, node):
    """Whether nobody outside of a node can speak to its kubelet."""
    return is_down(etcd, node) or is_cut_off(etcd, node)
