"""What stories about the scheduler ask and do."""
from lifecycle.simulation.client import Client

from .builders import create, every, get, run


def admin(cluster):
    """The API as an administrator's program sees it."""
    return Client(cluster.api, cluster.etcd, "user", "kubernetes-admin", "test", {})


def asking(**requests):
    """The part of `a_pod` that makes its container request resources."""
    return {"container": {"resources": {"requests": requests}}}


def place(cluster, manifest, seconds=1):
    """Create a Pod and wait until it has a node, whose name is returned."""
    answer = create(cluster, manifest)
    assert answer.ok, answer.body
    run(cluster, seconds)
    return node_of(cluster, manifest["metadata"]["name"])


def node_of(cluster, name):
    """The node that a Pod was bound to, or None."""
    return get(cluster, "pods", name)["spec"].get("nodeName")


def condition_of(cluster, name, kind="PodScheduled"):
    """A Pod's condition, or None."""
    return next((one for one in get(cluster, "pods", name)["status"].get("conditions") or () if one["type"] == kind), None)


def why(cluster, name):
    """What the condition PodScheduled of a Pod without a node says."""
    found = condition_of(cluster, name)
    assert (found["status"], found["reason"]) == ("False", "Unschedulable")
    return found["message"]


def events(cluster, name, reason):
    """The messages of a Pod's (or Node's) Events of a kind, oldest first."""
    found = [one for one in every(cluster, "events") if one["involvedObject"]["name"] == name and one["reason"] == reason]
    return [one["message"] for one in sorted(found, key=lambda one: int(one["metadata"]["resourceVersion"]))]


def failures(cluster, name):
    """The messages of a Pod's FailedScheduling Events."""
    return events(cluster, name, "FailedScheduling")


def label(cluster, node, **labels):
    """Put labels on a node; None takes one away."""
    assert admin(cluster).patch("nodes", "", node, {"metadata": {"labels": labels}}, patch_type="merge").ok


def taint(cluster, node, **taint):
    """Add a taint to a node."""
    taints = get(cluster, "nodes", node, "")["spec"].get("taints") or []
    assert admin(cluster).patch("nodes", "", node, {"spec": {"taints": [*taints, taint]}}, patch_type="merge").ok


def untaint(cluster, node, key):
    """Remove a taint from a node."""
    taints = [one for one in get(cluster, "nodes", node, "")["spec"].get("taints") or [] if one["key"] != key]
    assert admin(cluster).patch("nodes", "", node, {"spec": {"taints": taints or None}}, patch_type="merge").ok


def priority_class(cluster, name, value, **more):
    """Make a PriorityClass."""
    assert create(cluster, {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value, **more}).ok
