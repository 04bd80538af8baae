"""A DaemonSet with its nodes and the Pods on each."""
from typing import NamedTuple

from ....objects import is_deleting, is_terminal
from ..adoption import is_controlled_by
from ..pod_bodies import pod_from_template, with_labels
from .placement import bound_to, standing_of, target_of

HASH, GENERATION = "controller-revision-hash", "pod-template-generation"
TEMPLATE_GENERATION = "deprecated.daemonset.template.generation"


class Daemons(NamedTuple):
    """`nodes`: {name: (should run, may stay)}; `pods`: {node: Pods, scheduled ones first, then the oldest}; `hash` is that of the present template."""

    daemon_set: dict
    hash: str
    nodes: dict
    pods: dict
    clock: object

    @property
    def wanted(self):
        """How many nodes should have a Pod."""
        return sum(run for run, _ in self.nodes.values())

    @property
    def least(self):
        return self.daemon_set["spec"].get("minReadySeconds", 0)

    def on(self, node):
        return self.pods.get(node, [])


def daemons_of(daemon_set, hash, nodes, pods, clock):
    """The Daemons of a DaemonSet, all Nodes and the Pods that it controls; Pods that have ended and are being deleted are as good as gone."""
    found = {}
    for pod in sorted(pods, key=lambda pod: (not pod["spec"].get("nodeName"), pod["metadata"]["creationTimestamp"], pod["metadata"]["name"])):
        node = target_of(pod)
        if node is not None and not (is_terminal(pod) and is_deleting(pod)):
            found.setdefault(node, []).append(pod)
    return Daemons(daemon_set, hash, {node["metadata"]["name"]: standing_of(node, daemon_set) for node in nodes}, found, clock)


def controlled_pods(indexes, daemon_set):
    return [pod for pod in indexes.find("pods by owner", daemon_set["metadata"]["uid"]).values() if is_controlled_by(pod, daemon_set)]


def template_generation(daemon_set):
    """The number of the present template, as text, or None if nobody wrote it down."""
    return (daemon_set["metadata"].get("annotations") or {}).get(TEMPLATE_GENERATION)


def is_updated(pod, daemon_set, hash):
    """Whether a Pod was made from the present template."""
    labels = pod["metadata"].get("labels") or {}
    return labels.get(HASH) == hash or template_generation(daemon_set) is not None and labels.get(GENERATION) == template_generation(daemon_set)


def daemon_pod(daemon_set, hash, node):
    """The Pod for a node."""
    template = daemon_set["spec"]["template"]
    generation = template_generation(daemon_set)
    pod = pod_from_template({**template, "spec": bound_to(template["spec"], node)}, daemon_set)
    return with_labels(pod, {HASH: hash, **({GENERATION: generation} if generation is not None else {})})
