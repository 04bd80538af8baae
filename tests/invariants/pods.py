"""The life of a Pod: on its node, in its status, at its end."""
from lifecycle.simulation.objects import at, condition, controller_of, is_deleting, is_terminal

from .run import causes, lives, rule, scenes, statuses, told

PHASES = ("Pending", "Running", "Succeeded", "Failed")
FORCED = ("--force", "--grace-period=0", "--grace-period 0")


def states(run):
    """(key, change, Pod) of every state of every Pod."""
    for life in lives(run, "pods"):
        for change, pod in life.states:
            yield life.key, change, pod


def is_sidecar(container):
    return container.get("restartPolicy") == "Always"


@rule
def nothing_happens_to_a_pod_without_a_node(run):
    """5. A Pod with nodeName = "" has no hostIP, no container statuses, no kubelet events."""
    for key, change, pod in states(run):
        if not pod["spec"].get("nodeName") and (at(pod, "status", "hostIP") or statuses(pod)):
            yield f"{told(key, change)}: {pod['status']}"
    waiting = {pod["metadata"]["uid"] for pod in run.start.values() if pod["kind"] == "Pod" and not pod["spec"].get("nodeName")}
    for change in run.changes:
        thing = change.object
        if thing["kind"] == "Pod":
            (waiting.discard if thing["spec"].get("nodeName") else waiting.add)(thing["metadata"]["uid"])
        elif thing["kind"] == "Event" and at(thing, "source", "component") == "kubelet":
            about = thing["involvedObject"]
            if about["kind"] == "Pod" and about["uid"] in waiting:
                yield f"{told(change.key, change)}: {thing['reason']} of a Pod without a node"


@rule
def an_address_comes_with_the_sandbox(run):
    """7. podIP is empty until the sandbox exists; containers of one pod share the IP; restart keeps the IP; new sandbox may change it."""
    given = set()
    for step, world in scenes(run):
        if step.reason == "CNIAdd":
            given.add((step.object, step.facts["ip"]))
        pod = world.get(step.object) if step.target == "etcd" else None
        if pod is None or pod["kind"] != "Pod":
            continue
        address = at(pod, "status", "podIP")
        if address and not pod["spec"].get("hostNetwork") and (step.object, address) not in given:
            yield f"{step.object} at revision {step.revision}: {address} was never given"
        if address and pod["spec"].get("hostNetwork") and address != pod["status"]["hostIP"]:
            yield f"{step.object} at revision {step.revision}: {address} is not its node's"


@rule
def init_containers_go_first_and_one_by_one(run):
    """8. Init containers (non-sidecar) never overlap; main containers never start before all init done/started."""
    for key, change, pod in states(run):
        specs = pod["spec"].get("initContainers") or ()
        inits = {status["name"]: status for status in statuses(pod, "initContainerStatuses")}
        running = [spec["name"] for spec in specs if not is_sidecar(spec) and "running" in at(inits, spec["name"], "state", default={})]
        if len(running) > 1:
            yield f"{told(key, change)}: {' and '.join(running)} run at once"
        began = [status["name"] for status in statuses(pod, "containerStatuses") if "running" in status["state"]]
        unfinished = [spec["name"] for spec in specs if not _has_made_room(spec, inits.get(spec["name"]))]
        if began and unfinished:
            yield f"{told(key, change)}: {began[0]} runs before {unfinished[0]} is done"


def _has_made_room(spec, status):
    """Whether the containers after an init container may start: it succeeded, or is a sidecar that was started."""
    if status is None:
        return False
    if is_sidecar(spec):
        return "running" in status["state"] or bool(status["lastState"]) or "terminated" in status["state"]
    return at(status, "state", "terminated", "exitCode") == 0


