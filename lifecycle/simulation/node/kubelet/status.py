"""What the kubelet reports about a Pod: computed from the runtime's state, sent as a patch of what changed.

Rules: pkg/kubelet/kubelet_pods.go (generateAPIPodStatus, convertToAPIContainerStatuses), prober/prober_manager.go (UpdatePodStatus), recorded patches.
"""
from ...broken import Unavailable, read
from ...objects import is_deleting
from .. import images
from . import lost
from .conditions import ORDER, TRUE, conditions_of, merged
from .phase import is_sidecar, phase_of
from .resources import container_resources, pod_resources
from .restarts import will_restart
from .security import identity

SET_ORDER = [{"type": kind} for kind in ORDER]
ROOT = {"linux": {"uid": 0, "gid": 0, "supplementalGroups": [0]}}
ENDED = ("Succeeded", "Failed")
LIST_OF = {"initContainers": "initContainerStatuses", "containers": "containerStatuses", "ephemeralContainers": "ephemeralContainerStatuses"}


def report(worker, terminal=False, final=False):
    """PATCH the Pod's status if it changed; returns whether it did.

    `terminal`: everything has been stopped for good, so that the phase is decided. `final`: the kubelet gives the Pod up; what never ran counts as lost.
    If the status cannot be sent, the kubelet goes by it all the same, and sends it later (`catch_up`).
    """
    patch, after = changes(worker, terminal, final)
    if not patch:
        return False
    if worker.record.get("unsent"):
        _keep(worker, after, terminal, final)
        return True
    key = worker.key
    client = worker.client()
    if terminal and worker.record["ending"]:
        client = client.about(deleting=True, phase=patch.get("phase", ""))
    try:
        client.patch("pods", key.namespace, key.name, {"metadata": {"uid": key.uid}, "status": patch}, "status")
    except Unavailable:
        _keep(worker, after, terminal, final)
    return True


def _keep(worker, status, terminal, final):
    """The status is the kubelet's own until it can be sent."""
    worker.record["unsent"] = [terminal, final]
    worker.pod = {**worker.pod, "status": status}
    worker.kubelet.etcd.write(worker.space, f"own {worker.key.uid}", worker.pod)


def catch_up(worker):
    """Send what could not be sent before; returns whether there was something to send, and it was sent now."""
    unsent = worker.record.get("unsent")
    if not unsent or worker.stored is None or read(worker.kubelet.etcd, "etcd"):
        return False
    worker.pod, worker.record["unsent"] = worker.stored, None
    worker.kubelet.etcd.write(worker.space, f"own {worker.key.uid}", None)
    return report(worker, *unsent)


def changes(worker, terminal=False, final=False):
    """(the status patch body, {} if nothing changed; the status as it is then)"""
    pod, old = worker.pod, worker.pod.get("status", {})
    new = statuses_of(worker, old)
    worker.phase = phase = _phase(worker, new, old, terminal)
    inits, mains = new.get("initContainerStatuses", ()), new.get("containerStatuses", ())
    wanted = {**conditions_of(worker.spec, old, inits, mains, phase, bool(worker.sandbox)), "PodScheduled": TRUE}
    resize = worker.record.get("resize")
    if resize:
        wanted[resize["condition"]] = ("True", resize["reason"], resize["message"])
    if terminal and worker.record.get("disruption"):
        wanted["DisruptionTarget"] = ("True", worker.record["disruption"], worker.record["failed"][1])
    if final:
        new, phase = lost.given_up(worker.spec, new, phase)
    new["phase"] = phase if terminal or phase not in ENDED else old["phase"]          # never final while something may run (mergePodStatus)
    new.update(_about_the_pod(worker, old, terminal))
    patch = {name: value for name, value in new.items() if old.get(name) != value}
    stamp = worker.timestamp()
    conditions, changed = merged(old.get("conditions", ()), wanted, pod["metadata"].get("generation"), stamp)
    if changed:
        patch = {"$setElementOrder/conditions": SET_ORDER, "conditions": changed, **patch}
    return patch, {**old, **new, "conditions": conditions}


def _phase(worker, new, old, terminal):
    if old.get("phase") in ENDED:
        return old["phase"]
    if worker.record.get("failed"):
        return "Failed"
    return phase_of(worker.spec, new.get("initContainerStatuses", ()), new.get("containerStatuses", ()), terminal)


def _about_the_pod(worker, old, terminal):
    """The fields that are the Pod's, not its containers'."""
    told, sandbox = {"observedGeneration": worker.pod["metadata"].get("generation")}, worker.runtime["sandbox"]
    failed = worker.record.get("failed")
    if failed and terminal:
        told["reason"], told["message"] = failed
    if "startTime" not in old:
        address = worker.kubelet.address(worker.key.node)
        told.update(hostIP=address, hostIPs=[{"ip": address}], startTime=worker.timestamp(worker.record["since"]))
    if sandbox and old.get("podIP") != sandbox["ip"] and worker.record["work"] == "sync" and worker.record["stage"] == "status":
        told.update(podIP=sandbox["ip"], podIPs=[{"ip": sandbox["ip"]}])
    return {**told, **pod_resources(worker)}


