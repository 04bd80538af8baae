"""Pods as people look at them: the STATUS that kubectl prints, containers, sandbox, address and volumes."""
from typing import NamedTuple

from ..simulation.control_plane.apiserver.tables.pods import summary, termination_reason
from ..simulation.objects import at, condition, is_deleting

GOOD, WAITING, ENDING, BAD, DONE = "good", "wait", "ending", "bad", "done"
WAITING_STATES = ("Pending", "ContainerCreating", "PodInitializing", "SchedulingGated", "NotReady", "")
FIELDS = (("initContainers", "initContainerStatuses", "init"), ("containers", "containerStatuses", ""),
          ("ephemeralContainers", "ephemeralContainerStatuses", "debug"))
HIDDEN_VOLUME = "kube-api-access-"


class Container(NamedTuple):
    """`kind` is "init", "sidecar", "debug" or ""."""

    name: str
    kind: str
    image: str
    state: str
    tone: str
    restarts: int


class Pod(NamedTuple):
    key: str
    namespace: str
    name: str
    status: str
    tone: str
    ready: str
    restarts: int
    phase: str
    ip: str
    node: str
    sandbox: bool
    containers: list
    volumes: list


def pod_view(key, pod):
    """The Pod at a store key."""
    ready, total, status, restarts, _ = summary(pod)
    spec, meta = pod["spec"], pod["metadata"]
    return Pod(key, meta["namespace"], meta["name"], status, tone_of(pod, status, ready, total), f"{ready}/{total}", restarts,
               at(pod, "status", "phase", default=""), at(pod, "status", "podIP", default=""), spec.get("nodeName", ""), has_sandbox(pod),
               list(containers(pod)), [volume["name"] for volume in spec.get("volumes") or () if not volume["name"].startswith(HIDDEN_VOLUME)])


def tone_of(pod, status, ready=0, total=0):
    """The colour of a STATUS."""
    if is_deleting(pod):
        return ENDING
    if status in ("Completed", "Succeeded"):
        return DONE
    if status == "Running":
        return GOOD if ready >= total else WAITING
    if status in WAITING_STATES or (status.startswith("Init:") and status[5:6].isdigit()):
        return WAITING
    return BAD


def has_sandbox(pod):
    """Whether the pause container holds the Pod's network, as the Pod's conditions say."""
    return at(condition(pod, "PodReadyToStartContainers"), "status") == "True"


def containers(pod):
    """A Container for every one in the spec, with what its status says."""
    for field, statuses, kind in FIELDS:
        found = {each["name"]: each for each in at(pod, "status", statuses, default=())}
        for each in pod["spec"].get(field) or ():
            status = found.get(each["name"], {})
            kind_of_it = "sidecar" if kind == "init" and each.get("restartPolicy") == "Always" else kind
            yield Container(each["name"], kind_of_it, each["image"], *container_state(status), status.get("restartCount", 0))


def container_state(status):
    """(words, tone) of a container's status; {} if it has none yet."""
    state = status.get("state") or {}
    if "running" in state:
        return "Running", GOOD if status.get("ready") else WAITING
    if "terminated" in state:
        ended = state["terminated"]
        return termination_reason(ended), BAD if ended.get("exitCode") else DONE
    reason = at(state, "waiting", "reason", default="Waiting")
    return reason, WAITING if reason in (*WAITING_STATES, "Waiting") else BAD
