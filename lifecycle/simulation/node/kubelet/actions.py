"""What is to be done next for a Pod's sandbox and containers (pkg/kubelet/kuberuntime: computePodActions, computeInitContainerActions).

`next_action` returns a function of the worker that does it, or None if nothing is left to do in this sync.
"""
from functools import partial

from . import killing, resizing, sandbox, starting
from .phase import is_sidecar
from .restarts import will_restart


def next_action(worker):
    """One call of the runtime at a time, in the kubelet's order: sandbox, containers to kill, init containers, main containers."""
    if worker.sandbox is None:
        return _first_or_next_sandbox(worker)
    victim = killing.unwanted(worker)
    if victim or worker.record["kills"]:
        return partial(killing.kill, victim=victim)
    if _is_over(worker):
        return kill_pod
    if resizing.is_under_way(worker):
        return resizing.apply
    for container, field in to_start(worker):
        if container["name"] not in worker.record["tried"]:
            return partial(starting.start, container=container, field=field)
    return None


# -- the sandbox ------------------------------------------------------------------------------------------------------------
def _first_or_next_sandbox(worker):
    """A sandbox is made as long as something is to run in it."""
    before = worker.runtime["sandbox"]
    if "sandbox" in worker.record["tried"] or not any(_missing(worker, container, "containers") for container in worker.spec["containers"]):
        return None
    if before and worker.runtime["containers"] and worker.spec.get("restartPolicy") == "Never":
        return None
    return sandbox.change if before else sandbox.create


def _is_over(worker):
    """Whether every main container has ended for good: then sidecars do not keep the Pod alive."""
    for container in worker.spec["containers"]:
        newest = worker.container(container["name"])
        if newest is None or newest["state"] != "exited" or will_restart(worker.spec, container, newest):
            return False
    return True


def kill_pod(worker):
    """Stop what still runs, and the sandbox."""
    for container in killing.kill_order(worker.running()):
        if container["id"] not in worker.record["kills"]:
            killing.begin(worker, container, None, worker.grace() * killing.SECOND)
    waiting = killing.advance(worker, ordered=True)
    return sandbox.stop(worker) if waiting is None else waiting


# -- containers -------------------------------------------------------------------------------------------------------------
def to_start(worker):
    """[(container spec, field)] that are to run now and do not."""
    ephemeral = [(container, "ephemeralContainers") for container in worker.spec.get("ephemeralContainers", ()) if worker.container(container["name"]) is None]
    return ephemeral + _ordinary(worker)


def _ordinary(worker):
    spec = worker.spec
    if not _main_began(worker):
        done, todo = _init(worker)
        if not done:
            return todo
    else:
        sidecars = [container for container in spec.get("initContainers", ()) if is_sidecar(container)]
        todo = [(container, "initContainers") for container in sidecars if _missing(worker, container, "initContainers")]
    return todo + [(container, "containers") for container in spec["containers"] if _missing(worker, container, "containers")]


def _missing(worker, container, field):
    return will_restart(worker.spec, container, worker.container(container["name"]), field)


def _main_began(worker):
    """Whether a main container was ever created in this sandbox: then initialization is over."""
    attempt = worker.sandbox["attempt"]
    names = {container["name"] for container in worker.spec["containers"]}
    return any(container["name"] in names and container["sandbox"] == attempt for container in worker.runtime["containers"].values())


def _init(worker):
    """(whether all init containers are done or started, those to start now). What this sync has started counts in the next one."""
    todo = []
    for container in worker.spec.get("initContainers", ()):
        newest = worker.container(container["name"])
        if newest and newest["sandbox"] != worker.sandbox["attempt"]:
            newest = None
        if will_restart(worker.spec, container, newest, "initContainers"):
            return False, [*todo, (container, "initContainers")]
        if container["name"] in worker.record["tried"] or not _lets_others_start(worker, container, newest):
            return False, todo
    return True, todo


def _lets_others_start(worker, container, newest):
    """A sidecar has started, an ordinary init container has ended well."""
    if is_sidecar(container):
        return worker.record["results"].get(newest["id"], {}).get("startup", "startupProbe" not in container)
    return newest["state"] == "exited" and newest["code"] == 0
