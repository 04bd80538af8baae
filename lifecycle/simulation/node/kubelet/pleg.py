"""The pod lifecycle event generator: once a second the kubelet lists what the runtime has; a Pod in which something changed is synced (pkg/kubelet/pleg)."""
from zlib import crc32

from ..durations import PLEG_PERIOD


def tick(node, at):
    """The first listing of a node after `at` (ms). Each node has its own rhythm."""
    offset = crc32(node.encode()) % PLEG_PERIOD
    return at + PLEG_PERIOD - (at - offset) % PLEG_PERIOD


def fresh(worker):
    """Whether the runtime was listed since the last sync ended; no sync begins before (podCache.GetNewerThan)."""
    synced = worker.record["synced"]
    return synced is None or worker.record["listed"] > synced or tick(worker.key.node, synced) <= worker.now


def due(worker, wanted):
    """When the runtime is to be listed for this Pod (ms), or None if there is nothing to notice. `wanted`: a sync waits for it."""
    times = [tick(worker.key.node, at) for at in _unseen(worker)]
    if worker.record["relist_at"] is not None:
        times.append(worker.record["relist_at"])
    if wanted and not fresh(worker):
        times.append(tick(worker.key.node, worker.record["synced"]))
    return min(times, default=None)


def _unseen(worker):
    """The times of the changes that were not noticed yet."""
    seen, runtime = worker.record["seen"], worker.runtime
    sandbox = runtime["sandbox"]
    step = worker.record["step"]
    if sandbox and not (step and step["until"] > worker.now) and seen.get(sandbox["id"]) != sandbox["state"] and sandbox["state"] == "ready":
        yield sandbox["at"]
    for identity, container in runtime["containers"].items():
        if seen.get(identity) != container["state"] and container["state"] != "created":
            yield container["finished"] if container["state"] == "exited" else container["started"]


def relist(worker):
    """Notice what changed; asks for a sync if anything did."""
    runtime, seen = worker.runtime, worker.record["seen"]
    now = {identity: container["state"] for identity, container in runtime["containers"].items() if container["state"] != "created"}
    for identity, state in now.items():
        if seen.get(identity) != state:
            worker.record["again"] = True
            _tell(worker, runtime["containers"][identity])
    if evicted(worker):
        _remove_dead(worker)
    sandbox = runtime["sandbox"]
    if sandbox:
        worker.record["again"] = worker.record["again"] or seen.get(sandbox["id"]) is None
        now[sandbox["id"]] = sandbox["state"]
    worker.record.update(seen=now, relist_at=None, listed=worker.now)


def _tell(worker, container):
    """The listing's news about one container."""
    runtime = worker.kubelet.runtime
    facts = {**worker.key.facts, "container": container["name"], "id": container["id"][:12]}
    if container["state"] == "running":
        runtime.say("kubelet", "ContainerStarted", None, worker.key.object, facts)
        return
    runtime.say("kubelet", "ContainerExited", None, worker.key.object, {**facts, "code": container["code"], "why": container["reason"]})
    worker.record["cleanup"] = True


def evicted(worker):
    """Whether the kubelet itself has ended the Pod for want of resources."""
    return (worker.record.get("failed") or [None])[0] == "Evicted"


def _remove_dead(worker):
    """An evicted Pod's containers are not kept: whichever has ended before the Pod's end was reported is lost (cleanUpContainersInPod)."""
    for container in list(worker.runtime["containers"].values()):
        if container["state"] == "exited" and container["id"] not in worker.record["kills"]:
            _remove(worker, container)


def _remove(worker, container):
    worker.say("cri", "RemoveContainer", f"RemoveContainer {container['id'][:12]}", container=container["name"])
    worker.kubelet.runtime.remove_container(worker.key, container["id"])


def clean_up(worker):
    """Of a container's dead instances only the newest is kept (MaxPerPodContainerCount 1), once its end was reported."""
    worker.record["cleanup"] = False
    newest = {container["name"]: container["attempt"] for container in worker.runtime["containers"].values() if container["state"] == "exited"}
    for container in list(worker.runtime["containers"].values()):
        if container["state"] == "exited" and container["attempt"] < newest[container["name"]]:
            _remove(worker, container)
