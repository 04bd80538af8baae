"""postStart and preStop handlers: exec, httpGet, tcpSocket, sleep (pkg/kubelet/lifecycle/handlers.go)."""
from .. import programs
from ..durations import EXEC
from . import killing

SECOND = 1000
FAILED = "PostStartHookError"


def outcome(worker, container, handler):
    """{"ends": ms or None if it never does, "failed": bool} of a handler that begins now."""
    if "sleep" in handler:
        return {"ends": worker.now + handler["sleep"]["seconds"] * SECOND, "failed": False}
    if "exec" in handler:
        ends, code, _ = worker.kubelet.runtime.exec(worker.key, container, handler["exec"]["command"])
        return {"ends": ends, "failed": code != 0}
    if "httpGet" in handler:
        code, _ = programs.http_get(container, worker.sandbox, worker.now, handler["httpGet"])
        return {"ends": worker.now + EXEC, "failed": not 200 <= code < 400}
    return {"ends": worker.now, "failed": False}


def begin(worker, container, handler, which, field):
    """Run postStart: the worker waits for it."""
    worker.say("cri" if "exec" in handler else "kubelet", "RunPostStartHook", None, container=container["name"], hook=handler)
    result = outcome(worker, container, handler)
    duration = 365 * 86400 * SECOND if result["ends"] is None else result["ends"] - worker.now
    worker.begin("postStart", duration, id=container["id"], field=field, failed=result["failed"])
    return duration


def post_started(worker, step):
    """postStart is over."""
    from . import starting
    container = worker.runtime["containers"][step["id"]]
    spec, init = killing.spec_of(worker, container)
    if not step["failed"]:
        return starting.succeed(worker, spec)
    worker.event("Warning", "FailedPostStartHook", "PostStartHook failed", spec["name"], init)
    starting.fail(worker, spec, step["field"], [FAILED, "PostStartHook failed", None])
    if container["state"] == "running":
        killing.begin(worker, container, "FailedPostStartHook", worker.grace() * SECOND)
    return 0
