"""What the parts of a kubelet have in common: they are one process, with one account."""
from ...component import Component


class KubeletPart(Component):
    """A loop of the kubelets of all nodes, with work of its own."""

    actor = "kubelet"
    user = "system:nodes"
    manager = "kubelet"
    event_source = {"component": "kubelet"}
    first_retry = longest_retry = 10_000               # the status manager's period, and a failed sync's back-off

    @property
    def kubelet(self):
        return self.cluster.components["kubelet"]
