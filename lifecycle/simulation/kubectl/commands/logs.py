"""kubectl logs (kubectl/pkg/cmd/logs)."""
from lifecycle.simulation.kubectl.commands.pod_choice import as_kubectl_says, chosen_container, chosen_pod, container_names, listed_pods
from lifecycle.simulation.kubectl.errors import CommandError, ServerError
from lifecycle.simulation.kubectl.flags import boolean, duration, number, text
from lifecycle.simulation.kubectl.options import SELECTOR, Command
from lifecycle.simulation.kubectl.process import Checkpoint, Request, Sleep
from lifecycle.simulation.objects import is_terminal
from lifecycle.simulation.resources import resource

EXPECTED = "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command"
SELECTED_TAIL = 10
POLL = 1000                 # how often an open stream is looked at for new lines


def logs(invocation):
    """Print the log of a container, or of several one after the other; with -f, go on until they have ended."""
    if invocation.state is None:
        invocation.state = {"streams": (yield from _streams(invocation))}
        yield Checkpoint(invocation.state)
    if invocation.flags["follow"]:
        return (yield from _follow(invocation))
    for stream in invocation.state["streams"]:
        reply = yield from invocation.ask("GET", stream["path"], stream["query"])
        if not reply.ok:
            raise ServerError(reply.body)
        _print(invocation, stream, reply.body)
    return None


def _streams(invocation):
    """[{"path", "query", "prefix", "pod"}]: the logs that are asked for."""
    flags, words = invocation.flags, invocation.args
    if flags["selector"]:
        if words:
            raise invocation.usage_error("only a selector (-l) or a POD name is allowed")
        pods = yield from listed_pods(invocation, flags["selector"])
        if not pods:
            invocation.err(f"No resources found in {invocation.namespace} namespace.")
    elif not 1 <= len(words) <= 2:
        raise invocation.usage_error(EXPECTED)
    else:
        try:
            pods = [(yield from chosen_pod(invocation, words[0], flags["pod-running-timeout"]))]
        except ServerError as error:
            raise as_kubectl_says(error, invocation) from None
    if flags["since"] and flags["since-time"]:
        raise CommandError("at most one of `sinceTime` or `sinceSeconds` may be specified")
    return [_stream(invocation, pod, container) for pod in pods for container in _containers(invocation, pod, words)]


def _containers(invocation, pod, words):
    if invocation.flags["all-containers"]:
        inits = {container["name"] for container in pod["spec"].get("initContainers") or ()}
        names = [name for _, name in container_names(pod)]
        return [name for name in names if name in inits] + [name for name in names if name not in inits]
    return [chosen_container(invocation, pod, invocation.flags["container"] or (words[1] if len(words) > 1 else ""))]


def _stream(invocation, pod, container):
    flags = invocation.flags
    name, namespace = pod["metadata"]["name"], pod["metadata"]["namespace"]
    tail = SELECTED_TAIL if flags["selector"] and flags["tail"] == -1 else flags["tail"]
    query = {"container": container, "follow": "true" if flags["follow"] else "", "limitBytes": flags["limit-bytes"] or "",
             "previous": "true" if flags["previous"] else "",
             "sinceSeconds": -(-flags["since"] // 1000) or "", "sinceTime": flags["since-time"], "tailLines": tail if tail >= 0 else "",
             "timestamps": "true" if flags["timestamps"] else ""}
    return {"path": resource("pods").path(namespace, name, "log"), "query": {key: str(value) for key, value in query.items() if value != ""},
            "prefix": f"[pod/{name}/{container}] " if flags["prefix"] else "", "pod": name, "shown": None}


def _print(invocation, stream, body):
    if stream["prefix"]:
        body = "".join(stream["prefix"] + line for line in body.splitlines(keepends=True))
    invocation.write("out", body)


def _follow(invocation):
    """Look at the open streams once a second, until their pods have ended."""
    while True:
        streams, running = [], False
        for stream in invocation.state["streams"]:
            stream, goes_on = yield from _read_on(invocation, stream)
            streams.append(stream)
            running = running or goes_on
        invocation.state = {"streams": streams}
        if not running:
            return
        yield Checkpoint(invocation.state)
        yield Sleep(POLL)


def _read_on(invocation, stream):
    """Print what is new in one log; returns (stream, whether more may come). Only the first look is a request of its own: the connection stays open."""
    opening = stream["shown"] is None
    query = stream["query"] if opening else {key: value for key, value in stream["query"].items() if key != "tailLines"}
    reply = yield Request("GET", stream["path"], query, quiet=not opening)
    if not reply.ok:
        if opening:
            raise ServerError(reply.body)
        return stream, False
    whole = reply.body
    if opening and "tailLines" in stream["query"]:
        everything = yield Request("GET", stream["path"], {key: value for key, value in query.items() if key != "tailLines"}, quiet=True)
        _print(invocation, stream, whole)
        whole = everything.body
    else:
        _print(invocation, stream, whole[stream["shown"] or 0:])
    pod = yield Request("GET", stream["path"].removesuffix("/log"), quiet=True)
    return {**stream, "shown": len(whole)}, pod.ok and not is_terminal(pod.body)


FLAGS = {**SELECTOR, "all-containers": boolean(), "all-pods": boolean(), "container": text(short="c"), "follow": boolean("f"), "ignore-errors": boolean(),
         "insecure-skip-tls-verify-backend": boolean(), "limit-bytes": number(), "max-log-requests": number(5), "pod-running-timeout": duration(20_000),
         "prefix": boolean(),
         "previous": boolean("p"), "since": duration(), "since-time": text(), "tail": number(-1), "timestamps": boolean()}
COMMANDS = {("logs",): Command(logs, "[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]", FLAGS)}
