"""Who speaks to whom, and what stands behind a message."""
import re

from lifecycle.simulation import faults

from .run import causes, rule, scenes

PARTNERS = {("user", "kubectl"), ("kubelet", "cri"), ("cri", "cni"), ("kubelet", "csi")}
FAULTS = {fault.reason for fault in faults.FAULTS}          # these come from outside, and reach whom they hit
WRITES = {"ADDED": ("POST", "PATCH", "PUT"), "MODIFIED": ("POST", "PUT", "PATCH", "DELETE"), "DELETED": ("DELETE", "PUT", "PATCH", "POST")}
WATCHERS = ("controller", "node", "pod", "id")          # facts that tell watches of one component apart


@rule
def only_the_api_server_speaks_to_etcd(run):
    """1. No message has etcd as one end unless the other end is the API server."""
    for step in run.steps:
        if "etcd" in (step.source, step.target) and {step.source, step.target} != {"etcd", "apiserver"} and step.reason not in FAULTS:
            yield f"message {step.seq}: {step.source} -> {step.target} {step.reason}"


@rule
def components_meet_in_the_api_only(run):
    """2. No message runs between two controllers, or controller and kubelet, or scheduler and kubelet."""
    for step in run.steps:
        pair = (step.source, step.target)
        if step.source != step.target and "apiserver" not in pair and pair not in PARTNERS and pair[::-1] not in PARTNERS and step.reason not in FAULTS:
            yield f"message {step.seq}: {step.source} -> {step.target} {step.reason}"


@rule
def every_change_has_a_request_before_it_and_watch_events_after_it(run):
    """3. Every state change of an object is preceded by an API write and followed by watch events."""
    written = {step.revision: step for step in run.steps if step.target == "etcd" and step.revision}
    why, changed = causes(run), {change.revision: change for change in run.changes}
    for change in run.changes:
        step, request = written.get(change.revision), why.get(change.revision)
        if step is None or request is None:
            yield f"revision {change.revision} of {change.key} was not asked for"
        elif step.object != change.key or step.facts["event"] != change.type or request.request.split()[0] not in WRITES[change.type]:
            yield f"revision {change.revision} of {change.key} ({change.type}) was written for {request.request}"
    yield from _wrong_deliveries(run, changed)


def _wrong_deliveries(run, changed):
    """Watch events that tell what did not happen, too early, or out of order."""
    latest = {}
    for step in run.steps:
        if step.source != "apiserver" or not step.reason.startswith("Watch") or step.revision not in changed:
            continue
        change, watcher = changed[step.revision], (step.target, *(step.facts.get(name) for name in WATCHERS), step.object)
        if change.key != step.object or step.at < change.at:
            yield f"message {step.seq} tells {step.target} of revision {step.revision} of {step.object}"
        if step.target in ("kubelet", "kubectl") and latest.get(watcher, 0) >= step.revision:
            yield f"message {step.seq} tells {step.target} of revision {step.revision} of {step.object} after {latest[watcher]}"
        latest[watcher] = step.revision


MOUNTED = "MountVolume"
NAMED = {MOUNTED: "volume", "NodePublishVolume": "volume", "CreateContainer": "container"}


@rule
def a_node_works_in_the_right_order(run):
    """6. Volumes mounted < sandbox created < image pull (main) < container created < started."""
    work = {}
    for step, world in scenes(run):
        pod = world.get(step.object) if isinstance(step.object, str) and step.object.startswith("/registry/pods/") else None
        node = step.facts.get("node")
        if pod is None or step.source != "kubelet" or pod["spec"].get("nodeName") != node:
            continue
        done = work.setdefault((node, pod["metadata"]["uid"]), [])
        missing = [needed for needed in _needed(step, pod) if needed not in done]
        if missing and not _has_had_a_namesake(run, step.object, pod):
            needed = ", ".join(f"{what} {name}" for what, name in missing)
            yield f"message {step.seq}: {step.reason} of {step.object} {step.facts.get('container', '')} before {needed}"
        done.append((MOUNTED if step.reason == "NodePublishVolume" else step.reason, step.facts.get(NAMED.get(step.reason))))


