"""How each kind of volume is mounted: what must exist for it, and whom the kubelet asks."""
from ...objects import at
from ..texts import quoted
from . import claims

HOST_DIRECTORIES = (
    "", "/bin", "/boot", "/dev", "/etc", "/etc/kubernetes", "/etc/kubernetes/manifests", "/home", "/lib", "/lib/modules", "/mnt", "/opt", "/proc", "/root",
    "/run", "/run/containerd", "/sbin", "/srv", "/sys", "/sys/fs/cgroup", "/tmp", "/usr", "/var", "/var/lib", "/var/lib/kubelet", "/var/log",
    "/var/log/containers", "/var/log/pods", "/var/run")
HOST_FILES = ("/etc/hostname", "/etc/hosts", "/etc/localtime", "/etc/machine-id", "/etc/os-release", "/etc/passwd", "/etc/resolv.conf")
HOST_SOCKETS = ("/run/containerd/containerd.sock", "/var/run/containerd/containerd.sock")
HOST_TYPES = {"Directory": "a directory", "File": "a file", "Socket": "a socket file", "CharDevice": "a character device", "BlockDevice": "a block device"}
WAITING = object()
OBJECTS = {"configMap": ("configmaps", "configmap", "name"), "secret": ("secrets", "secret", "secretName")}


def request_token(worker):
    """POST serviceaccounts/NAME/token for the Pod's projected token, if it has one; returns whether it was sent."""
    sources = [source["serviceAccountToken"] for volume in worker.spec.get("volumes", ()) for source in at(volume, "projected", "sources", default=())
               if "serviceAccountToken" in source]
    if not sources:
        return False
    bound = {"kind": "Pod", "apiVersion": "v1", "name": worker.key.name, "uid": worker.key.uid}
    body = {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": {},
            "spec": {"audiences": None, "expirationSeconds": sources[0].get("expirationSeconds", 3600), "boundObjectRef": bound}}
    worker.client().create("serviceaccounts", worker.key.namespace, body, "token", worker.spec.get("serviceAccountName", "default"))
    return True


def mount(worker, volume):
    """Mount one volume. None if it worked, WAITING until it is attached, else the message of a FailedMount event."""
    if claims.claim_of(worker, volume):
        if claims.is_waiting(worker, volume):
            return WAITING
        return claims.mount(worker, volume)
    problem = missing(worker, volume)
    if problem:
        return f"MountVolume.SetUp failed for volume {quoted(volume['name'])} : {problem}"
    worker.say("kubelet", "MountVolume", None, volume=volume["name"], kind=kind_of(volume))
    return None


def unmount(worker, volume):
    """Undo it; returns the id of a volume that the node does not need any more, or None."""
    if claims.claim_of(worker, volume):
        return claims.unmount(worker, volume)
    worker.say("kubelet", "UnmountVolume", None, volume=volume["name"], kind=kind_of(volume))
    return None


def kind_of(volume):
    """"emptyDir", "projected", "persistentVolumeClaim", ..."""
    return next((field for field in volume if field != "name"), "emptyDir")


def missing(worker, volume):
    """What is missing for a volume made of API objects, or None."""
    if "hostPath" in volume:
        return _host_path(volume["hostPath"])
    for field, (qualified, word, name) in OBJECTS.items():
        if field in volume:
            return _missing_object(worker, volume[field], qualified, word, volume[field][name])
    for source in at(volume, "projected", "sources", default=()):
        for field, (qualified, word, _) in OBJECTS.items():
            if field in source:
                problem = _missing_object(worker, source[field], qualified, word, source[field]["name"])
                if problem:
                    return problem
    return None


def _missing_object(worker, source, qualified, word, name):
    if source.get("optional"):
        return None
    found = worker.kubelet.api.get(qualified, worker.key.namespace, name)
    if found is None:
        return f"{word} {quoted(name)} not found"
    keys = {**(found.get("data") or {}), **(found.get("binaryData") or {})}
    absent = [item["key"] for item in source.get("items", ()) if item["key"] not in keys]
    return f"references non-existent {word.replace('configmap', 'config')} key: {absent[0]}" if absent else None


def _host_path(source):
    """The type of a hostPath must fit what a node has (pkg/volume/hostpath)."""
    wanted, path = source.get("type", ""), source["path"]
    right = {"Directory": path.rstrip("/") in HOST_DIRECTORIES, "File": path in HOST_FILES, "Socket": path in HOST_SOCKETS,
             "CharDevice": False, "BlockDevice": False}
    return None if right.get(wanted, True) else f"hostPath type check failed: {path} is not {HOST_TYPES[wanted]}"
