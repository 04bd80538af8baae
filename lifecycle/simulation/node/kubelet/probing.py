"""One run of a probe against a container: exec, httpGet, tcpSocket, grpc (pkg/kubelet/prober/prober.go, pkg/probe)."""
from typing import NamedTuple

from ...broken import read
from .. import images, programs
from ..durations import EXEC

SECOND = 1000
MOST_OUTPUT = 10 << 10                 # bytes of a command's output that are kept (pkg/probe/exec)


class Outcome(NamedTuple):
    """`at` is when the result is known (ms); `output` is what an Unhealthy event says after "probe failed: "."""

    at: int
    success: bool
    output: str


def run(worker, container, probe, kind):
    """The Outcome of a probe of a kind ("liveness", ...) that begins now."""
    if container.get("hung"):
        return _unanswered(worker, container, probe)
    if _is_forced(worker, container, kind):
        return Outcome(worker.now, False, _forced(worker, container, probe))
    if "exec" in probe:
        return _exec(worker, container, probe)
    if "grpc" in probe:
        return _grpc(worker, container, probe)
    return Outcome(worker.now, *_answer(worker, container, probe))


def _exec(worker, container, probe):
    argv, timeout = probe["exec"].get("command", []), probe.get("timeoutSeconds", 1)
    deadline = worker.now + timeout * SECOND
    ends, code, output = worker.kubelet.runtime.exec(worker.key, container, argv, recorded=False)
    if ends is None or ends > deadline:
        return Outcome(deadline, False, _timed_out(argv, timeout))
    return Outcome(max(ends, worker.now + EXEC), code == 0, output[:MOST_OUTPUT])


def _grpc(worker, container, probe):
    """A server of another protocol is like none at all: the connection does not become ready in time (pkg/probe/grpc). The servers in our catalogue speak none;
    of an image that is not in it we believe that its author knew."""
    _, host, port, _ = _place(worker, container, probe)
    if not images.is_known(container["image"]) and worker.kubelet.runtime.answer(worker.key, container, port, "/"):
        return Outcome(worker.now, True, "")
    timeout = probe.get("timeoutSeconds", 1)
    return Outcome(worker.now + timeout * SECOND, False, f'timeout: failed to connect service "{host}:{port}" within {timeout}s: context deadline exceeded')


def _timed_out(argv, timeout):
    return f'command timed out: "{" ".join(argv)}" timed out after {timeout}s'


def _is_forced(worker, container, kind):
    """Whether somebody lets this probe fail."""
    return f"{container['name']}/{kind}" in read(worker.kubelet.etcd, f"probes {worker.key.uid}", {"failing": ()})["failing"]


def _forced(worker, container, probe):
    """What a probe finds when its program is unwell."""
    if "exec" in probe:
        return ""
    if "httpGet" in probe:
        return "HTTP probe failed with statuscode: 500"
    if "grpc" in probe:
        return 'service unhealthy (responded with "NOT_SERVING")'
    _, host, port, _ = _place(worker, container, probe)
    return f"dial tcp {host}:{port}: connect: connection refused"


def _unanswered(worker, container, probe):
    """The Outcome where everything in a container stands still: its kernel accepts connections, and nobody reads from them."""
    timeout = probe.get("timeoutSeconds", 1)
    deadline = worker.now + timeout * SECOND
    if "exec" in probe:
        return Outcome(deadline, False, _timed_out(probe["exec"].get("command", []), timeout))
    kind, host, port, path = _place(worker, container, probe)
    if kind == "tcpSocket":
        return Outcome(worker.now, True, "")
    if kind == "grpc":
        error = "rpc error: code = DeadlineExceeded desc = context deadline exceeded"
        return Outcome(deadline, False, f"timeout: health rpc did not complete within {timeout}s: {error}")
    url = f"{probe[kind].get('scheme', 'HTTP').lower()}://{host}:{port}{path}"
    return Outcome(deadline, False, f'Get "{url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)')


def _place(worker, container, probe):
    """(kind, host, port, path) that a probe over the network asks."""
    kind = next(kind for kind in ("httpGet", "tcpSocket", "grpc") if kind in probe)
    asked = probe[kind]
    return kind, asked.get("host") or worker.sandbox["ip"], port_number(worker, container, asked["port"]), asked.get("path", "/")


def _answer(worker, container, probe):
    """(success, output) of a probe by HTTP or TCP."""
    kind, host, port, path = _place(worker, container, probe)
    asked = probe[kind]
    answered = worker.kubelet.runtime.answer(worker.key, container, port, path if kind == "httpGet" else "/")
    refused = f"dial tcp {host}:{port}: connect: connection refused"
    if kind == "tcpSocket":
        return (True, "") if answered else (False, refused)
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


def may_change_at(worker, container, probe, kind):
    """The first ms after now at which the outcome of a probe may be another by itself, or None."""
    if container.get("hung") or _is_forced(worker, container, kind):
        return worker.now + 1
    runtime = worker.kubelet.runtime
    if "exec" in probe or not programs.own_program(container):
        return runtime.inside.stable_until(worker.key, worker.runtime, worker.now)
    does = programs.service_of(container)
    times = [container["started"] + does[what] for what in ("start", "ready", "sick") if does.get(what) is not None]
    return min((at for at in times if at > worker.now), default=None)
