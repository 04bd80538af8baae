"""What is to be done next for a Pod's sandbox and containers (pkg/kubelet/kuberuntime: computePodActions, computeInitContainerActions).

`next_action` returns a function of the worker that does it, or None if nothing is left to do in this sync.
"""
from functools import partial

from . import killing, sandbox, starting
from .phase import is_sidecar
from .restarts import will_restart


def next_action(worker):
    """One call of the runtime at a time, in the kubelet's order: sandbox, containers to kill, init containers, main containers."""
    if worker.sandbox is None:
        return sandbox.change if worker.runtime["sandbox"] else _first_sandbox(worker)
    victim = killing.unwanted(worker)
    if victim:
        return partial(killing.kill, victim=victim)
    for container, field in to_start(worker):
        if container["name"] not in worker.record["tried"]:
            return partial(starting.start, container=container, field=field)
    return None


def _first_sandbox(worker):
    return sandbox.create if "sandbox" not in worker.record["tried"] else None


def to_start(worker):
    """[(container spec, field)] that are to run now and do not."""
    spec = worker.spec
    todo = []
    if not _main_began(worker):
        done, todo = _init(worker)
        if not done:
            return todo
    else:
        todo = [(container, "initContainers") for container in spec.get("initContainers", ()) if is_sidecar(container) and _missing(worker, container, "initContainers")]
    return todo + [(container, "containers") for container in spec["containers"] if _missing(worker, container, "containers")]


def _missing(worker, container, field):
    return will_restart(worker.spec, container, worker.container(container["name"]), field)


def _main_began(worker):
    """Whether a main container was ever created in this sandbox: then initialization is over."""
    attempt = worker.sandbox["attempt"]
    names = {container["name"] for container in worker.spec["containers"]}
    return any(container["name"] in names and container["sandbox"] == attempt for container in worker.runtime["containers"].values())


def _init(worker):
    """(whether all init containers are done or started, those to start now)."""
    todo = []
    for container in worker.spec.get("initContainers", ()):
        newest = worker.container(container["name"])
        if newest and newest["sandbox"] != worker.sandbox["attempt"]:
            newest = None
        if will_restart(worker.spec, container, newest, "initContainers"):
            return False, [*todo, (container, "initContainers")]
        if is_sidecar(container):
            if not _started(worker, container, newest):
                return False, todo
        elif newest["state"] != "exited" or newest["code"] != 0:
            return False, todo
    return True, todo


def _started(worker, container, newest):
    return worker.record["results"].get(newest["id"], {}).get("startup", "startupProbe" not in container)
