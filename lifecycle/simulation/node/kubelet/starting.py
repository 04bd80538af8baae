"""Starting one container: image, CreateContainer, StartContainer, postStart (pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer)."""
from .. import programs
from ..durations import CREATE, START
from . import backoff, environment, hooks, pulling, security, volume_contents
from .status import mount_statuses


def start(worker, container, field):
    """Begin to start a container of the spec; returns ms until the next step."""
    name = container["name"]
    denied = backoff.denied(worker, container)
    if denied:
        return fail(worker, container, field, denied)
    problem = pulling.ensure(worker, container, field)
    if problem is pulling.WAITING:
        return pulling.remaining(worker)
    if problem:
        return fail(worker, container, field, problem)
    return create(worker, container, field)


def fail(worker, container, field, error):
    """Note why a container did not start in this sync: [reason, message, ms of the end of a back-off or None]."""
    worker.record["tried"] = {**worker.record["tried"], container["name"]: error}
    return 0


def say_event(worker, container, field, kind, reason, message):
    """Record an Event on a container."""
    worker.event(kind, reason, message, container["name"], field)


def create(worker, container, field):
    """CreateContainer."""
    made, error = _configuration(worker, container, field)
    if error:
        say_event(worker, container, field, "Warning", "Failed", f"Error: {error}")
        return fail(worker, container, field, ["CreateContainerConfigError", error, None])
    if made["attempt"]:
        worker.say("kubelet", "RestartContainer", None, container=container["name"], restarts=made["attempt"])
    worker.say("cri", "CreateContainer", f"CreateContainer {container['name']}", container=container["name"], image=container["image"])
    new = worker.kubelet.runtime.create_container(worker.key, made)
    worker.begin("create", CREATE, id=new["id"], field=field)
    return CREATE


def _configuration(worker, container, field):
    """(the kubelet's half of the runtime's record, error text)"""
    env, error = environment.variables(worker, container)
    error = error or security.problem(worker, container)
    if error:
        return None, error
    before = worker.container(container["name"])
    reference = pulling.reference(container["image"])
    made = {"name": container["name"], "init": field == "initContainers", "attempt": before["attempt"] + 1 if before else 0, "sandbox": worker.sandbox["attempt"], "image": reference,
            "argv": environment.command_line(container, reference, env), "env": env, "spec_hash": worker.kubelet.hash_of(container), "mounts": mount_statuses(container)}
    mounted = volume_contents.mounts(worker, container)
    if mounted:
        made["volumes"] = mounted
    if worker.spec.get("shareProcessNamespace") or worker.spec.get("hostPID"):
        made["shares_pids"] = True
    if not programs.own_program(made):
        made["words"] = [container.get("terminationMessagePath", "/dev/termination-log"), container.get("terminationMessagePolicy", "File")]
    if container.get("resources"):
        made["asked"] = container["resources"]
    limit = environment.memory_limit(container)
    return ({**made, "limit": limit} if limit else made), None


def created(worker, step):
    """CreateContainer has returned: StartContainer."""
    container, spec = _both(worker, step)
    say_event(worker, spec, step["field"], "Normal", "Created", "Container created")
    worker.say("cri", "StartContainer", f"StartContainer {container['id'][:12]}", container=container["name"])
    error = environment.cannot_start(container)
    if error:
        worker.kubelet.runtime.fail_to_start(worker.key, container, error)
    worker.begin("start", START, id=container["id"], field=step["field"], error=error)
    return START


def started(worker, step):
    """StartContainer has returned."""
    container, spec = _both(worker, step)
    if step["error"]:
        say_event(worker, spec, step["field"], "Warning", "Failed", f"Error: {step['error']}")
        return fail(worker, spec, step["field"], ["RunContainerError", step["error"], None])
    container = worker.kubelet.runtime.start_container(worker.key, container)
    say_event(worker, spec, step["field"], "Normal", "Started", "Container started")
    worker.record["started"] = True
    worker.kubelet.eviction.look(worker)
    handler = (spec.get("lifecycle") or {}).get("postStart")
    if handler:
        return hooks.begin(worker, container, handler, "postStart", field=step["field"])
    return succeed(worker, spec)


def succeed(worker, spec):
    """The container runs: nothing stands against it any more."""
    worker.record["tried"] = {**worker.record["tried"], spec["name"]: None}
    return 0


def _both(worker, step):
    container = worker.runtime["containers"][step["id"]]
    return container, next(spec for spec in worker.spec[step["field"]] if spec["name"] == container["name"])
