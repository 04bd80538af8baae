"""What registries answer when a node pulls an image: as the catalogue has it (images.py), unless something is broken."""
from ..broken import any_fault, read
from . import images

DIAL_TIMEOUT = 30_000                    # ms that containerd waits for a connection to a registry (core/remotes/docker)
DOCKER_HUB = "registry-1.docker.io"      # where images of docker.io are


def pull_error(etcd, reference):
    """What the runtime says when an image cannot be pulled now, or ""."""
    if not any_fault(etcd):
        return images.pull_error(reference)
    host, path, tag = images.parts(reference)
    if read(etcd, f"registry {host}"):
        server = DOCKER_HUB if host == "docker.io" else host
        return f'{images.unresolved(reference)}failed to do request: Head "https://{server}/v2/{path}/manifests/{tag}": dial tcp: lookup {server}: i/o timeout'
    how = read(etcd, f"image {reference}", {}).get("how")
    if how == "missing":
        return images.absent(reference)
    return images.denied(reference) if how == "denied" else images.pull_error(reference)


def pull_duration(etcd, reference, there):
    """Virtual ms that a pull takes; `there`: its layers are on the node."""
    usual = images.RESOLVE if there else images.pull_duration(reference)
    if not any_fault(etcd):
        return usual
    fault = read(etcd, f"image {reference}", {})
    if read(etcd, f"registry {images.parts(reference)[0]}"):
        return DIAL_TIMEOUT
    return images.RESOLVE if fault.get("how") in ("missing", "denied") else usual * fault.get("factor", 1)