@rule
def ready_is_earned(run):
    """9. Ready=True => ContainersReady=True => all main+sidecar `ready` => all `started` => running."""
    for key, change, pod in states(run):
        ready, containers = ((condition(pod, kind) or {}).get("status") == "True" for kind in ("Ready", "ContainersReady"))
        if ready and not containers:
            yield f"{told(key, change)}: Ready without ContainersReady"
        sidecars = [spec["name"] for spec in pod["spec"].get("initContainers") or () if is_sidecar(spec)]
        for status in [status for status in statuses(pod) if status["name"] in sidecars or status in statuses(pod, "containerStatuses")]:
            if containers and not status["ready"]:
                yield f"{told(key, change)}: ContainersReady, and {status['name']} is not ready"
            if status["ready"] and not status.get("started"):
                yield f"{told(key, change)}: {status['name']} is ready, and not started"
            if status.get("started") and "running" not in status["state"]:
                yield f"{told(key, change)}: {status['name']} is started, and does not run"


@rule
def an_end_is_an_end(run):
    """10. phase is Pending, Running, Succeeded or Failed; terminal is sticky; never "Terminating"."""
    for key, change, pod in states(run):
        if at(pod, "status", "phase") not in PHASES:
            yield f"{told(key, change)}: phase {at(pod, 'status', 'phase')}"
    for life in lives(run, "pods"):
        for change, before, after in life.pairs:
            if is_terminal(before) and after["status"]["phase"] != before["status"]["phase"]:
                yield f"{told(life.key, change)}: {before['status']['phase']} became {after['status']['phase']}"
            if before["status"]["phase"] == "Running" and after["status"]["phase"] == "Pending" and not before["spec"].get("initContainers"):
                yield f"{told(life.key, change)}: Running became Pending"


@rule
def a_pod_that_has_time_is_given_back_by_its_kubelet(run):
    """13. Pod with grace > 0: DELETED only after the kubelet's second DELETE(0), or a force/podgc."""
    why = causes(run)
    forced = [command.started for command in run.commands if any(word in command.line for word in FORCED)]
    for life in lives(run, "pods"):
        had_time = any((pod["metadata"].get("deletionGracePeriodSeconds") or 0) > 0 for _, pod in life.states)
        if life.removal is None or not had_time:
            continue
        if life.states[-1][1]["metadata"]["deletionGracePeriodSeconds"]:
            yield f"{told(life.key, life.removal)}: removed with time left"
        ended = next(change for change, pod in life.states if pod["metadata"].get("deletionGracePeriodSeconds") == 0)
        request = why[ended.revision]
        by_user = request.source == "kubectl" and any(started <= request.at for started in forced)
        if request.source != "kubelet" and request.facts.get("controller") != "pod-garbage-collector" and not by_user:
            yield f"{told(life.key, ended)}: given back by {request.source} {request.facts}"


@rule
def pods_stay_until_they_are_deleted_and_do_not_come_back(run):
    """18. Evicted/failed pods stay until deleted; bare pods are never recreated."""
    why = causes(run)
    for step, world in scenes(run):
        is_theirs = step.source == "kubelet" and step.reason == "DeletePod" and "code" not in step.facts
        if is_theirs and step.object in world and not is_deleting(world[step.object]):
            yield f"message {step.seq}: {step.object} was deleted by its kubelet alone"
    for change in run.changes:
        made_by_itself = change.type == "ADDED" and change.object["kind"] == "Pod" and why[change.revision].source != "kubectl"
        if made_by_itself and controller_of(change.object) is None:
            yield f"{told(change.key, change)}: made by {why[change.revision].source}"


@rule
def restarts_are_counted_and_change_nothing_else(run):
    """19. restartCount only increases; restart doesn't change uid, node, IP."""
    sandboxes = {}
    for step in run.steps:
        if step.reason == "CNIAdd":
            sandboxes.setdefault(step.object, []).append(step.at)
    for life in lives(run, "pods"):
        for change, before, after in life.pairs:
            counts = {status["name"]: status["restartCount"] for status in statuses(before)}
            for status in statuses(after):
                if status["restartCount"] < counts.get(status["name"], 0):
                    yield f"{told(life.key, change)}: {status['name']} restarted {counts[status['name']]} times, then {status['restartCount']}"
            old, new = at(before, "status", "podIP"), at(after, "status", "podIP")
            if old and old != new and len(sandboxes.get(life.key, ())) < 2:
                yield f"{told(life.key, change)}: {old} became {new} in the same sandbox"
