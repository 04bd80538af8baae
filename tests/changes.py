"""What a user does to objects that exist, as requests."""
from lifecycle.simulation.resources import resource


def patch(cluster, qualified, name, body, namespace="default", subresource=None):
    """Strategic merge patch; the Response."""
    path = resource(qualified).path(namespace, name, subresource)
    return cluster.api.http("PATCH", path, {}, body, "application/strategic-merge-patch+json")


def delete(cluster, qualified, name, policy=None, namespace="default", **options):
    """DELETE with a propagation policy; the Response."""
    body = {"kind": "DeleteOptions", "apiVersion": "v1", **({"propagationPolicy": policy} if policy else {}), **options}
    return cluster.api.http("DELETE", resource(qualified).path(namespace, name), {}, body)


def scale(cluster, replicas, name="web", qualified="deployments.apps"):
    return patch(cluster, qualified, name, {"spec": {"replicas": replicas}})


def set_image(cluster, image, name="web"):
    return patch(cluster, "deployments.apps", name, {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": image}]}}}})


def history(cluster, qualified, name, namespace="default"):
    """The object after each of its changes so far, oldest first."""
    key = resource(qualified).key(namespace, name)
    return [change.object for change in cluster.etcd.since(0, key) if change.key == key]
