"""Builders: small things that a story needs, with defaults that do not matter to it."""
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.cluster import Cluster

from .freezing import freeze

SECOND = 1000


def a_cluster(nodes=3, cpu="2", memory="4Gi", seed=1):
    """A fresh cluster in strict mode."""
    cluster = Cluster(seed)
    cluster.etcd.freeze = freeze
    bootstrap(cluster, nodes, cpu, memory)
    return cluster


def a_pod(name="web", image="demo:ok", labels=None, **spec):
    """A Pod manifest with one container `app`; `container={...}` adds to the container, other words to the spec."""
    container = {"name": "app", "image": image, **spec.pop("container", {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default", **({"labels": labels} if labels else {})},
            "spec": {"containers": [container], **spec}}


def a_deployment(name="web", replicas=3, image="demo:ok", labels=None, template=None, **spec):
    """A Deployment manifest of one-container Pods; `template` adds to the Pod spec, other words to the Deployment's spec."""
    labels = labels or {"app": name}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "default"},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "app", "image": image}], **(template or {})}}, **spec}}


def a_service(name="web", labels=None, port=80, **spec):
    """A Service manifest that selects app=NAME unless told otherwise."""
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": labels or {"app": name}, "ports": [{"port": port}], **spec}}


def create(cluster, manifest):
    """POST a manifest as a user would; the Response."""
    from lifecycle.simulation.resources import by_kind

    row = by_kind()[manifest["apiVersion"], manifest["kind"]]
    return cluster.api.http("POST", row.path(manifest["metadata"].get("namespace"))if row.namespaced else row.path(), {}, manifest)


def run(cluster, seconds):
    """Let so many virtual seconds pass."""
    cluster.run_until(cluster.clock.now + round(seconds * SECOND))


def get(cluster, qualified, name, namespace="default"):
    """The stored object, or None."""
    from lifecycle.simulation.resources import resource

    return cluster.etcd.get(resource(qualified).key(namespace, name))


def every(cluster, qualified, namespace=None):
    """All stored objects of a kind, sorted by key."""
    from lifecycle.simulation.resources import resource

    return cluster.etcd.range(resource(qualified).prefix(namespace))


def kubectl(cluster, line, files=None, seconds=0):
    """Type a command, let `seconds` pass (at least until it ends, for a command that does not wait), and return its record."""
    command = cluster.kubectl(line, files or {})
    run(cluster, max(seconds, 2))
    return cluster.console.command(command)


def said(cluster, reason=None, source=None, target=None):
    """The messages so far with that reason, source and target."""
    return [step for step in cluster.log.steps if reason in (None, step.reason) and source in (None, step.source) and target in (None, step.target)]
