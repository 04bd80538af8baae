"""One run of a probe against a container: exec, httpGet, tcpSocket, grpc (pkg/kubelet/prober/prober.go, pkg/probe)."""
from typing import NamedTuple

from .. import programs
from ..durations import EXEC

SECOND = 1000
MOST_OUTPUT = 10 << 10                 # bytes of a command's output that are kept (pkg/probe/exec)


class Outcome(NamedTuple):
    """`at` is when the result is known (ms); `output` is what an Unhealthy event says after "probe failed: "."""

    at: int
    success: bool
    output: str


def run(worker, container, probe):
    """The Outcome of a probe that begins now."""
    if "exec" in probe:
        return _exec(worker, container, probe)
    answered = _answer(worker, container, probe)
    return Outcome(worker.now, *answered)


def _exec(worker, container, probe):
    argv, timeout = probe["exec"].get("command", []), probe.get("timeoutSeconds", 1)
    deadline = worker.now + timeout * SECOND
    ends, code, output = worker.kubelet.runtime.exec(worker.key, container, argv, recorded=False)
    if ends is None or ends > deadline:
        return Outcome(deadline, False, f'command timed out: "{" ".join(argv)}" timed out after {timeout}s')
    return Outcome(max(ends, worker.now + EXEC), code == 0, output[:MOST_OUTPUT])


def _answer(worker, container, probe):
    """(success, output) of a probe over the network."""
    kind = next(kind for kind in ("httpGet", "tcpSocket", "grpc") if kind in probe)
    asked = probe[kind]
    port, path = port_number(worker, container, asked["port"]), asked.get("path", "/")
    host = asked.get("host") or worker.sandbox["ip"]
    answered = worker.kubelet.runtime.answer(worker.key, container, port, path if kind == "httpGet" else "/")
    refused = f"dial tcp {host}:{port}: connect: connection refused"
    if kind == "tcpSocket":
        return (True, "") if answered else (False, refused)
    if kind == "grpc":
        timeout = f'timeout: failed to connect service "{host}:{port}" within {probe.get("timeoutSeconds", 1)}s: context deadline exceeded'
        return (True, "") if answered else (False, timeout)
    url = f"{asked.get('scheme', 'HTTP').lower()}://{host}:{port}{path}"
    if not answered:
        return False, f'Get "{url}": {refused}'
    code = answered[0]
    return (True, "") if 200 <= code < 400 else (False, f"HTTP probe failed with statuscode: {code}")


def port_number(worker, container, port):
    """The number of a port that may be given by its name."""
    if isinstance(port, int):
        return port
    ports = (entry for spec in worker.specs() if spec["name"] == container["name"] for entry in spec.get("ports", ()))
    return next((entry["containerPort"] for entry in ports if entry.get("name") == port), int(port) if port.isdigit() else 0)


def may_change_at(worker, container, probe):
    """The first ms after now at which the outcome of a probe may be another by itself, or None."""
    runtime = worker.kubelet.runtime
    if "exec" in probe or not programs.own_program(container):
        return runtime.inside.stable_until(worker.key, worker.runtime, worker.now)
    does = programs.service_of(container)
    times = [container["started"] + does[what] for what in ("start", "ready", "sick") if does.get(what) is not None]
    return min((at for at in times if at > worker.now), default=None)
