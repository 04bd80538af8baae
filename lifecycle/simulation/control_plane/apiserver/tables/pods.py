"""The rows of pods: READY, STATUS and RESTARTS out of the statuses of the containers (printPod in printers.go)."""
from lifecycle.simulation.durations import age
from lifecycle.simulation.label_text import pairs
from lifecycle.simulation.objects import at, condition, is_ready

from .cells import containers, created

TERMINAL = ("Succeeded", "Failed")


def pod(thing, clock):
    status, spec = thing.get("status", {}), thing.get("spec", {})
    ready, total, reason, restarts, last_restart = summary(thing)
    restarted = f"{restarts} ({age(last_restart, clock)} ago)" if restarts and last_restart else str(restarts)
    ip = next((each["ip"] for each in status.get("podIPs") or () if each.get("ip")), None)
    return [thing["metadata"]["name"], f"{ready}/{total}", reason, restarted, created(thing, clock),
            ip or "<none>", spec.get("nodeName") or "<none>", status.get("nominatedNodeName") or "<none>", _gates(spec, status)]


def summary(thing):
    """(ready containers, all containers, STATUS, restarts, time of the last restart or None) of a Pod."""
    status, spec = thing.get("status", {}), thing.get("spec", {})
    sidecars = {each["name"] for each in spec.get("initContainers") or () if each.get("restartPolicy") == "Always"}
    reason = _initial_reason(thing, status)
    init_reason, ready = _init_reason(status, spec, sidecars)
    counted = list(status.get("initContainerStatuses") or ())
    if init_reason is None or at(condition(thing, "Initialized"), "status") == "True":
        own = status.get("containerStatuses") or ()
        main_reason, running = _container_reason(own, init_reason or reason, thing)
        reason, ready = main_reason, ready + running
        counted = [each for each in counted if each["name"] in sidecars] + list(own)
    else:
        reason = init_reason
    restarts = sum([each.get("restartCount", 0) for each in counted])
    last = max([at(each, "lastState", "terminated", "finishedAt", default="") for each in counted], default="")
    return ready, len(spec.get("containers") or ()) + len(sidecars), _deletion_reason(thing, status, reason), restarts, last or None


def _initial_reason(thing, status):
    if at(condition(thing, "PodScheduled"), "reason") == "SchedulingGated":
        return "SchedulingGated"
    return status.get("reason") or status.get("phase", "")


def _init_reason(status, spec, sidecars):
    """(what keeps the Pod initializing, or None; how many sidecars are ready until there)."""
    ready = 0
    for position, each in enumerate(status.get("initContainerStatuses") or ()):
        state = each.get("state") or {}
        ended = state.get("terminated")
        waiting = at(state, "waiting", "reason", default="")
        if ended and not ended.get("exitCode"):
            continue
        if each["name"] in sidecars and each.get("started"):
            ready += bool(each.get("ready"))
        elif ended:
            return f"Init:{termination_reason(ended)}", ready
        elif waiting and waiting != "PodInitializing":
            return f"Init:{waiting}", ready
        else:
            return f"Init:{position}/{len(spec.get('initContainers') or ())}", ready
    return None, ready


def _container_reason(statuses, reason, thing):
    """(STATUS as the main containers make it, how many of them are running and ready). The first container in the spec has the last word."""
    running, error = 0, None
    for each in reversed(statuses):
        state = each.get("state") or {}
        ended, waiting = state.get("terminated"), at(state, "waiting", "reason", default="")
        if waiting:
            reason = waiting
        elif ended:
            reason = termination_reason(ended)
            error = reason if ended.get("exitCode") else error
        elif each.get("ready") and "running" in state:
            running += 1
    if reason == "Completed":
        if running and is_ready(thing):
            reason = "Running"
        elif error or running:
            reason = error or "NotReady"
    return reason, running


def termination_reason(ended):
    """The reason a container gave for its end, or its signal or exit code if it gave none."""
    if ended.get("reason"):
        return ended["reason"]
    return f"Signal:{ended['signal']}" if ended.get("signal") else f"ExitCode:{ended.get('exitCode', 0)}"


def _deletion_reason(thing, status, reason):
    if "deletionTimestamp" not in thing["metadata"]:
        return reason
    if status.get("reason") == "NodeLost":
        return "Unknown"
    return reason if status.get("phase") in TERMINAL else "Terminating"


def _gates(spec, status):
    gates = [each["conditionType"] for each in spec.get("readinessGates") or ()]
    met = {each["type"] for each in status.get("conditions") or () if each["status"] == "True"}
    return f"{len([gate for gate in gates if gate in met])}/{len(gates)}" if gates else "<none>"


def pod_template(thing, clock):
    return [thing["metadata"]["name"], *containers(thing.get("template")), pairs(at(thing, "template", "metadata", "labels"))]


CELLS = {"pods": pod, "podtemplates": pod_template}