def _needed(step, pod):
    """What must have been done before, as (reason, name)."""
    if step.reason == "RunPodSandbox":
        return [(MOUNTED, volume["name"]) for volume in pod["spec"].get("volumes") or ()]
    if step.reason in ("PullImage", "CreateContainer"):
        return [("RunPodSandbox", None)]
    return [("CreateContainer", step.facts["container"])] if step.reason == "StartContainer" else []


def _has_had_a_namesake(run, key, pod):
    """Whether messages may be about an earlier Pod of the name on the same node, whose end nobody waited for."""
    return any(change.type == "DELETED" and change.key == key and change.object["metadata"]["uid"] != pod["metadata"]["uid"]
               and change.object["spec"].get("nodeName") == pod["spec"]["nodeName"] for change in run.changes)


FIRST = {"Created": "Started", "Started": "Killing"}
DONE = {"Created": "CreateContainer", "Started": "StartContainer", "Pulling": "PullImage"}


@rule
def events_tell_what_was_done_in_the_order_in_which_it_was_done(run):
    """23. The order of the Events of an object follows the real actions, but Events can be dropped or combined."""
    told, done = {}, set()
    there = {thing["metadata"]["uid"] for thing in (*run.start.values(), *(change.object for change in run.changes))}
    for step, world in scenes(run):
        if step.source == "kubelet" and step.reason in DONE.values():
            done.add((step.object, step.reason, step.facts.get("container")))
        if step.reason != "EtcdCreate" or not step.object.startswith("/registry/events/"):
            continue
        event = world[step.object]
        about = event["involvedObject"]
        place, first = (about.get("uid"), about.get("fieldPath")), event.get("firstTimestamp") or event["eventTime"]
        for earlier, later in FIRST.items():
            if event["reason"] == earlier and (place, later) in told and told[place, later] < first:
                yield f"{about['name']} {about.get('fieldPath', '')}: {later} was told before {earlier}"
        told.setdefault((place, event["reason"]), first)
        if about.get("uid") in there:          # not of what was gone before the run began
            yield from _never_done(event, about, done)


def _never_done(event, about, done):
    container = re.search(r"\{(.*)\}", about.get("fieldPath") or "")
    if about["kind"] == "Pod" and event["reason"] in DONE and container:
        key = f"/registry/pods/{about['namespace']}/{about['name']}"
        if (key, DONE[event["reason"]], container[1]) not in done:
            yield f"{key}: {event['reason']} of {container[1]} was told and not done"


@rule
def kubectl_says_deleted_when_the_server_has_answered(run):
    """24. kubectl's "deleted" line comes right after the API's reply, not after termination."""
    answered = {}
    request = None
    for step in run.steps:
        if step.source == "kubectl" and step.target == "apiserver":
            request = step
        elif step.reason == "Respond" and request and request.reason.startswith("Delete"):
            answered[step.at] = request
        elif step.target == "user" and re.search(r'" (force )?deleted', step.facts.get("output", "")) and step.at not in answered:
            yield f"message {step.seq}: {step.facts['output']!r} without an answer"


@rule
def a_delete_that_waits_ends_when_the_object_is_gone(run):
    """24. (the other half) Unless told not to wait, kubectl delete ends after the object was removed."""
    removed = {}
    for change in run.changes:
        if change.type == "DELETED":
            removed.setdefault(change.key, []).append(change.at)
    for step, world in scenes(run):
        command = _waiting_delete(run, step)
        uid = command and step.object in world and world[step.object]["metadata"]["uid"]
        if uid and command.ended is not None and command.exit == 0 and not any(step.at <= at <= command.ended for at in removed.get(step.object, ())):
            yield f"{command.line} ended at {command.ended} before {step.object} was gone"


def _waiting_delete(run, step):
    """The command that sent this DELETE, if it is one that waits."""
    if step.source != "kubectl" or not step.reason.startswith("Delete") or "code" in step.facts:
        return None
    running = [command for command in run.commands if command.started <= step.at and (command.ended is None or command.ended >= step.at)]
    if len(running) != 1 or not running[0].line.startswith("kubectl delete") or "--wait=false" in running[0].line or "--force" in running[0].line:
        return None
    return running[0]
