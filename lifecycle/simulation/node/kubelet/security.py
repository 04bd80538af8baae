"""Who a container's program runs as (pkg/kubelet/kuberuntime/security_context.go)."""
from ...objects import at
from .. import images


def setting(spec, container, name):
    """A field of the security context: the container's own, else the Pod's."""
    own = at(container, "securityContext", name)
    return at(spec, "securityContext", name) if own is None else own


def problem(worker, container):
    """Why a container that must not run as root cannot be made, or None."""
    if not setting(worker.spec, container, "runAsNonRoot"):
        return None
    user = setting(worker.spec, container, "runAsUser")
    place = f'pod: "{worker.key.name}_{worker.key.namespace}({worker.key.uid})", container: {container["name"]}'
    if user == 0:
        return f"container's runAsUser breaks non-root policy ({place})"
    if user is None and images.entry(images.canonical(container["image"])).get("user", 0) == 0:
        return f"container has runAsNonRoot and image will run as root ({place})"
    return None


def identity(worker, container, image):
    """`user` of a container status."""
    user = setting(worker.spec, container, "runAsUser")
    uid = images.entry(image).get("user", 0) if user is None else user
    gid = setting(worker.spec, container, "runAsGroup")
    gid = 0 if gid is None else gid
    groups = [gid, at(worker.spec, "securityContext", "fsGroup"), *at(worker.spec, "securityContext", "supplementalGroups", default=())]
    return {"linux": {"uid": uid, "gid": gid, "supplementalGroups": [group for group in dict.fromkeys(groups) if group is not None]}}
