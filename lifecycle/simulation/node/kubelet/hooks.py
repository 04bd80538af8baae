"""postStart and preStop handlers: exec, httpGet, tcpSocket, sleep (pkg/kubelet/lifecycle/handlers.go)."""
from ..durations import EXEC
from ..texts import quoted
from . import killing
from .outcome import fail, succeed
from .probing import port_number

SECOND = 1000
LONGEST = 365 * 86_400 * SECOND          # a hook that never ends


def outcome(worker, container, handler):
    """{"ends": ms or None if it never does, "failed": what went wrong or None} of a handler that begins now."""
    if "sleep" in handler:
        return {"ends": worker.now + handler["sleep"]["seconds"] * SECOND, "failed": None}
    if "exec" in handler:
        return _exec(worker, container, handler["exec"].get("command", []))
    if "httpGet" in handler:
        return _http(worker, container, handler["httpGet"])
    return {"ends": worker.now, "failed": None}


def _exec(worker, container, argv):
    ends, code, output = worker.kubelet.runtime.exec(worker.key, container, argv)
    said = " ".join(argv)
    problem = f"command '{said}' exited with {code}: {output}, message: {quoted(output)}"
    return {"ends": ends, "failed": f"Exec lifecycle hook ([{said}]) for {_whose(worker, container)} failed - error: {problem}" if code else None}


def _http(worker, container, asked):
    port, path = port_number(worker, container, asked["port"]), asked.get("path", "/")
    answered = worker.kubelet.runtime.answer(worker.key, container, port, path)
    problem = None
    if answered is None or answered[0] >= 400:
        host = asked.get("host") or worker.sandbox["ip"]
        refused = f'Get "http://{host}:{port}{path}": dial tcp {host}:{port}: connect: connection refused' if answered is None else f"HTTP status {answered[0]}"
        problem = f"HTTP lifecycle hook ({path}) for {_whose(worker, container)} failed - error: {refused}, message: {quoted(answered[1] if answered else '')}"
    return {"ends": worker.now + EXEC, "failed": problem}


def _whose(worker, container):
    return f'Container "{container["name"]}" in Pod "{worker.key.name}_{worker.key.namespace}({worker.key.uid})"'


def begin(worker, container, handler, field):
    """Run postStart: the worker waits for it. Returns ms until the next step."""
    worker.say("cri" if "exec" in handler else "kubelet", "RunPostStartHook", None, container=container["name"], hook=handler)
    result = outcome(worker, container, handler)
    duration = LONGEST if result["ends"] is None else result["ends"] - worker.now
    worker.begin("postStart", duration, id=container["id"], field=field, failed=result["failed"])
    return duration


def post_started(worker, step):
    """postStart is over; if it failed, the container goes."""
    container = worker.runtime["containers"][step["id"]]
    spec, field = worker.spec_of(container)
    if not step["failed"]:
        return succeed(worker, spec)
    worker.event("Warning", "FailedPostStartHook", "PostStartHook failed", spec["name"], field)
    if container["state"] == "running":
        killing.begin(worker, container, "FailedPostStartHook", worker.grace() * SECOND)
    return fail(worker, spec, ["PostStartHookError", step["failed"], None])
