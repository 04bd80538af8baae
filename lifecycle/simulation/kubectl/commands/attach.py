"""kubectl attach (kubectl/pkg/cmd/attach), and what run and debug do of it."""
from lifecycle.simulation.kubectl.commands.connection import connect, print_all, remember
from lifecycle.simulation.kubectl.commands.pod_choice import chosen_container, chosen_pod
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, duration, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.watcher import Watcher
from lifecycle.simulation.objects import is_terminal
from lifecycle.simulation.resources import resource

RECORDED = ("All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through "
            "the command prompt.\nIf you don't see a command prompt, try pressing enter.")


def attach(invocation):
    """Print what a container prints from now on."""
    flags = invocation.flags
    if invocation.state is None:
        if not 1 <= len(invocation.args) <= 2:
            raise invocation.usage_error("at least 1 argument is required for attach" if not invocation.args else
                                         f"expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw {len(invocation.args)}: {invocation.args}")
        pod = yield from chosen_pod(invocation, "/".join(invocation.args), flags["pod-running-timeout"])
        if is_terminal(pod):
            raise CommandError(f"cannot attach a container in a completed pod; current phase is {pod['status']['phase']}")
        try:
            container = chosen_container(invocation, pod, flags["container"], flags["quiet"])
        except CommandError as error:
            raise CommandError(f"cannot attach to the container: {error.message}") from None
        if flags["tty"] and not spec_of(pod, container).get("tty"):
            invocation.err(f"error: Unable to use a TTY - container {container} did not allocate one")
        yield from remember(invocation, stream=(yield from opened(invocation, pod, container)))
    yield from print_all(invocation, invocation.state["stream"])


def opened(invocation, pod, container):
    """Attach to a container of a Pod; returns the stream. Raises CommandError."""
    if not invocation.flags["quiet"]:
        invocation.err(RECORDED)
    return (yield from connect(invocation, pod, "attach", {"container": container}))


def attach_or_log(invocation, pod, container):
    """Print what a container prints from now on; its log, if it can no longer be attached to. Returns when it has ended."""
    name = pod["metadata"]["name"]
    if "stream" not in (invocation.state or {}):
        try:
            stream = yield from opened(invocation, pod, container)
        except CommandError as error:
            invocation.err(f"warning: couldn't attach to pod/{name}, falling back to streaming logs: {error.message}")
            return (yield from print_log(invocation, pod, container))
        yield from remember(invocation, stream=stream)
    yield from print_all(invocation, invocation.state["stream"])


def wait_for_pod(invocation, info, phases, until):
    """The Pod once it is in one of some phases; `until` is a virtual time or None. Raises CommandError."""
    return (yield from wait_for(invocation, info, lambda pod: pod["status"].get("phase") in phases, until))


def wait_for(invocation, info, met, until):
    """A Pod once `met(pod)` holds. Raises CommandError."""
    watcher = Watcher(info.resource, info.namespace, info.name, until)
    while True:
        events = yield from watcher.events()
        if events is None:
            raise CommandError("timed out waiting for the condition")
        for event in events:
            if event["type"] == "DELETED":
                raise CommandError("the pod was deleted before the condition was met")
            if met(event["object"]):
                return event["object"]


def print_log(invocation, pod, container):
    meta = pod["metadata"]
    invocation.write("out", (yield from invocation.get(resource("pods").path(meta["namespace"], meta["name"], "log"), {"container": container})))


def spec_of(pod, container):
    """The container of that name in a Pod's spec."""
    return next(spec for part in ("containers", "initContainers", "ephemeralContainers") for spec in pod["spec"].get(part) or () if spec["name"] == container)


FLAGS = {"container": text(short="c"), "pod-running-timeout": duration(60_000), "quiet": boolean("q"), "stdin": boolean("i"), "tty": boolean("t")}
COMMANDS = {("attach",): Command(attach, "(POD | TYPE/NAME) -c CONTAINER [flags]", FLAGS)}