# -- containers ----------------------------------------------------------------------------------------------------------------
def statuses_of(worker, old):
    """{"containerStatuses": [...], "initContainerStatuses": [...]} as the runtime's state says."""
    spec, result = worker.spec, {}
    by_name = {}
    for container in worker.runtime["containers"].values():
        by_name.setdefault(container["name"], []).append(container)
    for field, listed in LIST_OF.items():
        if spec.get(field):
            before = {status["name"]: status for status in old.get(listed, ())}
            result[listed] = [_container(worker, container, by_name.get(container["name"]), before.get(container["name"]), field) for container in spec[field]]
    return result


def _started(field, started):
    """Of ephemeral containers nobody says whether they have started: they have no probes."""
    return {} if field == "ephemeralContainers" else {"started": started}


def _container(worker, container, instances, before, field):
    """The status of one container of the spec; `instances` are the runtime's of that name, oldest first."""
    if not instances:
        return _never_created(worker, container, before, field)
    newest = instances[-1]
    image, image_id = images.status_name(worker.kubelet.runtime.images(worker.key.node), newest["image"])
    state = state_of(newest, worker.kubelet.clock)
    last = state_of(instances[-2], worker.kubelet.clock) if len(instances) > 1 else _known_last(before, newest)
    reason = worker.record["reasons"].get(container["name"])
    done = field == "initContainers" and newest["state"] == "exited" and newest["code"] == 0
    if reason and not done and not worker.record["ending"] and will_restart(worker.spec, container, newest, field):
        last = state if "terminated" in state else last
        state = {"waiting": _waiting(reason)}
    started, ready = _probed(worker, container, newest, field)
    status = {"name": container["name"], "state": state, "lastState": last, "ready": ready, "restartCount": newest["attempt"], "image": image,
              "imageID": image_id, "containerID": f"containerd://{newest['id']}", **_started(field, started),
              **container_resources(container, newest.get("asked"))}
    if newest.get("mounts"):
        status["volumeMounts"] = newest["mounts"]
    status["user"] = identity(worker, container, newest["image"]) if worker.spec.get("securityContext") or container.get("securityContext") else ROOT
    return status


def _known_last(before, newest):
    """The last state that was told of this same container before its predecessor was removed."""
    return before["lastState"] if before and before.get("containerID") == f"containerd://{newest['id']}" else {}


def _never_created(worker, container, before, field):
    """The status of a container of which the runtime has nothing."""
    if before and "terminated" in before["state"]:
        return before
    reason = None if is_deleting(worker.pod) else worker.record["reasons"].get(container["name"])       # nobody will try again
    initializing = worker.spec.get("initContainers") or field == "initContainers"
    state = _waiting(reason) if reason else {"reason": "PodInitializing" if initializing else "ContainerCreating"}
    last, restarts = lost.removed(worker.pod, before) if before else ({}, 0)
    status = {"name": container["name"], "state": {"waiting": state}, "lastState": last, "ready": False, "restartCount": restarts,
              "image": container["image"], "imageID": "", **_started(field, False)}
    mounts = mount_statuses(container)
    if mounts:
        status["volumeMounts"] = mounts
    return status


def _waiting(reason):
    return {"reason": reason[0], "message": reason[1]} if reason[1] else {"reason": reason[0]}


def state_of(container, clock):
    """The ContainerState of one of the runtime's containers."""
    skew = container.get("skew", 0)
    if container["state"] == "running":
        return {"running": {"startedAt": clock.timestamp(container["started"] + skew)}}
    if container["state"] == "created":
        return {"waiting": {}}
    ended = {"exitCode": container["code"], "reason": container["reason"]}
    if container.get("message"):
        ended["message"] = container["message"]
    started = container["started"]
    ended.update(startedAt=clock.timestamp(started + skew) if started is not None else "1970-01-01T00:00:00Z",
                 finishedAt=clock.timestamp(container["finished"] + skew), containerID=f"containerd://{container['id']}")
    return {"terminated": ended}


def _probed(worker, container, newest, field):
    """(started, ready) of a container."""
    running = newest["state"] == "running"
    if field == "initContainers" and not is_sidecar(container):
        return running, newest["state"] == "exited" and newest["code"] == 0
    results = worker.record["results"].get(newest["id"], {}) if running else {}
    started = running and results.get("startup", "startupProbe" not in container)
    return started, started and results.get("readiness", "readinessProbe" not in container)


def mount_statuses(container):
    """`volumeMounts` of a container status."""
    told = []
    for mount in container.get("volumeMounts", ()):
        status = {"name": mount["name"], "mountPath": mount["mountPath"]}
        if mount.get("readOnly"):
            status.update(readOnly=True, recursiveReadOnly=mount.get("recursiveReadOnly", "Disabled"))
        told.append(status)
    return told
