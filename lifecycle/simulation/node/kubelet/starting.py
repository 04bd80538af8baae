"""Starting one container: image, CreateContainer, StartContainer, postStart (pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer)."""
from .. import images, programs, service_links
from ..durations import CREATE, START
from . import backoff, environment, hooks, pulling, security, volume_contents
from .outcome import fail, succeed, tell
from .status import mount_statuses


def start(worker, container, field):
    """Begin to start a container of the spec; returns ms until the next step."""
    denied = backoff.denied(worker, container)
    if denied:
        return fail(worker, container, denied)
    waiting = pulling.ensure(worker, container, field)
    return create(worker, container, field) if waiting is None else waiting


def pulled(worker, step):
    """PullImage has returned: go on with the container, or leave it for this sync."""
    container = next(spec for spec in worker.spec[step["field"]] if spec["name"] == step["container"])
    waiting = pulling.finished(worker, container, step)
    return create(worker, container, step["field"]) if waiting is None else waiting


def create(worker, container, field):
    """CreateContainer."""
    made, error = _configuration(worker, container, field)
    if error:
        tell(worker, container, field, "Warning", "Failed", f"Error: {error}")
        return fail(worker, container, ["CreateContainerConfigError", error, None])
    if made["attempt"]:
        worker.say("kubelet", "RestartContainer", None, container=container["name"], restarts=made["attempt"])
    worker.say("cri", "CreateContainer", f"CreateContainer {container['name']}", container=container["name"], image=container["image"])
    new = worker.kubelet.runtime.create_container(worker.key, made)
    worker.begin("create", CREATE, id=new["id"], field=field)
    return CREATE


def _configuration(worker, container, field):
    """(the kubelet's half of the runtime's record, error text)"""
    links = service_links.found(worker.kubelet.api, worker.key.namespace, worker.spec.get("enableServiceLinks", True))
    linked = service_links.variables(links)
    env, error = environment.variables(worker, container, linked)
    error = error or volume_contents.problem(container, env) or security.problem(worker, container)
    if error:
        return None, error
    before, reference = worker.container(container["name"]), images.canonical(container["image"])
    made = {"name": container["name"], "init": field == "initContainers", "attempt": before["attempt"] + 1 if before else 0,
            "sandbox": worker.sandbox["attempt"], "image": reference, "asked_image": container["image"],
            "argv": environment.command_line(container, reference, {**linked, **env}), "env": env, "links": links,
            "mounts": mount_statuses(container), "volumes": volume_contents.mounts(worker, container, env), "asked": container.get("resources"),
            "limit": environment.memory_limit(container), "shares_pids": worker.spec.get("shareProcessNamespace"),
            "stdin": container.get("stdin"), "stdin_once": container.get("stdinOnce"), "tty": container.get("tty")}
    if not programs.own_program(made):
        made["words"] = [container.get("terminationMessagePath", "/dev/termination-log"), container.get("terminationMessagePolicy", "File")]
    return {name: value for name, value in made.items() if value or name in ALWAYS}, None


ALWAYS = ("init", "attempt", "sandbox", "argv", "env")


def created(worker, step):
    """CreateContainer has returned: StartContainer."""
    container, spec = _both(worker, step)
    tell(worker, spec, step["field"], "Normal", "Created", "Container created")
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
        tell(worker, spec, step["field"], "Warning", "Failed", f"Error: {step['error']}")
        return fail(worker, spec, ["RunContainerError", step["error"], None])
    container = worker.kubelet.runtime.start_container(worker.key, container)
    tell(worker, spec, step["field"], "Normal", "Started", "Container started")
    worker.record["started"] = True
    worker.kubelet.eviction.look(worker)
    worker.kubelet.pressure.started(worker.key, container)
    handler = (spec.get("lifecycle") or {}).get("postStart")
    return hooks.begin(worker, container, handler, step["field"]) if handler else succeed(worker, spec)


def _both(worker, step):
    container = worker.runtime["containers"][step["id"]]
    return container, next(spec for spec in worker.spec[step["field"]] if spec["name"] == container["name"])
