"""kubectl logs (kubectl/pkg/cmd/logs)."""
from lifecycle.simulation.kubectl.commands.connection import remember
from lifecycle.simulation.kubectl.commands.pod_choice import as_kubectl_says, chosen_container, chosen_pod, container_names, listed_pods
from lifecycle.simulation.kubectl.errors import CommandError, ServerError
from lifecycle.simulation.kubectl.flags import boolean, duration, number, text
from lifecycle.simulation.kubectl.options import SELECTOR, Command
from lifecycle.simulation.kubectl.process import Connect, Receive
from lifecycle.simulation.resources import resource

EXPECTED = "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command"
SELECTED_TAIL = 10
SWITCHING = 101                  # the server keeps the connection open


def logs(invocation):
    """Print the log of a container, or of several one after the other; with -f, go on until they have ended."""
    if invocation.state is None:
        streams = yield from _streams(invocation)
        if not invocation.flags["follow"]:
            for stream in streams:
                _print(invocation, stream["prefix"], (yield from invocation.get(stream["path"], stream["query"])))
            return
        prefixes = {}
        for stream in streams:
            opened = yield from _opened(stream)
            if opened is not None:
                prefixes[opened] = stream["prefix"]
        yield from remember(invocation, prefixes=prefixes)
    yield from _follow(invocation)


def _streams(invocation):
    """[{"path", "query", "prefix"}]: the logs that are asked for."""
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
            "prefix": f"[pod/{name}/{container}] " if flags["prefix"] else ""}


def _print(invocation, prefix, text):
    invocation.write("out", "".join(prefix + line for line in text.splitlines(keepends=True)) if prefix else text)


def _opened(stream):
    """Open the connection through which a log comes; returns its stream, or None: a Pod without a node has no log, and there is nothing to follow."""
    reply = yield Connect(stream["path"], stream["query"])
    if not reply.ok:
        raise ServerError(reply.body)
    return reply.body["stream"] if reply.code == SWITCHING else None


def _follow(invocation):
    """Print what comes through the open connections until they have ended."""
    prefixes = invocation.state["prefixes"]
    while prefixes:
        news = yield Receive(tuple(prefixes))
        for stream, found in news.items():
            for _, piece in found["pieces"]:
                _print(invocation, prefixes[stream], piece)
        prefixes = {stream: prefix for stream, prefix in prefixes.items() if not news.get(stream, {}).get("ended")}
        yield from remember(invocation, prefixes=prefixes)


FLAGS = {**SELECTOR, "all-containers": boolean(), "all-pods": boolean(), "container": text(short="c"), "follow": boolean("f"), "ignore-errors": boolean(),
         "insecure-skip-tls-verify-backend": boolean(), "limit-bytes": number(), "max-log-requests": number(5), "pod-running-timeout": duration(20_000),
         "prefix": boolean(),
         "previous": boolean("p"), "since": duration(), "since-time": text(), "tail": number(-1), "timestamps": boolean()}
COMMANDS = {("logs",): Command(logs, "[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]", FLAGS)}
